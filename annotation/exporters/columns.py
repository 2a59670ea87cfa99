"""The columns of exports, in order; and rows that share most of their cells, as the judgments of a
text repeat its item and sentence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice, repeat
from typing import Any, Literal, NamedTuple

from paraanno.common.cells import escape


@dataclass(frozen=True, slots=True)
class RowBlock:
    """`shared` rows, each of which stands `times` as often, with cells of their `own`.

    `own` has a value for each row by the key of its column; no key is in both.
    """

    shared: Sequence[Mapping[str, object]]
    times: Sequence[int]
    own: Mapping[str, Sequence[object]]

    def __len__(self) -> int:
        return sum(self.times)

    def rows(self) -> Iterator[dict[str, object]]:
        cells = zip(*self.own.values(), strict=True)
        for row, n in zip(self.shared, self.times, strict=True):
            for own in islice(cells, n):
                yield {**row, **dict(zip(self.own, own, strict=True))}

    def column(self, key: str) -> Iterable[object]:
        """The value of each row; None where a shared row has no such key."""
        if key in self.own:
            return self.own[key]
        return self.repeated([row.get(key) for row in self.shared])

    def repeated(self, values: Iterable[Any]) -> Iterable[Any]:
        """The value of each shared row, as often as it stands."""
        return chain.from_iterable(map(repeat, values, self.times))


class RowBlocks:
    """Rows as any others, which writers take block by block."""

    def __init__(self, blocks: Iterable[RowBlock]) -> None:
        self.blocks = iter(blocks)

    def __iter__(self) -> Iterator[dict[str, object]]:
        for block in self.blocks:
            yield from block.rows()


Kind = Literal["text", "integer", "number", "time", "flag", "json", "list"]
# The columns themselves.


LEVELS = ("item", "phrase", "substitution", "system", "output")
GOLD_DETAIL = ("_low", "_high", "_confidence")


class Column(NamedTuple):
    """A column: its heading, the type of its cells, and the key of its values in a row.

    `json` is any JSON value, `list` a list of texts; the other types are self-explanatory.
    """

    name: str
    kind: Kind = "text"
    key: str = ""

    @property
    def source(self) -> str:
        """The key of the value in a row."""
        return self.key or self.name


_ITEM = (
    Column("item"),
    Column("phrase"),
    Column("sentence"),
    Column("start", "integer"),
    Column("end", "integer"),
    Column("paraphrase"),
)
_OWN = (
    Column("own_sentence"),
    Column("own_start", "integer"),
    Column("own_end", "integer"),
)

TEXT_KEY = Column("text_key")
LANGUAGE = Column("language")
EXCLUDED = (Column("excluded"), Column("excluded_reason"), Column("excluded_since", "time"))

JUDGMENT_COLUMNS: tuple[Column, ...] = (
    *_ITEM,
    Column("role"),
    Column("annotator"),
    Column("scale"),
    Column("value", "number"),
    Column("reason"),
    Column("occasion", "integer"),
    Column("kind"),
    Column("status"),
    Column("judged_at", "time"),
    Column("recorded_at", "time"),
    Column("guideline"),
    Column("comment"),
    *_OWN,
    Column("version", "integer"),
    Column("made_from"),
    TEXT_KEY,
    Column("systems", "list"),
    *EXCLUDED,
    LANGUAGE,
)


def annotator_columns(questions: Sequence[str]) -> tuple[Column, ...]:
    """Return the columns of an annotators export: two for each background question, by its
    short name.
    """
    return (
        Column("annotator"),
        Column("origin"),
        Column("not_blind_since", "time"),
        Column("consent_version", "integer"),
        Column("consented_at", "time"),
        Column("withdrawn_at", "time"),
        Column("erased", "flag"),
        *(
            column
            for name in questions
            for column in (Column(f"question.{name}"), Column(f"background.{name}", "json"))
        ),
        Column("declined", "list"),
        *EXCLUDED[1:],
    )


def item_columns(
    *,
    references: int = 0,
    attributes: Mapping[str, Iterable[str]] | None = None,
    copies: bool = False,
) -> tuple[Column, ...]:
    """Return the columns of an items export.

    `references` is the largest number of references of an item; `attributes` are the names that
    occur on each level (item, phrase, substitution, system, output); `copies` says whether some
    texts were made from others.
    """
    names = [reference_name(number) for number in range(1, references + 1)]
    attached = [
        Column(attribute_name(level, name), "json")
        for level in LEVELS
        for name in (attributes or {}).get(level, ())
    ]
    return (
        *_ITEM,
        Column("system"),
        Column("rank", "integer"),
        Column("role"),
        *_OWN,
        *(Column(name) for name in names),
        *attached,
        *([Column("made_from")] if copies else []),
        TEXT_KEY,
        LANGUAGE,
    )


def reference_name(number: int) -> str:
    """Return the heading of the reference with this number, from 1."""
    return "reference" if number == 1 else f"reference_{number}"


def attribute_name(level: str, name: str) -> str:
    """Return the heading of an attribute."""
    if level not in LEVELS:
        raise ValueError(f"level must be one of {', '.join(LEVELS)}, not {level!r}")
    return f"attr.{level}.{name}"


def item_record(
    values: Mapping[str, object],
    *,
    references: Sequence[str] = (),
    attributes: Mapping[str, Mapping[str, object]] | None = None,
) -> dict[str, object]:
    """Return a row for `item_columns`: `values` by column, with references and attributes
    spread out.
    """
    record = dict(values)
    for number, text in enumerate(references, start=1):
        record[reference_name(number)] = text
    for level, named in (attributes or {}).items():
        for name, value in named.items():
            record[attribute_name(level, name)] = value
    return record


def gold_columns(
    scales: Sequence[str],
    *,
    combined: Sequence[str] = (),
    detail: bool = False,
    labels: Mapping[str, Sequence[float]] | None = None,
    units: Sequence[str] = (),
) -> tuple[Column, ...]:
    """Return the columns of a gold export: `S`, `S_n`, `S_sd`, `S_method` for each scale S.

    combined  names of combinations of scales: the same columns, after `pass`
    detail    at the end, the interval and confidence of each value: `S_low`, `S_high`,
              `S_confidence`, and `pass_method`, `pass_confidence`
    units     names of scales whose values are given from 0 to 1 too: `S_unit`, after these
    labels    values of nominal scales, of which a model gives probabilities: `S_p_VALUE`, last

    Raises ValueError if the names of the scales give two columns the same name.
    """
    columns = [*_ITEM, Column("role"), *_OWN, Column("systems", "list")]
    columns += [column for scale in scales for column in _gold_of(scale)]
    columns.append(Column("pass", "flag"))
    columns += [column for name in combined for column in _gold_of(name)]
    if detail:
        columns += [
            Column(f"{name}{suffix}", "number")
            for name in (*scales, *combined)
            for suffix in GOLD_DETAIL
        ]
        columns += [Column("pass_method"), Column("pass_confidence", "number")]
    columns += [Column(f"{name}_unit", "number") for name in units]
    columns += [
        Column(f"{scale}_p_{value:.12g}", "number")
        for scale, values in (labels or {}).items()
        for value in values
    ]
    columns += [TEXT_KEY, LANGUAGE]
    names = [column.name for column in columns]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"two columns would be named {', '.join(twice)}: rename a scale")
    return tuple(columns)


def _gold_of(name: str) -> tuple[Column, ...]:
    return (
        Column(name, "number"),
        Column(f"{name}_n", "integer"),
        Column(f"{name}_sd", "number"),
        Column(f"{name}_method"),
    )


def matrix_columns(annotators: Sequence[str]) -> tuple[Column, ...]:
    """Return the columns of a matrix: one per annotator, with its values under
    `annotator_key(code)`.

    A code equal to the name of another column gets trailing underscores.
    """
    columns = [Column("substitution"), Column("item"), Column("phrase")]
    taken = {column.name for column in columns} | set(annotators)
    for code in annotators:
        name = code
        if name in ("substitution", "item", "phrase"):
            while name in taken:
                name += "_"
            taken.add(name)
        columns.append(Column(name, "number", annotator_key(code)))
    return tuple(columns)


def annotator_key(code: str) -> str:
    """Return the key of an annotator's value in a row of the matrix."""
    return f"annotator:{code}"


# Formatting of values in files.


# Sorted: of the names in an object PostgreSQL keeps another order than SQLite.
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True
)


def plain_number(value: float) -> int | float:
    """Return a whole float as an int, so that 5.0 is written as 5.

    Raises ValueError for NaN and infinities: an undefined value is None.
    """
    if isinstance(value, int):
        return value
    if value != value or value in (float("inf"), float("-inf")):
        raise ValueError(f"{value} cannot be exported: an undefined value is None")
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def time_text(moment: datetime) -> str:
    """Return the time in ISO 8601 with zone; raises ValueError for a time without one."""
    if moment.tzinfo is None:
        raise ValueError(f"the time {moment} has no zone")
    return moment.isoformat()


def json_text(value: object) -> str:
    """Return compact JSON, not limited to ASCII."""
    return _ENCODER.encode(value)


def cell_text(value: object, *, raw: bool) -> str:
    """Return a value as a cell of CSV or TSV; None is the empty cell."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value if raw else escape(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(plain_number(value))
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, list | tuple) and all(isinstance(part, str) for part in value):
        return cell_text("|".join(value), raw=raw)
    return json_text(value)
