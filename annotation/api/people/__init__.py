"""Routes about people and logins."""
