"""Metric runs: from start to finish, chunk by chunk."""
