"""A campaign with metrics against people."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

ITEMS, SYSTEMS = 10, "ABC"


def item_rows() -> Any:
    for item in range(ITEMS):
        for system in SYSTEMS:
            row = {"item": f"i{item}", "phrase": "old", "sentence": f"The old number {item}.",
                   "paraphrase": f"text {item} {system}", "system": system}  # fmt: skip
            yield row | ({"reference": f"The text {item} A number {item}."} if item == 0 else {})


def get(client: Any, name: str, *more: str, **query: Any) -> Any:
    return client.get(reverse(name, args=["world", *more]), query)
