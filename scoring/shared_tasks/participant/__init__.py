"""What participants get as it stands: the starter script."""
