"""The page of a metric."""

from __future__ import annotations

from typing import Any

from tests.clients import client_of


def page_of(name: str) -> Any:
    return client_of("vera").get(f"/metrics/{name}/")
