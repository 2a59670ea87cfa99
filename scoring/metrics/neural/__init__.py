"""Metrics on neural models (the extra `neural`)."""
