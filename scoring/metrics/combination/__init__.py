"""Metrics that combine other metrics."""
