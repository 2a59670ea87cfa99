"""What saving, importing, exporting and starting cost; `make bench`."""
