"""Hidden quality control and practice."""
