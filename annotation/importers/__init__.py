"""Pure readers of files: bytes in, checked rows and problems out. No database, no Django."""
