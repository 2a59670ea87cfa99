"""Campaigns: creation, settings and scales."""
