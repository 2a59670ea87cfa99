"""Clients of the API, as for the routes of collection."""

from tests.annotation.api.conftest import login

__all__ = ["login"]
