"""What recognisers of other tools' files share: what one says of a file, its rows as records, texts
as the tool showed them, and texts with people's answers: their points, and which time a person
answers.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Protocol, TypeVar

from annotation.importers.tables.books import Book, Cell, Coded, Row, TableError, is_empty
from annotation.importers.tables.heads import named_head
from annotation.importers.tables.names import concepts, plain_name, roles_named, scale_named
from paraanno.common.cells import read_number
from paraanno.common.texts import Sentence, say, shown


@dataclass(frozen=True, slots=True)
class ToolColumn:
    """A column of the plain table: its role with `of` and `scale` (as in a `MapColumn`), and why.

    `ask`: somebody should look. With the role `ignore`, `reason` is the harmless reason.
    """

    name: str
    role: str
    reason: Sentence
    of: str = ""
    scale: str = ""
    ask: bool = False


@dataclass(frozen=True, slots=True)
class ToolTable:
    """A file of a tool as a plain table.

    `rows` reads it anew each time: row 0 holds the names of `columns`, the others plain cells with
    the numbers by which the file's owner finds them. `what` is items, judgments or gold. `left_out`
    are pieces that are not read and are no column ("3 texts": "skipped"); `asks` keep the import
    waiting, and `refused` says what is missing in a file that cannot be imported. `legends` are
    the questions by the columns of their answers.
    """

    tool: str
    what: str
    columns: tuple[ToolColumn, ...]
    rows: Callable[[], Iterator[Row]]
    left_out: tuple[tuple[Sentence, Sentence], ...] = ()
    asks: tuple[Sentence, ...] = ()
    refused: Sentence | None = None
    fixed: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    legends: Mapping[str, str] = field(default_factory=dict)


# The opened file, what is wanted of it (None: the likelier), and the scales of the campaign.
Recogniser = Callable[[Book, str | None, Sequence[str]], ToolTable | None]


# The points that answers say: numbers, and words that begin or end with one.


_FIRST = re.compile(r"\s*[(\[]?\s*([+-]?[0-9]{1,3}(?:[.,][0-9]+)?)(?![0-9.,]*[0-9])")
_LAST = re.compile(r"(?<![0-9.,])([+-]?[0-9]{1,3}(?:[.,][0-9]+)?)\s*[)\]점分点]?\s*$")
_ANY = re.compile(r"[0-9]+")


def points_of(values: Iterable[Cell]) -> Mapping[str, float] | None:
    """Return the points of the words among the answers to one question; {} if all are numbers, None
    if some word says no number, or two say the same one."""
    words = {_word(value) for value in values if not is_empty(value)}
    other = [word for word in words if _number(word) is None]
    if not other:
        return {}
    for pattern in (_FIRST, _LAST):
        points = {word: _number_in(pattern, word) for word in other}
        if any(point is None for point in points.values()):
            continue
        if len(set(points.values())) == len(points):
            return {word: point for word, point in points.items() if point is not None}
    return None


def _number_in(pattern: re.Pattern[str], word: str) -> float | None:
    match = pattern.search(word) if pattern is _LAST else pattern.match(word)
    if match is None or len(_ANY.findall(word)) > 1 + ("." in match[1] or "," in match[1]):
        return None
    return float(match[1].replace(",", "."))


def _word(value: Cell) -> str:
    return value.label.strip() if isinstance(value, Coded) else str(value).strip()


def _number(word: str) -> float | None:
    return read_number(word, ".")


def number_of(value: Cell, points: Mapping[str, float] | None) -> Cell:
    """Return the answer as a number where it says one; else as it stands."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    word = _word(value)
    if points and word in points:
        return points[word]
    number = _number(word)
    return word if number is None else number


def plain(value: object) -> Cell:
    """Return a value of JSON as a cell."""
    if value is None or isinstance(value, str | bool | int | float | Coded):
        return value
    return json.dumps(value, ensure_ascii=False)


# Texts with people's answers, as recognisers read them from any tool's file.


# What scales are mostly called; a campaign's own scales decide later, when a column gets its scale.
COMMON = ("MEANING", "GRAMMAR", "adequacy", "fluency", "simplicity", "similarity")
# What questions for remarks are called, beside the names of a column of comments.
REMARKS = {
    "explanation",
    "rationale",
    "justification",
    "feedback",
    "reason",
    "why",
    "begrundung",
    "justificacion",
    "raison",
    "이유",
    "설명",
    "理由",
}
# Why a text has no judgment although the file has something of it.
SKIPPED = say("skipped: a skip is no judgment")
DRAFT = say("a draft that was never handed in")
DISCARDED = say("discarded by the annotator")
REJECTED = say("rejected by the requester")


