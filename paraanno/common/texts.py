"""Normalised texts for storage, and spans in them."""

from __future__ import annotations

import codecs
import gc
import io
import json
import re
import unicodedata
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, Generic, Literal, TypeAlias, TypeVar, overload

# English sentences that a page can translate.
#
# Pure packages import no translator, so a sentence keeps the template and the values from which it
# was built. `make messages` collects the templates, which are the first argument of `say`.
#
# JSON has no type for sentences, so the parts are beside the text, under its key with `_parts`:
#
#     {"reason": "needs 3 units", "reason_parts": ["needs %(n)s units", {"n": "3"}]}
#
# A sentence inside another is again `[template, values]`. A sentence without values is its own
# template and has no parts; in a list of parts it is null.


_NONE: Mapping[str, object] = MappingProxyType({})
PARTS = "_parts"


class Sentence(str):
    """An English sentence with its parts `template` and `values`; values may be sentences."""

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, object]

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.template, dict(self.values))


def say(template: str, /, **values: object) -> Sentence:
    """Build a sentence from a template and values (`%(name)s`); without values, the text as is."""
    return _again(template, values)


def _again(template: str, values: Mapping[str, object]) -> Sentence:
    sentence = Sentence(template % values if values else template)
    sentence.template = template
    sentence.values = values or _NONE
    return sentence


NOTHING = _again("", {})


def joined(separator: str, texts: Iterable[str]) -> Sentence:
    """Join texts to one sentence that keeps the parts of each."""
    parts = {f"part{n}": text for n, text in enumerate(texts, 1)}
    between = separator.replace("%", "%%")
    return _again(between.join(f"%({name})s" for name in parts), parts)


@overload
def changed(text: Sentence, change: Callable[[str], str]) -> Sentence: ...
@overload
def changed(text: str, change: Callable[[str], str]) -> str: ...
def changed(text: str, change: Callable[[str], str]) -> str:
    """Apply `change` to the values of a sentence, or to the entire text if it has no parts."""
    if not isinstance(text, Sentence):
        return change(text)
    values = {
        name: changed(value if isinstance(value, str) else str(value), change)
        for name, value in text.values.items()
    }
    return _again(text.template, values)


def message_of(error: BaseException) -> str:
    """Return the message of an exception; a sentence if it was raised with one."""
    first = error.args[0] if error.args else None
    return first if isinstance(first, Sentence) else str(error)


class SentenceError(ValueError):
    """An error that keeps its sentence."""

    def __init__(self, message: Sentence) -> None:
        super().__init__(message)
        self.message = message


def sentence_json(data: Any) -> Any:
    """Return data for JSON with the parts of its sentences; `revived` is the inverse."""
    if isinstance(data, Mapping):
        encoded = {}
        for key, value in data.items():
            encoded[key] = sentence_json(value)
            if (parts := _parts(value)) is not None:
                encoded[f"{key}{PARTS}"] = parts
        return encoded
    if isinstance(data, list | tuple):
        return [sentence_json(value) for value in data]
    return data


def _parts(value: object) -> list[Any] | None:
    """Return the parts of a sentence or list of sentences; None if the text suffices."""
    if isinstance(value, Sentence):
        return _whole(value) if value.values else None
    if isinstance(value, list | tuple):
        parts = [_parts(one) for one in value]
        return parts if any(one is not None for one in parts) else None
    return None


def _whole(sentence: Sentence) -> list[Any]:
    values = {
        name: _whole(value) if isinstance(value, Sentence) else str(value)
        for name, value in sentence.values.items()
    }
    return [sentence.template, values]


def revived(data: Any) -> Any:
    """Return the data that `sentence_json` wrote, with its sentences; other data unchanged."""
    # Most of a report are numbers: to call for each of them takes most of the time.
    if isinstance(data, list):
        return [revived(one) if isinstance(one, dict | list) else one for one in data]
    if not isinstance(data, dict):
        return data
    pairs = (
        (key, revived(one) if isinstance(one, dict | list) else one) for key, one in data.items()
    )
    return _with_sentences(pairs, {})


