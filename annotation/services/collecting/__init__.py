"""Collecting judgments: sheets, slots, claims and saves."""
