"""Modules that every pure package may import: no Django, nothing else of the project."""
