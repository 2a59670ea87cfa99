"""Routes about campaigns and their texts."""
