"""What several models share: random public ids, text hashes, attributes."""

from __future__ import annotations

import hashlib
import uuid
from typing import Any

from django.db import models


def public_key() -> models.UUIDField[Any, Any]:
    """The id that pages, addresses and the API show.

    It is random, so that it tells an annotator nothing: not the order of import, and not what
    is a control or a repeat.
    """
    return models.UUIDField(default=uuid.uuid4, unique=True, editable=False)


def text_digest(*parts: str | int | None) -> str:
    """SHA-256 over the parts, each with its length, so that no two splits can meet.

    Equality of texts stands on this column: an index over the text itself fails on
    PostgreSQL as soon as one text is longer than a third of a page.
    """
    digest = hashlib.sha256()
    for part in parts:
        data = b"" if part is None else str(part).encode("utf-8")
        digest.update(b"-" if part is None else b"%d:" % len(data))
        digest.update(data)
    return digest.hexdigest()


def token_digest(token: str) -> str:
    """What is kept of a secret that a machine made: 256 random bits need no slow hash."""
    return hashlib.sha256(token.encode()).hexdigest()


def digest_field() -> models.CharField[Any, Any]:
    """A column for `text_digest`: 64 hexadecimal digits."""
    return models.CharField(max_length=64, editable=False)


def attributes_field() -> models.JSONField[Any, Any]:
    """What the imported file carried and we do not interpret; filters use it."""
    return models.JSONField(default=dict, blank=True)
