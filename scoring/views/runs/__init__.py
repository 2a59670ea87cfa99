"""Pages of metrics, their runs and resources."""
