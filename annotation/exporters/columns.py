"""Which columns an export has, in which order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

Kind = Literal["text", "integer", "number", "time", "flag", "json", "list"]
LEVELS = ("item", "phrase", "substitution", "system", "output")
GOLD_DETAIL = ("_low", "_high", "_confidence")


class Column(NamedTuple):
    """A column: its heading, what its cells hold, and the key of its values in a row.

    `json` is any JSON value, `list` a list of texts; the others are what they say.
    """

    name: str
    kind: Kind = "text"
    key: str = ""

    @property
    def source(self) -> str:
        """The key under which a row holds the value."""
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
)


def annotator_columns(questions: Sequence[str]) -> tuple[Column, ...]:
    """Columns of an export of annotators: two for each background question, by its short name."""
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
    )


def item_columns(
    *,
    references: int = 0,
    attributes: Mapping[str, Iterable[str]] | None = None,
    copies: bool = False,
) -> tuple[Column, ...]:
    """Columns of an items export: `references` is the greatest number of an item's references,
    `attributes` the names that occur on each level (item, phrase, substitution, system, output);
    `copies`: some texts were made from others.
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
    )


def reference_name(number: int) -> str:
    """The heading of the reference of that number, from 1."""
    return "reference" if number == 1 else f"reference_{number}"


def attribute_name(level: str, name: str) -> str:
    """The heading of an attribute."""
    if level not in LEVELS:
        raise ValueError(f"level must be one of {', '.join(LEVELS)}, not {level!r}")
    return f"attr.{level}.{name}"


def item_record(
    values: Mapping[str, object],
    *,
    references: Sequence[str] = (),
    attributes: Mapping[str, Mapping[str, object]] | None = None,
) -> dict[str, object]:
    """A row for `item_columns`: `values` by column, the references and attributes spread out."""
    record = dict(values)
    for number, text in enumerate(references, start=1):
        record[reference_name(number)] = text
    for level, named in (attributes or {}).items():
        for name, value in named.items():
            record[attribute_name(level, name)] = value
    return record


def gold_columns(
    scales: Sequence[str], *, combined: Sequence[str] = (), detail: bool = False
) -> tuple[Column, ...]:
    """Columns of a gold export: for each scale S the columns `S`, `S_n`, `S_sd`, `S_method`.

    combined  names of combinations of scales: the same columns, behind `pass`
    detail    last, the interval and confidence of each value: `S_low`, `S_high`, `S_confidence`,
              and `pass_method`, `pass_confidence`
    Raises ValueError where the names of the scales make two columns of one name.
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
    """Columns of a matrix: one per annotator, its values under `annotator_key(code)` in a row.

    A code that is the name of another column gets underscores behind it.
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
    """The key of an annotator's value in a row of the matrix."""
    return f"annotator:{code}"
