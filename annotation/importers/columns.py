"""Columns of a campaign's files, and how to recognise the kind of a file."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from annotation.importers.attributes import split_attribute
from paraanno.plain.columns import Columns
from paraanno.plain.problems import shown
from paraanno.plain.sentence import Sentence, say

# The columns by which a record of judgments, gold or scores names its text.
TARGET_COLUMNS = (
    "item", "phrase", "sentence", "start", "end", "paraphrase", "role",
    "own_sentence", "own_start", "own_end",
)  # fmt: skip
# Columns of our exports that are only informative: they follow from the others.
INFORMATIVE = (
    "text_key", "systems", "excluded", "excluded_reason", "excluded_since", "language",
)  # fmt: skip
ITEM_COLUMNS = (*TARGET_COLUMNS, "system", "rank", "made_from", "text_key", "language")
REFERENCE_COLUMNS = ("reference", "reference_2", "references")
_REFERENCE = re.compile(r"reference_([2-9]|[1-9][0-9]{1,3})")
_ATTRIBUTE = "attr.NAME"
MOST_FOUND = 3
# Columns that identify a kind of file, most specific first, and its import command, if any.
_SIGNS: tuple[tuple[Sentence, frozenset[str], str], ...] = (
    (say("expected values"), frozenset({"low", "high"}), ""),
    (say("judgments"), frozenset({"annotator", "scale", "value"}), " (import_judgments)"),
    (say("scores of a metric"), frozenset({"score"}), " (import_scores)"),
    (say("gold"), frozenset({"systems", "pass"}), ""),
    (say("items"), frozenset({"system", "rank"}), " (import_items)"),
)


@lru_cache(maxsize=4096)
def knows_column(column: str) -> bool:
    """True for a column that an items file may have."""
    return (
        column in ITEM_COLUMNS
        or column in ("reference", "references")
        or _REFERENCE.fullmatch(column) is not None
        or split_attribute(column) is not None
    )


@dataclass(frozen=True, kw_only=True)
class Known(Columns):
    """The columns of one kind of file."""

    kind: Sentence

    @classmethod
    def fixed(cls, kind: Sentence, words: tuple[str, ...]) -> Known:
        """Return a kind of file with these columns and no others."""
        return cls(kind=kind, words=words, knows=frozenset(words).__contains__)

    def null_is_value(self, name: str) -> bool:
        """Whether null is a value of the column, as it is for attributes."""
        return name.startswith("attr.")

    def other_kind(self, names: Collection[str]) -> Sentence | None:
        """Return the message for a file whose columns are those of another kind of file.

        A column that only its own kind has identifies a file, whatever else it contains.
        """
        own = (name for name in names if self.knows(name) and name not in INFORMATIVE)
        if any(not knows_column(name) for name in own):
            return None
        unknown = [name for name in names if not self.knows(name)]
        for other, signs, command in _SIGNS:
            found = [name for name in unknown if _base(name) in signs]
            if found and other != self.kind:
                return say(
                    "this looks like a file of %(other)s (it has %(found)s): import it as "
                    "%(other)s%(command)s; the columns of a file of %(kind)s are %(words)s",
                    other=other,
                    found=", ".join(shown(name) for name in found[:MOST_FOUND]),
                    command=command,
                    kind=self.kind,
                    words=", ".join(self.words),
                )
        return None

    def unknown(self, hint: str) -> Sentence:
        """Return the message for an unknown column."""
        if _ATTRIBUTE not in self.words:
            return super().unknown(hint)
        return say(
            "unknown column%(hint)s: correct it, delete it, or keep it as 'attr.NAME'",
            hint=hint,
        )


ITEMS = Known(
    kind=say("items"),
    words=(*ITEM_COLUMNS, *REFERENCE_COLUMNS, _ATTRIBUTE),
    knows=knows_column,
)


def _base(name: str) -> str:
    """Return `score` for score.NAME, and `rank`, which only items have, for references and
    attributes.
    """
    if name.startswith("score."):
        return "score"
    return "rank" if knows_column(name) and name not in ITEM_COLUMNS else name
