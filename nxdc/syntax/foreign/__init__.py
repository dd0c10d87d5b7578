"""What other languages write: read as what it most likely means, and told with the way NXD writes it."""
