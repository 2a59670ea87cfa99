"""Campaigns and their texts."""
