"""Routes of shared tasks."""
