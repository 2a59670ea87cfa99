"""Writes of the board: stored figures, alarms and their sending."""
