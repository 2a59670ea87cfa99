"""What the columns of somebody's table are, as a value that can be kept in a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from annotation.importers.tables.books import Join, place_of
from annotation.importers.tables.opening import unknown_encoding, writes_text
from paraanno.common.cells import did_you_mean
from paraanno.common.texts import Sentence, SentenceError, joined, say, shown

# The parts of a mapping's JSON, each checked.


MOST_NAME = 200
MOST_HEAD = 3  # rows
MOST_LISTED = 500  # questions, steps, scales or words of one mapping


class MapError(SentenceError):
    """A mapping that cannot be used."""


def none_of(key: str, value: object, allowed: tuple[str, ...]) -> Sentence:
    """Return that a value is none of those that are known."""
    hint = did_you_mean(str(value), allowed)
    return say(
        "%(key)s: %(value)s is none of %(known)s%(hint)s: use one of these",
        key=key,
        value=shown(str(value)),
        known=", ".join(allowed) or "nothing",
        hint=hint,
    )


def text(key: str, value: object, most: int = MOST_NAME) -> str | None:
    """Return a text of at most `most` characters, or None."""
    if value is None:
        return None
    if not isinstance(value, str) or len(value) > most or "\0" in value:
        raise MapError(
            say(
                "%(key)s must be a text of at most %(most)s characters: shorten it",
                key=key,
                most=most,
            )
        )
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


def sheet_names(given: object) -> tuple[str, ...]:
    """Return the names of the sheets that are read together."""
    if not isinstance(given, list) or len(given) > MOST_LISTED:
        raise MapError(say("sheets must be a list of names: write []"))
    return tuple(one for one in (text("sheets", each) for each in given) if one)


def join_of(given: object) -> Join | None:
    """Return how two sheets are joined."""
    if given is None:
        return None
    wrong = MapError(say("join must be null, or name ratings, head, texts, texts_head and keys"))
    more = {"wide", "label", "made_by"}
    if not isinstance(given, Mapping) or {*given} - more != {*Join.__dataclass_fields__} - more:
        raise wrong
    keys, names = given["keys"], (given["ratings"], given["texts"])
    pairs, wide = _pairs(keys), _pairs(given.get("wide") or [])
    label = given.get("label") or ""
    if not pairs or wide is None or not all(isinstance(name, str) for name in (*names, label)):
        raise wrong
    placed = [one for pair in pairs for one in pair] + [one for one, _ in wide]
    placed += [label] if wide else []
    if any(place_of(one) is None for one in placed):
        raise wrong
    rows, texts_rows = head(given["head"]), head(given["texts_head"])
    made_by = join_of(given.get("made_by"))
    return Join(*names, rows, texts_rows, pairs, wide, label, made_by)


def _pairs(given: object) -> tuple[tuple[str, str], ...] | None:
    """Return a list of two texts each; None for something else."""
    pairs = given if isinstance(given, list) and len(given) <= MOST_LISTED else None
    if pairs is None or not all(isinstance(one, list) and len(one) == 2 for one in pairs):
        return None
    return tuple((str(one), str(two)) for one, two in pairs)


def words_of(given: object) -> dict[str, dict[str, float | None]]:
    """Return the points of words, by scale ("": of all scales)."""
    if not isinstance(given, Mapping) or len(given) > MOST_LISTED:
        raise MapError(say("%(key)s must be an object: write {...}", key="words"))
    words: dict[str, dict[str, float | None]] = {}
    for scale, points in given.items():
        if not isinstance(points, Mapping) or len(points) > MOST_LISTED:
            raise MapError(say("%(key)s must be an object: write {...}", key="words"))
        for word, point in points.items():
            if point is not None and type(point) not in (int, float):
                raise MapError(
                    say(
                        'words: %(word)s has no number: write one, or null for "cannot judge"',
                        word=shown(str(word)),
                    )
                )
        words[str(scale)] = {
            str(word): None if point is None else float(point) for word, point in points.items()
        }
    return words


def steps_of(given: object) -> tuple[Mapping[str, Any], ...]:
    """Return the repairs, which are objects with the name of a step; each checks its own."""
    good = isinstance(given, list) and len(given) <= MOST_LISTED
    steps = list(given) if isinstance(given, list) else []
    if not good or not all(isinstance(one, Mapping) and "step" in one for one in steps):
        raise MapError(say("steps must be a list of objects with the name of a step: write []"))
    return tuple(dict(one) for one in steps)


VERSION = 1
KINDS = ("items", "judgments", "gold")
_TARGET = ("item", "sentence", "phrase", "paraphrase", "start", "end", "role")
_OWN = ("own_sentence", "own_start", "own_end")
# Roles that need `of`: the name of a system, a scale or an annotator.
OF = ("output_of", "value_of", "voice_of", "n_of", "sd_of", "method_of")
ROLES_OF_KIND: dict[str, tuple[str, ...]] = {
    "items": (
        *_TARGET,
        *_OWN,
        "system",
        "rank",
        "output_of",
        "reference",
        "phrase_reference",
        "language",
        "made_from",
        "attr",
    ),
    "judgments": (
        *_TARGET,
        "displayed",
        *_OWN,
        "annotator",
        "scale",
        "value",
        "value_of",
        "voice_of",
        "reason",
        "occasion",
        "comment",
        "judged_at",
        "kind",
        "status",
        "recorded_at",
        "guideline",
    ),
    "gold": (*_TARGET, *_OWN, "value_of", "n_of", "sd_of", "method_of"),
}
IGNORE = "ignore"
MANY = (*OF, "reference", "phrase_reference", "attr", IGNORE)  # roles that several columns may have
FIXED = {
    "items": ("system", "language"),
    "judgments": ("annotator", "scale"),
    "gold": (),
}
OPTIONS = ("any_case", "first_place", "fill_down", "skip_incomplete")
MOST_COLUMNS = 500
# A question that a name, which an import takes beside the mapping, answers too.
NOBODY = say(
    "nobody is named who judged: choose a column, name the annotator, or import them as anonymous"
)
BARE = ("column", "name", "role")  # of a column, which its JSON always has


@dataclass(frozen=True, slots=True)
class MapColumn:
    """One column: its letters, its name in the file, and what it is.

    `of` names the system, scale or annotator of a role in `OF`, and the attribute of `attr`;
    `scale` that of an annotator's values. `ask`: somebody should look first.
    """

    column: str
    name: str
    role: str = IGNORE
    of: str = ""
    scale: str = ""
    ask: bool = False

    @property
    def label(self) -> str:
        """The column as its owner knows it: its name and letters."""
        return f"{self.name} ({self.column})" if self.name else self.column


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """The roles of a table's columns, and how the table is read.

    `form` names the tool that wrote the file (tools), and `steps` are the repairs that come before
    everything else (steps.py). `head` are the rows with the names of the columns, none to three,
    whose cells complete each other; (0,) where the file names its columns itself. `fixed` gives
    values that the file does not have, `words` the points of words by scale ("": of all scales;
    None: cannot judge), and `scales` the scales of labels in a column of scales. `ask` are
    questions about the whole table. `sheets` are those that are read as one where `sheet` is "*",
    or "+", where `join` says how judgments and texts are joined.

    Options: `any_case` finds a phrase written in another case; `first_place` takes the first of
    several places of a phrase; `fill_down` repeats a sentence that stands only in the first of its
    rows; `skip_incomplete` leaves out rows without a text, with a warning.
    """

    what: str
    columns: tuple[MapColumn, ...]
    head: tuple[int, ...] = (1,)
    sheet: str = ""
    encoding: str | None = None
    delimiter: str | None = None
    decimal: str = "."
    fixed: Mapping[str, str] = field(default_factory=dict)
    any_case: bool = False
    first_place: bool = False
    fill_down: bool = False
    skip_incomplete: bool = False
    form: str = ""
    steps: tuple[Mapping[str, Any], ...] = ()
    words: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    scales: Mapping[str, str] = field(default_factory=dict)
    ask: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    join: Join | None = None

    def role(self, role: str) -> list[MapColumn]:
        """Return the columns with this role."""
        return [one for one in self.columns if one.role == role]

    def has(self, *roles: str) -> bool:
        """Whether a column or a fixed value has one of the roles."""
        return any(one.role in roles for one in self.columns) or any(
            role in self.fixed for role in roles
        )

    def missing(self) -> list[Sentence]:
        """Return what has to be chosen before the table can be read."""
        problems: list[Sentence] = []
        shown = self.has("displayed")
        names = ("sentence", "phrase", *(() if self.what == "items" else ("item",)))
        if not shown and not self.has(*names):
            problems.append(
                say("no column holds the sentence or the phrase: choose one")
                if self.what == "items"
                else say("no column names the text (its id, sentence or phrase): choose one")
            )
        if self.what != "items" and not shown and not self.has("paraphrase"):
            problems.append(say("no column holds the paraphrase that was judged: choose one"))
        if self.what == "judgments":
            if not self.has("value", "value_of", "voice_of"):
                problems.append(say("no column holds the judgments: choose one"))
            elif not self.has("scale") and any(
                one.role == "value" or (one.role == "voice_of" and not one.scale)
                for one in self.columns
            ):
                problems.append(
                    say(
                        "no column names the scale of the judgments: choose one, or one "
                        "scale for all"
                    )
                )
        if self.what == "gold" and not self.has("value_of"):
            problems.append(say("no column holds the values of a scale: choose one"))
        return problems

    def waits(self, *, named: bool = False) -> list[Sentence]:
        """Return what somebody should look at before the table is imported. `named`: the annotator
        is given beside the mapping, or said to be unknown."""
        named = named or self.has("annotator", "voice_of")
        return [
            *(
                say("it is not certain what column %(column)s holds", column=one.label)
                for one in self.columns
                if one.ask
            ),
            *(
                say("%(question)s", question=one)
                for one in self.ask
                if not (named and one == NOBODY)
            ),
        ]

    def sure(self) -> ColumnMap:
        """Return the mapping without its questions: somebody accepts what was guessed."""
        columns = tuple(replace(one, ask=False) for one in self.columns)
        return replace(self, columns=columns, ask=())

    def to_json(self) -> dict[str, Any]:
        """Return the mapping as JSON; `from_json` is the inverse."""
        return {
            "version": VERSION,
            **asdict(self),
            "columns": [
                {key: value for key, value in asdict(one).items() if value or key in BARE}
                for one in self.columns
            ],
            "head": list(self.head),
            "fixed": dict(self.fixed),
            "steps": [dict(one) for one in self.steps],
            "words": {scale: dict(points) for scale, points in self.words.items()},
            "scales": dict(self.scales),
            "ask": list(self.ask),
            "sheets": list(self.sheets),
            "join": None if self.join is None else self.join.to_json(),
        }

    def with_roles(self, chosen: Mapping[str, tuple[str, str]]) -> ColumnMap:
        """Return the mapping with other roles: (role, of) by the letters of the columns."""
        columns = tuple(
            replace(one, role=chosen[one.column][0], of=chosen[one.column][1], ask=False)
            if one.column in chosen
            else one
            for one in self.columns
        )
        return ColumnMap.from_json({**self.to_json(), "columns": [asdict(one) for one in columns]})

    @classmethod
    def from_json(cls, data: object) -> ColumnMap:
        """Read a mapping. Raises MapError, which names what is wrong and what is known."""
        if not isinstance(data, Mapping):
            raise MapError(say("the mapping is not a JSON object: make one with inspect_table"))
        fields = {"version", *cls.__dataclass_fields__}
        for key in data:
            if key not in fields:
                raise MapError(
                    say(
                        "the mapping has an unknown key %(key)s%(hint)s: correct or delete it",
                        key=shown(str(key)),
                        hint=did_you_mean(str(key), fields),
                    )
                )
        if data.get("version", VERSION) != VERSION:
            raise MapError(say("the mapping is of another version: make one with inspect_table"))
        what = data.get("what")
        if what not in KINDS:
            raise MapError(none_of("what", what, KINDS))
        fixed = texts("fixed", data.get("fixed") or {})
        for role in fixed:
            if role not in FIXED[what]:
                raise MapError(none_of("fixed", role, FIXED[what]))
        decimal = _decimal(data.get("decimal"))
        return cls(
            what,
            _columns(what, data.get("columns")),
            head(data.get("head", [1])),
            text("sheet", data.get("sheet")) or "",
            encoding(data.get("encoding")),
            delimiter(data.get("delimiter")),
            decimal,
            fixed,
            **_options(data),
            form=text("form", data.get("form")) or "",
            steps=steps_of(data.get("steps") or []),
            words=words_of(data.get("words") or {}),
            scales=texts("scales", data.get("scales") or {}),
            ask=questions(data.get("ask") or []),
            sheets=sheet_names(data.get("sheets") or []),
            join=join_of(data.get("join")),
        )


def _options(data: Mapping[str, Any]) -> dict[str, bool]:
    options = {name: data.get(name, False) for name in OPTIONS}
    for name, value in options.items():
        if not isinstance(value, bool):
            raise MapError(none_of(name, value, ("true", "false")))
    return options


def _decimal(given: object) -> str:
    if given not in (None, ".", ","):
        raise MapError(none_of("decimal", given, (".", ",")))
    return str(given or ".")


def _columns(what: str, given: object) -> tuple[MapColumn, ...]:
    if not isinstance(given, list) or not 0 < len(given) <= MOST_COLUMNS:
        raise MapError(
            say(
                "columns must be a list of 1 to %(most)s objects: make one with inspect_table",
                most=MOST_COLUMNS,
            )
        )
    columns: dict[str, MapColumn] = {}
    roles: dict[tuple[str, str], str] = {}
    for one in given:
        column = _column(what, one)
        if column.column in columns:
            raise MapError(say("column %(column)s is given twice: keep one", column=column.column))
        columns[column.column] = column
        key = (column.role, f"{column.of} {column.scale}".strip() if column.role in MANY else "")
        if column.role in (IGNORE, "reference", "phrase_reference") or (
            column.role == "attr" and not column.of
        ):
            continue
        other = roles.setdefault(key, column.column)
        if other != column.column:
            raise MapError(
                say(
                    "columns %(first)s and %(second)s have the same role %(role)s: keep one",
                    first=other,
                    second=column.column,
                    role=" ".join(key).strip(),
                )
            )
    return tuple(columns.values())


def _column(what: str, one: object) -> MapColumn:
    if not isinstance(one, Mapping):
        raise MapError(
            say("an entry of columns is not an object: write it with column, name and role")
        )
    fields = tuple(MapColumn.__dataclass_fields__)
    if strange := [key for key in one if key not in fields]:
        raise MapError(none_of("columns", strange[0], fields))
    letters = text("column", one.get("column")) or ""
    name = text("name", one.get("name")) or ""
    if place_of(letters) is None:
        raise MapError(
            say("%(column)s is no column: write its letters, as A or BC", column=shown(letters))
        )
    role, of = one.get("role", IGNORE), (text("of", one.get("of")) or "").strip()
    allowed = (*ROLES_OF_KIND[what], IGNORE)
    if role not in allowed:
        raise MapError(
            joined(": ", [say("column %(column)s", column=letters), none_of("role", role, allowed)])
        )
    if role in OF and not of:
        raise MapError(
            say(
                'column %(column)s: %(role)s needs "of", the name of the system, scale or '
                "annotator",
                column=letters,
                role=role,
            )
        )
    return MapColumn(
        letters.upper(),
        name,
        role,
        of,
        (text("scale", one.get("scale")) or "").strip(),
        one.get("ask") is True,
    )
