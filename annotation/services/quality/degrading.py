"""Degrade a text by dropping or shuffling words. Pure and deterministic for a seed."""

from __future__ import annotations

from collections.abc import Callable, Collection
from random import Random

DROP_SHARE = 1 / 3
TRIES = 60

Change = Callable[[list[str], Random], list[str]]


def drop_words(words: list[str], chance: Random) -> list[str]:
    """Drop about a third of the words: at least one, and never all."""
    gone = set(chance.sample(range(len(words)), max(1, round(len(words) * DROP_SHARE))))
    return [word for place, word in enumerate(words) if place not in gone]


def shuffle_words(words: list[str], chance: Random) -> list[str]:
    """Return the same words in another order."""
    mixed = list(words)
    chance.shuffle(mixed)
    return mixed


METHODS: dict[str, Change] = {"drop": drop_words, "shuffle": shuffle_words}


def degrade(text: str, *, method: str, seed: str, avoid: Collection[str]) -> str | None:
    """Return a degraded text; None if the method cannot make one (of a single word, for instance).

    The result differs from the original and from every text in `avoid`, ignoring case and white
    space: a copy that looks like another text of the item would be no control.
    """
    words = text.split()
    if len(words) < 2:
        return None
    taken = {_plain(one) for one in avoid} | {_plain(text)}
    chance = Random(f"{method}:{seed}")  # noqa: S311 repeatable by intent
    for _ in range(TRIES):
        worse = " ".join(METHODS[method](words, chance))
        if _plain(worse) not in taken:
            return worse
    return None


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
