"""Results per system, with intervals and pairwise significance tests."""
