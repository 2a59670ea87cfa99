"""Shared tasks: frozen pairs and texts, submissions against them, and boards that show ties."""
