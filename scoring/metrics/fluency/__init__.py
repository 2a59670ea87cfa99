"""Metrics of grammar and fluency, which compare a text with a language."""
