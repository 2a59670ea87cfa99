"""What of a campaign is in its archive, and how it is read from the database."""
