"""Sheets, slots and judgments."""
