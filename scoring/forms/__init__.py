"""Forms of the analysis pages."""
