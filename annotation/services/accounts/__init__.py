"""Accounts: logging in, second factors, sessions, what is stored about a person, and deletion."""
