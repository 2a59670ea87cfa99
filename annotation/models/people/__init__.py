"""Annotators and what they agreed to."""
