"""The page of a metric."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from tests.clients import client_of


def page_of(name: str, user: str = "vera") -> Any:
    return client_of(user).get(reverse("metric", args=[name]))
