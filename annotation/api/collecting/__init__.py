"""Routes used by the rating screen."""
