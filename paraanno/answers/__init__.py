"""What a request gets where something went wrong."""
