"""Metrics that compare words, characters and n-grams."""
