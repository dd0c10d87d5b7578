au BufRead,BufNewFile *.nxd setfiletype nxd
