"""From object code to a program: the runtime archive, the system linker, and the cache of finished binaries."""
