"""Quality control and practice."""
