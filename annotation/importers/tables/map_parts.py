"""The parts of a mapping's JSON, each checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.importers.tables.encodings import unknown_encoding, writes_text
from paraanno.plain.columns import did_you_mean
from paraanno.plain.problems import shown
from paraanno.plain.sentence import Sentence, SentenceError, say

MOST_NAME = 200
MOST_HEAD = 3  # rows
MOST_LISTED = 500  # questions, steps, scales or words of one mapping


class MapError(SentenceError):
    """A mapping that cannot be used."""


def none_of(key: str, value: object, known: tuple[str, ...]) -> Sentence:
    """Return that a value is none of those that are known."""
    hint = did_you_mean(str(value), known)
    return say(
        "%(key)s: %(value)s is none of %(known)s%(hint)s: use one of these",
        key=key, value=shown(str(value)), known=", ".join(known) or "nothing", hint=hint,
    )  # fmt: skip


def text(key: str, value: object, most: int = MOST_NAME) -> str | None:
    """Return a text of at most `most` characters, or None."""
    if value is None:
        return None
    if not isinstance(value, str) or len(value) > most or "\0" in value:
        raise MapError(say("%(key)s must be a text of at most %(most)s characters: shorten it",
                           key=key,
                           most=most))  # fmt: skip
    return value


def texts(key: str, given: object) -> dict[str, str]:
    """Return an object of texts; empty ones are left out."""
    if not isinstance(given, Mapping):
        raise MapError(say("%(key)s must be an object: write {...}", key=key))
    read = {str(name): text(key, value) for name, value in given.items()}
    return {name: value for name, value in read.items() if value}


def head(given: object) -> tuple[int, ...]:
    """Return the rows of the head, from above."""
    good = isinstance(given, list) and len(given) <= MOST_HEAD
    rows = list(given) if isinstance(given, list) else []
    if not good or not all(type(row) is int and 0 <= row < 2**31 for row in rows):
        raise MapError(
            say("head must be a list of up to three rows with the columns' names: write [1]")
        )
    if rows != sorted(set(rows)):
        raise MapError(say("head must name its rows in order: write the uppermost first"))
    return tuple(rows)


def encoding(given: object) -> str | None:
    """Return the name of an encoding that writes texts."""
    name = text("encoding", given)
    if name and not writes_text(name):
        raise MapError(unknown_encoding(name))
    return name or None


def delimiter(given: object) -> str | None:
    """Return the sign between cells."""
    mark = text("delimiter", given)
    if mark and (len(mark) != 1 or mark in '"\r\n '):
        raise MapError(
            say(
                "delimiter: %(mark)s is not a single character such as ; or a tab", mark=shown(mark)
            )
        )
    return mark or None


def questions(given: object) -> tuple[str, ...]:
    """Return the sentences of `ask`."""
    if not isinstance(given, list) or len(given) > MOST_LISTED:
        raise MapError(say("ask must be a list of sentences: write []"))
    return tuple(one for one in (text("ask", each, 1000) for each in given) if one)


def words_of(given: object) -> dict[str, dict[str, float | None]]:
    """Return the points of words, by scale ("": of all scales)."""
    if not isinstance(given, Mapping) or len(given) > MOST_LISTED:
        raise MapError(say("%(key)s must be an object: write {...}", key="words"))
    found: dict[str, dict[str, float | None]] = {}
    for scale, points in given.items():
        if not isinstance(points, Mapping) or len(points) > MOST_LISTED:
            raise MapError(say("%(key)s must be an object: write {...}", key="words"))
        for word, point in points.items():
            if point is not None and type(point) not in (int, float):
                raise MapError(
                    say("words: %(word)s has no number: write one, or null for \"cannot judge\"",
                        word=shown(str(word)))
                )  # fmt: skip
        found[str(scale)] = {
            str(word): None if point is None else float(point) for word, point in points.items()
        }
    return found


def steps_of(given: object) -> tuple[Mapping[str, Any], ...]:
    """Return the repairs, which are objects with the name of a step; each checks its own."""
    good = isinstance(given, list) and len(given) <= MOST_LISTED
    steps = list(given) if isinstance(given, list) else []
    if not good or not all(isinstance(one, Mapping) and "step" in one for one in steps):
        raise MapError(say("steps must be a list of objects with the name of a step: write []"))
    return tuple(dict(one) for one in steps)
