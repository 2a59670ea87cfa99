"""Parallel text and the links between its words."""
