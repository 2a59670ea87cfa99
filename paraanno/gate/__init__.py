"""Which requests a web process carries out, in which order, and which it refuses."""
