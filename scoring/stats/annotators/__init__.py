"""Statistics of single annotators, computed for all annotators in one pass."""
