"""The columns that files have, and what to say about one that a reader does not know."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import lru_cache

from annotation.importers.attributes import split_attribute
from annotation.importers.problems import ProblemLog, shown
from annotation.importers.told import Told, told

# How a record of judgments, gold or scores names its text.
TARGET_COLUMNS = (
    "item", "phrase", "sentence", "start", "end", "paraphrase", "role",
    "own_sentence", "own_start", "own_end",
)  # fmt: skip
ITEM_COLUMNS = (*TARGET_COLUMNS, "system", "rank", "made_from")
REFERENCE_COLUMNS = ("reference", "reference_2", "references")
_REFERENCE = re.compile(r"reference_([2-9]|[1-9][0-9]{1,3})")
_ATTRIBUTE = "attr.NAME"
MOST_FOUND = 3
NEAR = 0.7  # Below that "item" is a guess at "system".
# What tells a kind of file, the rarest first, and the command that imports it where there is one.
_SIGNS: tuple[tuple[Told, frozenset[str], str], ...] = (
    (told("expected values"), frozenset({"low", "high"}), ""),
    (told("judgments"), frozenset({"annotator", "scale", "value"}), " (import_judgments)"),
    (told("scores of a metric"), frozenset({"score"}), " (import_scores)"),
    (told("gold"), frozenset({"systems", "pass"}), ""),
    (told("items"), frozenset({"system", "rank"}), " (import_items)"),
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


@dataclass(frozen=True, slots=True)
class Known:
    """The columns of one kind of file: `words` are said to people, `knows` decides."""

    kind: Told
    words: tuple[str, ...]
    knows: Callable[[str], bool]

    @classmethod
    def fixed(cls, kind: Told, words: tuple[str, ...]) -> Known:
        """A kind of file that has these columns and no others."""
        return cls(kind, words, frozenset(words).__contains__)

    def other_kind(self, names: Collection[str]) -> Told | None:
        """What to say where the columns are rather those of another kind of file.

        A file with a column that only its own kind has is of that kind, whatever else it holds.
        """
        if any(self.knows(name) and not knows_column(name) for name in names):
            return None
        unknown = [name for name in names if not self.knows(name)]
        for other, signs, command in _SIGNS:
            found = [name for name in unknown if _base(name) in signs]
            if found and other != self.kind:
                return told(
                    "this looks like a file of %(other)s (it has %(found)s): import it as "
                    "%(other)s%(command)s; the columns of a file of %(kind)s are %(words)s",
                    other=other,
                    found=", ".join(shown(name) for name in found[:MOST_FOUND]),
                    command=command,
                    kind=self.kind,
                    words=", ".join(self.words),
                )
        return None

    def refuse(self, line: int, names: Collection[str], log: ProblemLog) -> bool:
        """Log the columns that are unknown; True where there are some."""
        unknown = [name for name in names if not self.knows(name)]
        listed = log.errors > 0  # All names are long, and said once.
        for name in unknown:
            close = difflib.get_close_matches(name.lower()[:40], self.words, 1, NEAR)
            hint: Told | str = ""
            if close:
                hint = told(" (did you mean %(name)s?)", name=repr(close[0]))
            elif not listed:
                hint = told(" (known are %(words)s)", words=", ".join(self.words))
                listed = True
            log.error(line, self._unknown(hint), name)
        return bool(unknown)

    def _unknown(self, hint: str) -> Told:
        if _ATTRIBUTE in self.words:
            return told(
                "unknown column%(hint)s: correct it, delete it, or keep it as 'attr.NAME'",
                hint=hint,
            )
        return told("unknown column%(hint)s: correct or delete it", hint=hint)


ITEMS = Known(told("items"), (*ITEM_COLUMNS, *REFERENCE_COLUMNS, _ATTRIBUTE), knows_column)


def _base(name: str) -> str:
    """`score` for score.NAME, and `rank`, which only items have, for references and attributes."""
    if name.startswith("score."):
        return "score"
    return "rank" if knows_column(name) and name not in ITEM_COLUMNS else name
