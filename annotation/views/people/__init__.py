"""Pages about people and accounts."""
