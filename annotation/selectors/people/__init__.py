"""Queries about participants."""
