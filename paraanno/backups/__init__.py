"""Backups of an entire site: its database, and the files of its data folder."""
