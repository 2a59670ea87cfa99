"""Data of the analysis pages, prepared for templates."""
