" `:make FILE` fills the quickfix list with what `nxdc check` finds.
let current_compiler = "nxdc"
CompilerSet makeprg=nxdc\ check\ --color\ never\ $*
CompilerSet errorformat=%E%trror[NXD-%.%#]:\ %m,%W%tarning[NXD-%.%#]:\ %m,%C%\\s%#-->\ %f:%l:%c,%C%\\s%#%\\d%#\ %#\|%.%#,%-G%.%#