def revived_json(text: str) -> Any:
    """The same of the text of the JSON.

    Sentences are made as it is read, those alike once, and garbage is not collected meanwhile: of
    a report of twelve megabytes there would be nothing to collect, and the search would take most
    of the time.
    """
    made: _Made = {}
    collects = gc.isenabled()
    gc.disable()
    try:
        return json.loads(text, object_pairs_hook=lambda pairs: _with_sentences(pairs, made))
    finally:
        if collects:
            gc.enable()


_Made: TypeAlias = "dict[tuple[str, str], Sentence | None]"  # By a text and its parts.


def _with_sentences(pairs: Iterable[tuple[str, Any]], made: _Made) -> dict[str, Any]:
    restored = dict(pairs)
    for name in [name for name in restored if name.endswith(PARTS)]:
        key = name.removesuffix(PARTS)
        text, parts = restored.get(key), restored[name]
        if not isinstance(text, str):
            sentence = _with_parts(text, parts)
        elif (same := (text, str(parts))) in made:
            sentence = made[same]
        else:
            sentence = made[same] = _with_parts(text, parts)
        if sentence is not None:
            restored[key] = sentence
            del restored[name]
    return restored


def _with_parts(text: object, parts: object) -> Any:
    """Return the sentence or list of sentences with these parts; None if they do not match."""
    if not isinstance(parts, list):
        return None
    if isinstance(text, list) and len(text) == len(parts):
        pairs = list(zip(text, parts, strict=True))
        sentences = [one if part is None else _with_parts(one, part) for one, part in pairs]
        matches = [
            one is not None for one, part in zip(sentences, parts, strict=True) if part is not None
        ]
        return sentences if matches and all(matches) else None
    if not isinstance(text, str) or (sentence := _from_parts(parts)) is None:
        return None
    return sentence if sentence == text != sentence.template else None


def _from_parts(parts: list[Any]) -> Sentence | None:
    match parts:
        case [str(template), dict(values)]:
            made = {
                name: _from_parts(value) if isinstance(value, list) else value
                for name, value in values.items()
            }
        case _:
            return None
    try:
        return None if None in made.values() else _again(template, made)
    except (KeyError, TypeError, ValueError):
        return None  # Foreign data: the template has other values.


MAX_TEXT = 1_000_000
# Sorting combining marks takes quadratic time, so that one hostile cell could block a worker for
# hours. Unicode's Stream-Safe Text Process (UAX 15, section 13) allows 30 marks in a row.
MAX_MARKS = 100
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class TextError(SentenceError):
    """A text that cannot be stored; the message gives the reason and the remedy."""


def clean_text(text: str) -> str:
    """Return the text in NFC, with white space and case unchanged.

    Raises TextError for NUL, lone surrogates, more than `MAX_TEXT` code points, and more than
    `MAX_MARKS` combining marks in a row.
    """
    if len(text) > MAX_TEXT:
        raise TextError(
            say(
                "has %(n)s characters; at most %(most)s are allowed: shorten or split it",
                n=len(text),
                most=MAX_TEXT,
            )
        )
    if text.isascii() and "\0" not in text:
        return text
    bad = _UNSTORABLE.search(text)
    if bad is not None:
        nul = bad.group() == "\0"
        kind = say("a NUL character") if nul else say("half of a surrogate pair")
        raise TextError(
            say(
                "has %(kind)s at position %(start)s (from 0): remove it",
                kind=kind,
                start=bad.start(),
            )
        )
    if len(text) > MAX_MARKS and _longest_run_of_marks(text) > MAX_MARKS:
        raise TextError(
            say("has more than %(most)s combining marks in a row: remove them", most=MAX_MARKS)
        )
    return unicodedata.normalize("NFC", text)


def _longest_run_of_marks(text: str) -> int:
    longest = run = 0
    for character in text:
        run = run + 1 if unicodedata.combining(character) else 0
        longest = max(longest, run)
    return longest


def nfc_offset(text: str, offset: int) -> int | None:
    """Return the position in the NFC form of `text` for a position in it (code points, 0-based).

    None if the position is inside a character that NFC composes or reorders.
    """
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return offset
    head = unicodedata.normalize("NFC", text[:offset])
    tail = unicodedata.normalize("NFC", text[offset:])
    if head + tail != unicodedata.normalize("NFC", text):
        return None
    return len(head)


