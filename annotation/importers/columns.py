"""The span of a record's phrase in its sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeVar

from paraanno.common.cells import MAX_NAME, Cells, Columns, check_json
from paraanno.common.texts import (
    Sentence,
    TextError,
    clean_text,
    find_spans,
    nfc_offset,
    say,
    shown,
)

Identity = tuple[str, str, int, int]


class Place(NamedTuple):
    """The values that identify an item. `sentence[start:end] == phrase`, in code points of the
    NFC text.
    """

    phrase: str
    sentence: str
    start: int
    end: int


class OwnPlace(NamedTuple):
    """A sentence of the substitution's own, with the span that the text replaces."""

    sentence: str
    start: int
    end: int


def read_place(cells: Cells) -> Place | None:
    """Return the place given by `phrase`, `sentence`, `start` and `end`; None if they are
    invalid.

    Without phrase and span, the place is the full sentence. A phrase without a sentence is the
    sentence. `start` is needed if the phrase occurs more than once; `end` is optional with a
    phrase.
    """
    phrase, sentence = cells.text("phrase"), cells.text("sentence")
    start, end = cells.integer("start"), cells.integer("end")
    if cells.failed:
        return None
    if sentence is None:
        if phrase is None:
            cells.fail("sentence", say("there is neither a sentence nor a phrase: give one"))
            return None
        if start is None and end is None:
            return Place(phrase, phrase, 0, len(phrase))
        sentence = phrase
    column = "sentence" if "sentence" in cells.values else "phrase"
    if start is None and end is None:
        if phrase is None:
            return Place(sentence, sentence, 0, len(sentence))
        return _find(cells, phrase, sentence)
    return _check(cells, phrase, sentence, _span(cells, column, phrase, start, end))


def _find(cells: Cells, phrase: str, sentence: str) -> Place | None:
    if phrase == sentence:
        return Place(phrase, sentence, 0, len(sentence))
    at = sentence.find(phrase)
    if at >= 0 and sentence.find(phrase, at + 1) < 0:
        return Place(phrase, sentence, at, at + len(phrase))
    if at < 0:
        other = sentence.lower().find(phrase.lower()) >= 0
        where = say("only in different case") if other else say("nowhere")
        cells.fail(
            "phrase",
            say(
                "%(phrase)s occurs %(where)s in the sentence: correct one of the two",
                phrase=shown(phrase),
                where=where,
            ),
        )
        return None
    spans = find_spans(phrase, sentence)
    listed = ", ".join(f"{start}-{end}" for start, end in spans[:5])
    more = ", ..." if len(spans) > 5 else ""
    n = len(spans)
    often = say("%(n)s times", n=n) if n < 100 else say("%(n)s times or more", n=100)
    cells.fail(
        "start",
        say(
            "%(phrase)s occurs %(often)s in the sentence (%(listed)s%(more)s): give start and end "
            "of the one that is meant",
            phrase=shown(phrase),
            often=often,
            listed=listed,
            more=more,
        ),
    )
    return None


def _span(
    cells: Cells, column: str, phrase: str | None, start: int | None, end: int | None
) -> tuple[int, int] | None:
    """Return the given span, converted to the NFC text of `column`."""
    text = cells.values.get(column)
    if not isinstance(text, str):
        return None
    if start is None:
        cells.fail("start", say("is empty although end is given: give both or none"))
        return None
    first = _moved(cells, "start", text, start)
    if end is None:
        if phrase is None:
            cells.fail("end", say("is empty although start is given: give both or none"))
            return None
        return None if first is None else (first, first + len(phrase))
    last = _moved(cells, "end", text, end)
    if first is None or last is None:
        return None
    if first >= last:
        cells.fail(
            "end",
            say(
                "the span %(start)s-%(end)s is empty: end must be greater than start",
                start=start,
                end=end,
            ),
        )
        return None
    return first, last


def _moved(cells: Cells, column: str, text: str, offset: int) -> int | None:
    if offset > len(text):
        cells.fail(
            column,
            say(
                "%(offset)s lies beyond the text, which has %(n)s characters (from 0): correct "
                "it, or leave it out where the phrase occurs once",
                offset=offset,
                n=len(text),
            ),
        )
        return None
    moved = nfc_offset(text, offset)
    if moved is None:
        cells.fail(
            column,
            say(
                "%(offset)s lies inside a composed character: move it before or after",
                offset=offset,
            ),
        )
    return moved


def _check(
    cells: Cells, phrase: str | None, sentence: str, span: tuple[int, int] | None
) -> Place | None:
    if span is None:
        return None
    start, end = span
    there = sentence[start:end]
    if phrase is not None and there != phrase:
        spans = find_spans(phrase, sentence, 5)
        listed = ", ".join(f"{first}-{last}" for first, last in spans)
        where = say("it does not occur in the sentence")
        if listed:
            where = say("it occurs at %(listed)s", listed=listed)
        cells.fail(
            "start",
            say(
                "the sentence has %(there)s at %(start)s-%(end)s, the phrase is %(phrase)s "
                "(%(where)s; counted in characters from 0, end excluded): correct start and end",
                there=shown(there),
                start=start,
                end=end,
                phrase=shown(phrase),
                where=where,
            ),
        )
        return None
    return Place(there, sentence, start, end)


