"""Queries about campaigns."""