def find_spans(needle: str, text: str, most: int = 100) -> list[tuple[int, int]]:
    """Return the first `most` spans of `needle` in `text`, half-open, including overlapping ones.

    Bounded, because counting a long needle in a long text of one letter takes quadratic time.
    """
    spans: list[tuple[int, int]] = []
    start = text.find(needle)
    while start >= 0 and len(spans) < most:
        spans.append((start, start + len(needle)))
        start = text.find(needle, start + 1)
    return spans


# Errors and warnings about a file, with their lines.


Severity = Literal["error", "warning"]
MAX_PROBLEMS = 1000
FIRST_PROBLEMS = 10  # What a command prints of a file in a terminal; it counts the others.
SHOWN = 60


@dataclass(frozen=True, slots=True)
class Problem:
    """One error or warning. `line` counts physical lines of the file from 1."""

    file: str
    line: int
    column: str | None
    message: Sentence
    severity: Severity = "error"

    def __str__(self) -> str:
        where = f"column {shown(self.column)}: " if self.column is not None else ""
        mark = "warning: " if self.severity == "warning" else ""
        return f"{self.file}:{self.line}: {mark}{where}{self.message}"


def shown(text: str) -> str:
    """Return the text in quotes, on one line, printable on any terminal, shortened if long."""
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "...")


@dataclass(slots=True)
class ProblemLog:
    """A collector of the problems of one file; beyond `limit` they are counted, not kept.

    `column_of` gives the name that the file has for a column, where it is not ours.
    """

    file: str
    limit: int = MAX_PROBLEMS
    errors: int = 0
    warnings: int = 0
    column_of: Callable[[str], str] | None = None
    _listed: dict[Severity, list[Problem]] = field(
        default_factory=lambda: {"error": [], "warning": []}
    )
    _last_line: int = 1

    def error(self, line: int, message: Sentence, column: str | None = None) -> None:
        """Add an error, which prevents the import."""
        self.errors += 1
        self._note(line, message, column, "error")

    def warn(self, line: int, message: Sentence, column: str | None = None) -> None:
        """Add a warning about something that is allowed but probably not intended."""
        self.warnings += 1
        self._note(line, message, column, "warning")

    def _note(self, line: int, message: Sentence, column: str | None, severity: Severity) -> None:
        self._last_line = max(self._last_line, line)
        problems = self._listed[severity]
        if column is not None and self.column_of is not None:
            column = self.column_of(column)
        if len(problems) < self.limit:
            problems.append(Problem(self.file, line, column, message, severity))

    def problems(self) -> tuple[Problem, ...]:
        """Return the problems kept, errors first, each kind followed by its "and N more"."""
        return tuple(self._closed("error", self.errors)) + tuple(
            self._closed("warning", self.warnings)
        )

    def _closed(self, severity: Severity, count: int) -> Iterator[Problem]:
        problems = self._listed[severity]
        yield from problems
        if count > len(problems):
            left = count - len(problems)
            more = (
                say("and %(n)s more errors; put these right first", n=left)
                if severity == "error"
                else say("and %(n)s more warnings; put these right first", n=left)
            )
            yield Problem(self.file, self._last_line, None, more, severity)


RowT = TypeVar("RowT")


@dataclass(frozen=True, slots=True)
class Parsed(Generic[RowT]):
    """The valid rows of a file, and its problems. Nothing is imported unless `ok` is true.

    A line with an error gives no row; rows keep the order of the file.
    """

    rows: tuple[RowT, ...]
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """True if there is no error (there may be warnings)."""
        return not any(problem.severity == "error" for problem in self.problems)


# Physical lines of a file, with checks of its encoding.


Source = BinaryIO | str | Path
MAX_LINE = 4_000_000
_BLOCK = 1 << 18
_BAD = re.compile("[\0\ud800-\udfff]")
_UTF16 = ("\udcff\udcfe", "\udcfe\udcff")


