"""Queries about quality control and practice."""
