"""Metrics on word vectors."""
