"""Resources, the files that metrics need: reading, checking and memory-mapping them."""