@dataclass(frozen=True, slots=True)
class Answered:
    """A text, and what one person answered about it.

    `data` are the file's own fields of the text, `answers` the values by question. `line` is the
    number by which the file's owner finds it. `why`: the answers do not count.
    """

    line: int
    data: Mapping[str, Cell]
    annotator: str = ""
    answers: Mapping[str, Cell] = field(default_factory=dict)
    comment: str = ""
    judged_at: str = ""
    why: Sentence | None = None

    @property
    def counts(self) -> bool:
        """Whether there are answers, and they count."""
        return self.why is None and any(not is_empty(value) for value in self.answers.values())


@dataclass(frozen=True, slots=True)
class Tool:
    """What a recogniser knows of its file beside the answers.

    `set_aside` are fields of the texts that are not read, with the harmless reason; `left_out` and
    `asks` as in a `ToolTable`. `roles` are fields whose role is certain.
    """

    name: str
    set_aside: Mapping[str, Sentence] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[tuple[Sentence, Sentence], ...] = ()
    asks: tuple[Sentence, ...] = ()
    no_texts: Sentence | None = None  # what to do about a file without texts


Records = Callable[[], Iterator[Answered]]


def like_scale(name: str) -> bool:
    """Whether a name is one of a scale, in any campaign."""
    return scale_named(name, COMMON) is not None


def like_remark(name: str) -> bool:
    """Whether a name is one of a question for a remark."""
    words = plain_name(name)
    return roles_named(name)[:1] == ("comment",) or bool({words, *words.split()} & REMARKS)


# Which time a person answers about a text.


class Occasions:
    """Equal answers are doubles; others of the same person about the same text are occasions, in
    the order of their times."""

    def __init__(self, records: Records, keys: Sequence[str]) -> None:
        self.keys = keys  # the fields that name the text
        times: dict[int, dict[int, str]] = {}
        for one in records():
            if one.counts and one.annotator:
                times.setdefault(self._text(one), {}).setdefault(_row_of(one), one.judged_at)
        self.places = {
            row: at
            for rows in times.values()
            if len(rows) > 1
            for at, row in enumerate(sorted(rows, key=lambda row: rows[row]), 1)
        }
        self.rows: set[int] = set()

    def _text(self, one: Answered) -> int:
        return hash((tuple(str(one.data.get(name)) for name in self.keys), one.annotator))

    def of(self, one: Answered) -> int | None:
        """Return which time the person answers about the text; None for the same row again."""
        if not one.annotator:
            return 1
        row = _row_of(one)
        if row in self.rows:
            return None
        self.rows.add(row)
        return self.places.get(row, 1)


def _row_of(one: Answered) -> int:
    return hash((key_of(one.data), one.annotator, key_of(one.answers), one.comment, one.judged_at))


def key_of(values: Mapping[str, Cell]) -> tuple[str, ...]:
    """Return what equal values have in common."""
    return tuple(f"{name}={value}" for name, value in sorted(values.items()))


# Rows of an opened file as records.


DEEPEST = 4
MOST = 200  # values of one record


def names_of(book: Book, sheet: str) -> set[str]:
    """Return the names of the columns of a sheet; none where it cannot be read."""
    try:
        first = next(book.rows(sheet), None)
    except TableError:
        return set()
    return set() if first is None else {str(cell).strip() for cell in first[1] if cell is not None}


