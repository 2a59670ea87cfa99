"""What of a campaign stands in its archive, and how it is read from the database."""
