"""Addresses that send people back to a crowd platform."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import parse_qsl, urlsplit

PLACES = ("{code}", "{id}", "")


def holds_a_code(address: str, codes: Iterable[str] = ()) -> bool:
    """Whether the address itself holds what may be a completion code or a password.

    That is a user before the host, a value in the query other than `{code}` and `{id}`, a fragment,
    one of the panel's `codes` anywhere, or an address that cannot be read.
    """
    if not address:
        return False
    try:
        parts = urlsplit(address)
        values = [value for _name, value in parse_qsl(parts.query, keep_blank_values=True)]
    except ValueError:
        return True
    return (
        "@" in parts.netloc
        or parts.fragment not in PLACES
        or any(value not in PLACES for value in values)
        or any(code and code in address for code in codes)
    )
