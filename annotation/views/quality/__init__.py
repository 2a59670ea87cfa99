"""Pages about quality control and practice."""
