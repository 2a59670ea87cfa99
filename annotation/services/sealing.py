"""Encryption of what the database keeps secret, with the site's key.

A copy of the database alone opens nothing. What an earlier key sealed can be read.
"""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet


def sealed(text: str, *, what: str) -> str:
    """Return the text encrypted; `what` it is, as one kind of secret cannot stand for another."""
    return str(_box(what).encrypt(text.encode()).decode())


def opened(secret: str, *, what: str) -> str | None:
    """Return the text; None if the key that sealed it is lost."""
    from cryptography.fernet import InvalidToken

    try:
        return str(_box(what).decrypt(secret.encode()).decode())
    except InvalidToken:
        return None


def _box(what: str) -> MultiFernet:
    from cryptography.fernet import Fernet, MultiFernet

    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = [hashlib.sha256(f"{what}:{key}".encode()).digest() for key in keys]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
