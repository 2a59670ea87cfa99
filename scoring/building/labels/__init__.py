"""Syntactic labels of the spans of parsed sentences."""