def read_own_place(cells: Cells, paraphrase: str | None) -> OwnPlace | None:
    """Return the optional own sentence of a substitution: `own_sentence`, `own_start`,
    `own_end`.

    Without a span, the paraphrase must occur in it exactly once.
    """
    sentence = cells.text("own_sentence")
    start, end = cells.integer("own_start"), cells.integer("own_end")
    if cells.failed or (sentence is None and start is None and end is None):
        return None
    if sentence is None or paraphrase is None:
        cells.fail(
            "own_sentence",
            say(
                "own_sentence, own_start, own_end need a text and a paraphrase: give both, or "
                "empty them"
            ),
        )
        return None
    raw = cells.values["own_sentence"]
    if start is None and end is None:
        spans = find_spans(paraphrase, sentence, 2)
        if len(spans) == 1:
            return OwnPlace(sentence, *spans[0])
        cells.fail(
            "own_start",
            say("the paraphrase does not occur exactly once in own_sentence: give the span"),
        )
        return None
    if start is None or end is None or not isinstance(raw, str):
        cells.fail(
            "own_start",
            say("one end of the span is missing: give both own_start and own_end, or none"),
        )
        return None
    first, last = _moved(cells, "own_start", raw, start), _moved(cells, "own_end", raw, end)
    if first is None or last is None:
        return None
    if first >= last:
        cells.fail("own_end", say("the span is empty: own_end must be greater than own_start"))
        return None
    return OwnPlace(sentence, first, last)


# Columns `attr.NAME`: data of the file that is stored but not interpreted.


LEVELS = ("item", "phrase", "substitution", "system", "output")
Attributes = Mapping[str, Mapping[str, object]]
NO_ATTRIBUTES: Attributes = MappingProxyType({})


@lru_cache(maxsize=4096)
def split_attribute(column: str) -> tuple[str | None, str] | None:
    """Split `attr.LEVEL.NAME` or `attr.NAME` (level None); return None for other columns."""
    if not column.startswith("attr."):
        return None
    level, dot, name = column[5:].partition(".")
    if not dot or level not in LEVELS:
        level, name = "", column[5:]
    try:
        name = clean_text(name.strip())
    except TextError:
        return None
    return (level or None, name) if 0 < len(name) <= MAX_NAME else None


def read_attributes(
    cells: Cells, columns: tuple[str, ...], paraphrase: str | None, system: str | None
) -> Attributes:
    """Return the attributes of a record by level; only levels that have some.

    Without a level in its name, an attribute belongs to the output if the record has a system, else
    to the substitution if it has a paraphrase, else to the item.
    """
    default = "output" if system is not None else "substitution" if paraphrase else "item"
    needs = {"output": system, "system": system, "substitution": paraphrase}
    attributes: dict[str, dict[str, object]] = {}
    for column in columns:
        parts = split_attribute(column)
        if parts is None:
            continue
        level = parts[0] or default
        if needs.get(level, "") is None:
            cells.fail(
                column,
                say("the line has no %(level)s that could carry it: empty the cell", level=level),
            )
            continue
        value = cells.values[column]
        if not _storable(cells, column, value):
            continue
        if attributes.setdefault(level, {}).setdefault(parts[1], value) != value:
            cells.fail(column, say("is given twice with different values: keep one"))
    return attributes or NO_ATTRIBUTES


def _storable(cells: Cells, column: str, value: object) -> bool:
    if type(value) is str and value.isascii() and "\0" not in value:
        return True
    try:
        check_json(value)
    except TextError as error:
        cells.fail(column, error.message)
        return False
    return True


# Columns of a campaign's files, and how to recognise the kind of a file.


# The columns by which a record of judgments, gold or scores names its text.
TARGET_COLUMNS = (
    "item",
    "phrase",
    "sentence",
    "start",
    "end",
    "paraphrase",
    "role",
    "own_sentence",
    "own_start",
    "own_end",
)
# Columns of our exports that are only informative: they follow from the others.
INFORMATIVE = (
    "text_key",
    "systems",
    "excluded",
    "excluded_reason",
    "excluded_since",
    "language",
)
ITEM_COLUMNS = (*TARGET_COLUMNS, "system", "rank", "made_from", "text_key", "language")
REFERENCE_COLUMNS = ("reference", "reference_2", "references", "phrase_reference")
_REFERENCE = re.compile(r"(?:phrase_)?reference_([2-9]|[1-9][0-9]{1,3})")
PHRASE_REFERENCE = "phrase_reference"  # What stands in place of the phrase.
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
        or column in ("reference", "references", PHRASE_REFERENCE)
        or _REFERENCE.fullmatch(column) is not None
        or split_attribute(column) is not None
    )


@dataclass(frozen=True, kw_only=True)
class FileColumns(Columns):
    """The columns of one kind of file."""

    kind: Sentence

    @classmethod
    def fixed(cls, kind: Sentence, words: tuple[str, ...]) -> FileColumns:
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
            foreign = [name for name in unknown if _base(name) in signs]
            if foreign and other != self.kind:
                return say(
                    "this looks like a file of %(other)s (it has %(found)s): import it as "
                    "%(other)s%(command)s; the columns of a file of %(kind)s are %(words)s",
                    other=other,
                    found=", ".join(shown(name) for name in foreign[:MOST_FOUND]),
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


ITEMS = FileColumns(
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


# What a reader remembers of the rows before.


V = TypeVar("V")


class Memory(Protocol[V]):
    """The part of a dictionary that readers use: `dict`, or for large files `DiskDict`."""

    def get(self, key: Any, default: Any = None, /) -> Any: ...

    def setdefault(self, key: Any, value: V, /) -> V: ...

    def __setitem__(self, key: Any, value: V, /) -> None: ...


NewMemory = Callable[[], Memory[Any]]
