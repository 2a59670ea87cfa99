"""Reads of shared tasks. Every one starts from what the user may see."""
