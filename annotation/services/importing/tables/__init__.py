"""Imports of tables whose columns a mapping explains."""