class Lines:
    """Iterate once over the lines of a byte stream, each with its own line end.

    LF, CR LF and CR all end a line. A line that is not UTF-8 or contains a NUL is yielded too,
    because the following lines depend on its quotes; it is in `bad`, and `flaw` returns the reason.
    A line beyond `MAX_LINE` characters and a file in UTF-16 end the reading (`stopped`): the rest
    would be unreliable. The stream is read in blocks, because a call for each line would take
    longer than everything else. `number` counts the lines of the blocks read so far, and after the
    end those of the file.
    """

    def __init__(self, stream: BinaryIO, log: ProblemLog) -> None:
        self._stream = stream
        self._log = log
        self.bad: deque[tuple[int, int, str]] = deque()
        self.number = 0
        self.stopped = False

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(self._blocks())

    def flaw(self, first: int, last: int) -> Sentence | None:
        """Return the error of the lines from `first` to `last`; to be called in file order."""
        problem: Sentence | None = None
        while self.bad and self.bad[0][0] <= last:
            line, at, character = self.bad.popleft()
            if problem is None and line >= first:
                problem = _flaw(line, at, character)
        return problem

    def _blocks(self) -> Iterator[list[str]]:
        rest = ""
        for block in self._decoded():
            text = rest + block
            if self.number == 0 and self._is_no_text(text):
                return
            lines = io.StringIO(text, newline="").readlines()
            if len(lines[0]) > MAX_LINE:  # Later lines are not longer than a block.
                self._stop(
                    self.number + 1,
                    say(
                        "the line is longer than %(most)s characters and reading stopped here: "
                        "check the line ends, or split the text",
                        most=MAX_LINE,
                    ),
                )
                return
            # Its end may come with the next block, or the second half of a CR LF.
            rest = "" if lines[-1].endswith("\n") else lines.pop()
            self._look(text, lines)
            yield lines
        if rest:
            self._look(rest, [rest])
            yield [rest]

    def _decoded(self) -> Iterator[str]:
        decoder = codecs.getincrementaldecoder("utf-8-sig")("surrogateescape")
        while data := self._stream.read(_BLOCK):
            if text := decoder.decode(data):
                yield text
        if text := decoder.decode(b"", final=True):
            yield text

    def _look(self, text: str, lines: list[str]) -> None:
        """Count the lines, which make up the text, and note the bad ones."""
        if (not text.isascii() or "\0" in text) and has_bad_character(text):
            for number, line in enumerate(lines, start=self.number + 1):
                bad = _BAD.search(line)
                if bad is not None:
                    self.bad.append((number, bad.start() + 1, bad.group()))
        self.number += len(lines)

    def _is_no_text(self, start: str) -> bool:
        if start.startswith(_UTF16):
            self._stop(1, say("the file is in UTF-16: save the file as UTF-8"))
        elif start.startswith("PK\x03\x04"):
            self._stop(1, say("this is a zip or spreadsheet file: save the sheet as CSV (UTF-8)"))
        return self.stopped

    def _stop(self, line: int, message: Sentence) -> None:
        self._log.error(line, message)
        self.stopped = True


def _flaw(line: int, at: int, character: str) -> Sentence:
    if character == "\0":
        return say(
            "there is a NUL character (line %(line)s, character %(at)s): remove it, or save "
            "the file as UTF-8",
            line=line,
            at=at,
        )
    return say(
        "the byte %(byte)s (line %(line)s, character %(at)s) is not UTF-8: save the file as UTF-8",
        byte=f"0x{ord(character) - 0xDC00:02X}",
        line=line,
        at=at,
    )


def has_bad_character(text: str) -> bool:
    """Return True for a text with a NUL or with a byte that is not UTF-8."""
    return _BAD.search(text) is not None


def cannot_be_read(error: OSError) -> Sentence:
    """Return the error for a file that cannot be opened or read."""
    return say(
        "the file cannot be read (%(why)s): check its name and who may read it",
        why=error.strerror or error,
    )


@contextmanager
def open_lines(source: Source, log: ProblemLog) -> Iterator[Lines]:
    """Yield the lines of a byte stream (left open) or of the file at a path (closed afterwards).

    Raises OSError if the file cannot be opened or read.
    """
    if isinstance(source, str | Path):
        with Path(source).open("rb") as stream:
            yield Lines(stream, log)
    else:
        yield Lines(source, log)