def records_of(book: Book, sheet: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows below the first, by the names in it, with their numbers."""
    rows = book.rows(sheet)
    first = next(rows, None)
    if first is None:
        return
    names = named_head([first], (first[0],)).names
    for line, cells in rows:
        yield (
            line,
            {
                name: _opened(cell)
                for name, cell in zip(names, cells, strict=False)
                if name and not is_empty(cell)
            },
        )


def _opened(cell: Cell) -> Any:
    """Return what a cell holds: a list or an object where it is the JSON of one."""
    if isinstance(cell, str) and cell[:1] in ("[", "{"):
        try:
            return json.loads(cell)
        except (ValueError, RecursionError):
            return cell
    return cell


def flat(value: object) -> dict[str, Cell]:
    """Return the values of nested objects and lists, each under the names that lead to it."""
    values: dict[str, Cell] = {}
    if isinstance(value, Mapping):
        for key, part in value.items():
            _spread(values, str(key), part, 1)
    return values


def leaves(value: object) -> dict[str, Cell]:
    """Return the values of nested objects under their last names where these are different."""
    values = flat(value)
    last = [name.rpartition(".")[2] for name in values]
    return {
        end if last.count(end) == 1 and not end.isdigit() else name: cell
        for (name, cell), end in zip(values.items(), last, strict=True)
    }


def _spread(values: dict[str, Cell], name: str, value: object, depth: int) -> None:
    if len(values) > MOST:
        return
    if isinstance(value, Mapping) and depth <= DEEPEST:
        for key, part in value.items():
            _spread(values, f"{name}.{key}", part, depth + 1)
    elif isinstance(value, list) and depth <= DEEPEST and value:
        if len(value) == 1:
            _spread(values, name, value[0], depth + 1)
            return
        for at, part in enumerate(value, 1):
            _spread(values, f"{name}.{at}", part, depth + 1)
    else:
        values[name] = plain(value) if value not in ([], {}) else None


# Texts as a tool showed them: original and paraphrase in one field, with labels, lines or the like.


SAMPLE = 500  # records
MOST_COLUMNS = 40  # of text, which are compared
_BREAK = re.compile(r"<\s*(?:br|/p|/div|/li|/h[1-6]|/tr|hr)\b[^>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_SEPARATOR = re.compile(r"(\s*(?:\n|\|\|\||\t|\s=>\s|\s→\s)\s*)")
_ENDED = re.compile(r".*[.!?。！？…:：][\s\"'”»)]*", re.DOTALL)
_LABEL = re.compile(r"([^:：]{1,40})[:：]\s*(.*)", re.DOTALL)
_INLINE = re.compile(r"(?<=[.!?。！？\"”»])(\s*[/|]?\s*)(\w[\w ]{1,25})(\s*[:：])")
_QUOTED = re.compile(r"«[^«»]+»|“[^“”]+”|„[^„“]+“|\"[^\"]+\"|「[^「」]+」")
_SPACE = re.compile(r"[^\S\n]+")
REST = "rest"  # what stands behind the labelled texts
ROLES = ("sentence", "paraphrase", "reference", "system")
_ABOUT = {"output": "paraphrase", "reference": "reference", "original": "sentence"}
NAMES = {"sentence": "original", "paraphrase": "paraphrase"}


class HasData(Protocol):
    """What has fields of a text."""

    @property
    def data(self) -> Mapping[str, Cell]: ...


OneT = TypeVar("OneT", bound=HasData)


def plain_text(shown: str) -> str:
    """Return the text of a piece of HTML, a line a block; a text without tags as it is."""
    if "<" in shown:
        shown = _TAG.sub("", _BREAK.sub("\n", shown))
    if "&" in shown:
        shown = html.unescape(shown)
    return "\n".join(_SPACE.sub(" ", line).strip() for line in shown.splitlines())


def parts_of(shown: str) -> Mapping[str, str] | Sequence[str]:
    """Return the parts by role where labels name them, else the parts in their order."""
    lined = _INLINE.sub(_on_its_line, plain_text(shown))
    split = ["", *_SEPARATOR.split(lined)]
    pieces = [(sign, part.strip()) for sign, part in zip(split[::2], split[1::2], strict=True)]
    pieces = [(sign, part) for sign, part in pieces if part]
    labelled: dict[str, str] = {}
    plain: list[str] = []
    role, behind = "", ""  # Behind a text stand its further lines, if another label follows.
    for sign, part in pieces:
        label, rest = _label(part)
        if label:
            labelled |= {role: labelled[role] + behind} if behind else {}
            role, behind = "" if label in labelled else label, ""
            labelled |= {role: rest} if rest and role else {}
        elif role and role not in labelled:
            labelled[role] = part
        elif role and sign.strip(" ") == "\n":
            behind += f" {part}"
        else:
            plain += [part] if labelled else []
    if behind and not _ENDED.fullmatch(labelled[role]):
        labelled[role] += behind
        behind = ""
    if not {"sentence", "paraphrase"} <= labelled.keys():
        return [part for _, part in pieces]
    left = " ".join([*plain, behind]).strip()
    return {**labelled, REST: left} if left else labelled


def _on_its_line(match: re.Match[str]) -> str:
    """Begin a new line before a label that stands behind the end of a sentence."""
    role, _ = _label(f"{match[2]}:")
    return f"\n{match[2]}{match[3]}" if role else match[0]


def _label(part: str) -> tuple[str, str]:
    """Return the role that a label at the start names, and the text behind it."""
    match = _LABEL.fullmatch(part.strip())
    label, rest = (match[1], match[2].strip()) if match else (part, "")
    words = plain_name(label)
    roles = roles_named(label) or tuple(
        role for concept, role in _ABOUT.items() if match and concept in concepts(label)
    )
    roles = roles or roles_named(words.split(" ")[-1] if words else "")
    role = next((one for one in roles if one in ROLES), "")
    return (role, rest) if match or (role and len(part) < 25) else ("", "")


@dataclass(frozen=True, slots=True)
class FieldSplit:
    """What was done: a field that was split, fields that repeat others, and a question. `quoted`:
    quotation marks enclose each text, and are no part of it."""

    column: str = ""
    quoted: bool = False
    set_aside: Mapping[str, Sentence] | None = None
    ask: Sentence | None = None


def split_of(sample: Sequence[Mapping[str, Cell]]) -> FieldSplit:
    """Return how the texts of a field that shows several come apart, if one does."""
    texts = list(
        dict.fromkeys(
            name
            for one in sample
            for name, value in one.items()
            if isinstance(value, str) and (" " in value or len(value) > 12)
        )
    )[:MOST_COLUMNS]
    double = _doubles(sample, texts)
    left = [name for name in texts if name not in double]
    named = {role for name in left for role in roles_named(name)[:1]}
    if double or {"sentence", "paraphrase"} <= named:
        return FieldSplit(set_aside=double)
    for name in left:
        cells = [one.get(name) for one in sample]
        parts = [parts_of(cell) for cell in cells if isinstance(cell, str) and cell.strip()]
        if not parts:
            continue
        quoted = _are_quoted(parts)
        labelled = [one for one in parts if isinstance(one, Mapping)]
        if len(labelled) == len(parts):
            rests = {one.get(REST) for one in labelled}
            why = say(
                "%(name)s has lines behind the labelled texts, such as %(text)s: are they no part "
                "of a text?",
                name=repr(name),
                text=shown(max(filter(None, rests), default="")),
            )
            return FieldSplit(name, quoted, ask=why if len(rests) > 1 else None)
        pairs = [one for one in parts if not isinstance(one, Mapping) and len(one) == 2]
        if len(pairs) < len(parts):
            continue
        first, second = ({pair[at] for pair in pairs} for at in (0, 1))
        labels = [
            {text.partition(":")[0] for text in one if ":" in text} for one in (first, second)
        ]
        alike = any(len(one) == 1 for one in labels) and len(first) > 1
        if len(first) < len(second) and not alike:
            return FieldSplit(name, quoted)
        return FieldSplit(
            name,
            quoted,
            ask=say(
                "%(name)s shows two texts: is the first the original and the second its "
                "paraphrase?",
                name=repr(name),
            ),
        )
    return FieldSplit()


def _are_quoted(parts: Sequence[Mapping[str, str] | Sequence[str]]) -> bool:
    """Whether quotation marks enclose each original and each paraphrase, of several."""
    pairs = [
        (one["sentence"], one["paraphrase"]) if isinstance(one, Mapping) else (*one,)
        for one in parts
    ]
    return len({*pairs}) > 1 and all(_QUOTED.fullmatch(text) for pair in pairs for text in pair)


def _doubles(sample: Sequence[Mapping[str, Cell]], texts: Sequence[str]) -> dict[str, Sentence]:
    """Return the fields that only show what two others hold."""
    double: dict[str, Sentence] = {}
    for name in texts:
        inside = [
            other
            for other in texts
            if other != name
            and other not in double
            and all(_holds(one, name, other) for one in sample)
        ]
        if len(inside) > 1:
            double[name] = say("shows the texts of %(names)s", names=", ".join(inside))
    return double


def _holds(one: Mapping[str, Cell], outer: str, inner: str) -> bool:
    large, small = one.get(outer), one.get(inner)
    if not isinstance(large, str) or not isinstance(small, str) or len(small) >= len(large):
        return False
    return small in large or plain_text(small) in plain_text(large)


def split_data(data: Mapping[str, Cell], split: FieldSplit) -> Mapping[str, Cell]:
    """Return the fields with the parts of one instead of it."""
    whole = data.get(split.column)
    if not isinstance(whole, str):
        return data
    rest = {name: value for name, value in data.items() if name != split.column}
    parts = parts_of(whole)
    if not isinstance(parts, Mapping):
        if len(parts) != 2:
            return data
        parts = dict(zip(("sentence", "paraphrase"), parts, strict=True))
    texts = {NAMES.get(role, role): text for role, text in parts.items() if role != REST}
    if split.quoted:
        texts = {
            role: text[1:-1] if _QUOTED.fullmatch(text) else text for role, text in texts.items()
        }
    return {**texts, **rest}


def sampled(records: Callable[[], Iterator[OneT]]) -> list[Mapping[str, Cell]]:
    """Return the fields of the first records."""
    return [one.data for one in islice(records(), SAMPLE)]
