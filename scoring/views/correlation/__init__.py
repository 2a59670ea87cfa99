"""Correlation pages."""
