"""Stored reports, exports, and the zip files for a paper and to publish."""
