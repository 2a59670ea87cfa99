"""Shared tasks: an organiser freezes a test, teams submit, and a board shows who is told apart."""
