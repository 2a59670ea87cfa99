"""Inter-annotator agreement and reliability on one scale."""
