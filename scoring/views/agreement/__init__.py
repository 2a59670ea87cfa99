"""Agreement pages."""
