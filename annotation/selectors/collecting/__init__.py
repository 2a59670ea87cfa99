"""Queries about sheets and the work on them."""
