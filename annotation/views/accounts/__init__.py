"""Accounts: doors, factors and sessions, who has one, what is stored of a person, how it goes."""
