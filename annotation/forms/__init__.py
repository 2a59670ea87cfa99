"""Forms of the collection pages."""
