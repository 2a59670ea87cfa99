"""What recognisers share: files and records that are read, answers that become a plain table."""
