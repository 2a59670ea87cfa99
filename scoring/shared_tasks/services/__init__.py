"""Writes of shared tasks."""
