"""Data of the collection pages, prepared for templates."""
