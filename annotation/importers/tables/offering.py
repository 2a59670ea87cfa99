"""Repairs that a person may choose for a table, each with what it does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from annotation.importers.tables.books import letters
from annotation.importers.tables.cell_repairs import MARKS, has_entity, needs_space, parts_of
from annotation.importers.tables.guesses import Guess
from annotation.importers.tables.steps import Table
from annotation.importers.tables.suggesting import Step, cells_of
from paraanno.plain.sentence import Sentence, say

OFTEN = 0.3  # share of the cells from which on a mark or sign is offered
MOST = 12
SIGNS = ("\n", "|", ";", "/")
TEXTS = ("sentence", "phrase", "paraphrase", "output_of", "reference")


@dataclass(frozen=True, slots=True)
class Offer:
    """A repair: its name in the form (`key`), what the button says, and the step."""

    key: str
    label: Sentence
    step: Step


def offers(table: Table, guesses: Mapping[int, Guess]) -> list[Offer]:
    """Return the repairs that change something in the table, the likelier first."""
    texts = [at for at in range(len(table.names)) if _is_text(table, at)]
    found = [*_reversed(table, guesses), *_of_cells(table, texts), *_joined(table, texts),
             *_below(table, guesses)]  # fmt: skip
    return [Offer(str(at), label, step) for at, (label, step) in enumerate(found[:MOST])]


def _name(table: Table, at: int) -> str:
    return table.names[at] or letters(at)


def _is_text(table: Table, at: int) -> bool:
    cells = cells_of(table, at)
    return len(cells) > 1 and sum(map(len, cells)) >= 4 * len(cells)


def _reversed(table: Table, guesses: Mapping[int, Guess]) -> Iterator[tuple[Sentence, Step]]:
    roles = {guess.role: at for at, guess in guesses.items()}
    if {"sentence", "paraphrase"} <= roles.keys():
        one, two = roles["sentence"], roles["paraphrase"]
        yield (
            say("Exchange %(one)s and %(two)s", one=_name(table, one), two=_name(table, two)),
            {"step": "reverse", "columns": [letters(one), letters(two)]},
        )


def _of_cells(table: Table, texts: Sequence[int]) -> Iterator[tuple[Sentence, Step]]:
    for at in texts:
        cells, name = cells_of(table, at), _name(table, at)
        for key, mark in MARKS.items():
            if sum(mark.search(cell) is not None for cell in cells) >= OFTEN * len(cells):
                yield (
                    say("Take the phrase marked by %(mark)s out of %(name)s", mark=key, name=name),
                    {"step": "marked", "columns": [letters(at)], "mark": key},
                )
                break
        for sign in SIGNS:
            several = sum(len(parts_of(cell, sign)) > 1 for cell in cells)
            if several >= OFTEN * len(cells):
                shown = say("line ends") if sign == "\n" else sign
                yield (
                    say("Split %(name)s at %(sign)s, a row for each", name=name, sign=shown),
                    {"step": "split", "columns": [letters(at)], "sign": sign},
                )
                break
    coded = [at for at in texts if any(map(has_entity, cells_of(table, at)))]
    if coded:
        yield (
            say("Decode signs such as &amp; in %(name)s",
                name=", ".join(_name(table, at) for at in coded)),
            {"step": "entities", "columns": [letters(at) for at in coded]},
        )  # fmt: skip


def _joined(table: Table, texts: Sequence[int]) -> Iterator[tuple[Sentence, Step]]:
    """Offer to join three columns of texts that stand beside each other, of which no row is empty
    in the middle."""
    for left, key, right in combinations(texts, 3):
        if (key, right) == (left + 1, left + 2):
            parts = [text for at in (left, key, right) for text in cells_of(table, at)]
            yield (
                say("Join %(left)s, %(key)s and %(right)s to a sentence", left=_name(table, left),
                    key=_name(table, key), right=_name(table, right)),
                {"step": "join", "columns": [letters(left), letters(key), letters(right)],
                 "space": needs_space(parts)},
            )  # fmt: skip


def _below(table: Table, guesses: Mapping[int, Guess]) -> Iterator[tuple[Sentence, Step]]:
    """Offer to put the texts of systems below each other."""
    outputs = {guess.of: [letters(at)] for at, guess in guesses.items()
               if guess.role == "output_of"}  # fmt: skip
    if len(outputs) > 1:
        yield (
            say("Put the texts of %(n)s systems below each other", n=len(outputs)),
            {"step": "unpivot", "label": "system", "into": ["paraphrase"], "groups": outputs},
        )
