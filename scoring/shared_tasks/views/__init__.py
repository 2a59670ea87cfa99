"""Pages of shared tasks."""
