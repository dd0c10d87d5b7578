"""nxdc: the native compiler for NXD. Importing the package costs nothing; every layer is imported where needed."""

__version__ = "0.1.0"
