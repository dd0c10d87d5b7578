"""The commands. The only layer that prints, reads the command line, and decides exit statuses."""
