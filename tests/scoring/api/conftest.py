"""Clients of the API, as for the routes of collection."""

from tests.annotation.api.conftest import fresh_throttles, login

__all__ = ["fresh_throttles", "login"]
