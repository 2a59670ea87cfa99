"""Pages of the rating screen."""
