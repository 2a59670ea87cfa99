"""Pure writers of files: rows in, bytes or text out, streaming. No database, no Django."""
