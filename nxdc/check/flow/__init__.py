"""What the order of execution tells: facts proved by conditions, moved and borrowed names, code that cannot run."""
