"""Shared fields: random public ids, text hashes, attributes."""

from __future__ import annotations

import hashlib
import uuid
from typing import Any

from django.db import models


def public_key() -> models.UUIDField[Any, Any]:
    """Return the field for the id shown in pages, addresses and the API.

    It is random, so that it reveals nothing to an annotator: neither the order of import nor which
    text is a control or a repeat.
    """
    return models.UUIDField(default=uuid.uuid4, unique=True, editable=False)


def text_digest(*parts: str | int | None) -> str:
    """Return the SHA-256 of the parts, each with its length, so that different splits give
    different hashes.

    Equality of texts is checked on this column: in PostgreSQL an index on the text itself fails for
    texts longer than a third of a page.
    """
    pieces = []
    for part in parts:
        if part is None:
            pieces.append(b"-")
        else:
            data = str(part).encode("utf-8")
            pieces.append(b"%d:%b" % (len(data), data))
    return hashlib.sha256(b"".join(pieces)).hexdigest()


def token_digest(token: str) -> str:
    """Return the stored hash of a generated secret: 256 random bits need no slow hash."""
    return hashlib.sha256(token.encode()).hexdigest()


def text_key(phrase: str, place: tuple[str, int, int], paraphrase: str) -> str:
    """Return the key of a text in files: 16 hexadecimal digits, made from its content.

    Export and import keep it. `place` is the sentence with start and end of the span, the text's
    own where it has its own.
    """
    return text_digest("text", phrase, *place, paraphrase)[:16]


def digest_field() -> models.CharField[Any, Any]:
    """Return a column for `text_digest`: 64 hexadecimal digits."""
    return models.CharField(max_length=64, editable=False)


def attributes_field() -> models.JSONField[Any, Any]:
    """Return a column for attributes of the imported file, which are used only by filters."""
    return models.JSONField(default=dict, blank=True)
