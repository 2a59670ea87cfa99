"""Reads of the board: what is live, the figures of people, what gives an alarm."""
