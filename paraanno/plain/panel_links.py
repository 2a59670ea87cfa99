"""What a panel and its crowd platform pass on: parameters of the link, and the address back."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import parse_qsl, urlsplit

from paraanno.plain.sentence import NOTHING, Sentence, say

PLACES = ("{code}", "{id}", "")
LOOPBACK = ("localhost", "127.0.0.1", "::1")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
# Forms and logins read these: an id under such a name would be taken for theirs.
TAKEN = frozenset({"csrfmiddlewaretoken", "next"})


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


def address_problem(address: str) -> Sentence:
    """Return why people are not sent back to the address, NOTHING if they can be.

    The code is worth money: it goes over https alone, but for a program on the same machine. A
    user before the host is a password in a list, or a host that only looks like another one.
    """
    try:
        parts = urlsplit(address)
        host, _port = parts.hostname, parts.port
    except ValueError:
        return say("An address that begins with https://.")
    safe = parts.scheme == "https" or (parts.scheme == "http" and host in LOOPBACK)
    if not safe or not host or re.search(r"[\s\\]", address):
        return say("An address that begins with https://; http:// for this machine alone.")
    if "@" in parts.netloc:
        return say("An address without a user or a password before the host.")
    if "{" in parts.netloc:
        return say("{code} and {id} must come after the host.")
    return NOTHING


def parameter_problem(name: str) -> Sentence:
    """Return what is wrong with the name, NOTHING if a platform may give an id under it."""
    if not NAME.fullmatch(name):
        return say("The name of a parameter: letters, digits, _ and -, a letter first, no blanks.")
    if name.lower() in TAKEN:
        return say("Pages of this site use “%(name)s” themselves: choose another name.", name=name)
    return NOTHING
