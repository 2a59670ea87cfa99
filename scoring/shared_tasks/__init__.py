"""Shared tasks: an organiser freezes a test, teams submit, and a board shows which of them
differ."""
