"""Pure functions that make resources from raw text; no Django here."""
