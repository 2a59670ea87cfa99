"""Stored reports, exports and the files of a paper."""
