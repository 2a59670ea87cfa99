"""Callison-Burch evaluation files, blank or judged; annotation/exporters/texts.py writes them."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from annotation.importers.columns import Identity
from annotation.importers.items import ItemRow, RowCheck, Target
from annotation.importers.judgments import JudgmentKeys, JudgmentRow, Repeats
from paraanno.common.texts import (
    Problem,
    ProblemLog,
    SentenceError,
    Source,
    TextError,
    cannot_be_read,
    clean_text,
    find_spans,
    nfc_offset,
    open_lines,
    say,
)

# Parser for the lines of a Callison-Burch evaluation file.
#
# Source: C. Callison-Burch, "How-to guide for evaluating paraphrases" (2008), steps 5 and 6.


MARK = "__"
_GAP = "[ \\t,]"
_NUMBER = r"-?[0-9]{1,17}(?:\.[0-9]{1,20})?(?:[eE][+-]?[0-9]{1,3})?"
# A condition is a number; our own export writes other labels as JSON strings.
_LABEL = r'(?:[0-9]{1,18}|"(?:[^"\\]|\\.)*")'
_SCALES = re.compile(rf"{_GAP}*MEANING{_GAP}+GRAMMAR(?:{_GAP}|$)")
_ITEM_NUMBER = re.compile(rf"{_GAP}?\(item number:{_GAP}*([0-9]{{1,9}})\){_GAP}*$")
_PHRASE_NUMBER = re.compile(rf"{_GAP}?\(phrase number:{_GAP}*([0-9]{{1,9}})\){_GAP}*$")
_CONDITIONS = re.compile(rf"{_GAP}*({_LABEL}(?:{_GAP}+{_LABEL})*)?{_GAP}*$")
_SCORE = re.compile(_NUMBER)
_CANDIDATES = 200


class CcbError(SentenceError):
    """A line that cannot be read; the message says why and how to correct it."""


@dataclass(frozen=True, slots=True)
class CcbOriginal:
    """The original sentence of a group of lines.

    `shouted` is the phrase as printed, in capitals. `phrase` is its presumed real form, and `case`
    says how certain that is: `certain` (it has no letters with case), `lowered` (there is no
    capital in the rest of the sentence, so the phrase has none either), `kept` (as printed: its
    case is unknown) or `known` (provided by somebody who has the item).
    """

    line: int
    before: str
    shouted: str
    after: str
    phrase: str
    case: str
    phrase_number: int | None
    item_number: int | None

    def place(self) -> tuple[str, str, int, int] | None:
        """Phrase, sentence, start and end; None if a combining character joins phrase and
        context.
        """
        joined = self.before + self.phrase + self.after
        start = nfc_offset(joined, len(self.before))
        end = nfc_offset(joined, len(self.before) + len(self.phrase))
        if start is None or end is None:
            return None
        sentence = unicodedata.normalize("NFC", joined)
        return sentence[start:end], sentence, start, end


@dataclass(frozen=True, slots=True)
class CcbVariant:
    """A line with a paraphrase: text, conditions, and the scores at the start."""

    paraphrase: str
    conditions: tuple[str, ...]
    meaning: float | None
    grammar: float | None


def shout(phrase: str) -> str:
    """Return the phrase as printed in an evaluation file."""
    return unicodedata.normalize("NFC", phrase.upper())


def parse_header(line: str) -> tuple[str, int | None] | None:
    """Return phrase and number of a phrase header; None for another line."""
    match = _PHRASE_NUMBER.search(line)
    if match is not None:
        return line[: match.start()], int(match.group(1))
    bare = line.strip(" \t,")
    return (bare, None) if MARK not in line and bare == shout(bare) else None


def is_original(line: str) -> bool:
    """True for a line that starts with MEANING GRAMMAR."""
    return _SCALES.match(line) is not None


def parse_original(line: str, number: int, header: tuple[str, int | None] | None) -> CcbOriginal:
    """Parse the original sentence; raises CcbError."""
    scales = _SCALES.match(line)
    if scales is None:
        raise CcbError(
            say(
                "there is no MEANING GRAMMAR at the start of the line: begin it with two "
                "scores or blanks"
            )
        )
    end, item_number = len(line.rstrip(" \t")), None
    tail = _ITEM_NUMBER.search(line)
    if tail is not None and tail.start() >= scales.end():
        end, item_number = tail.start(), int(tail.group(1))
    before, shouted, after = _split(line[scales.end() : end], header)
    phrase, case = _guess(shouted, before + after)
    return CcbOriginal(
        number, before, shouted, after, phrase, case, header[1] if header else None, item_number
    )


def _split(text: str, header: tuple[str, int | None] | None) -> tuple[str, str, str]:
    """Return the text before, inside and after the marks."""
    for phrase in dict.fromkeys((header[0], header[0].strip(" \t,")) if header else ()):
        spans = find_spans(MARK + phrase + MARK, text, 2) if phrase else []
        if len(spans) == 1:
            start, end = spans[0]
            return text[:start], phrase, text[end:]
        if spans:
            raise CcbError(
                say("the phrase is between __ and __ twice: mark only the one that is meant")
            )
    parts = text.split(MARK, 3)
    if len(parts) != 3 or not parts[1]:
        raise CcbError(say("the phrase must be marked: put it once between __ and __"))
    if header is not None and shout(parts[1]) != shout(header[0].strip(" \t,")):
        raise CcbError(
            say("the marked phrase is not the phrase of the header: correct one of them")
        )
    return parts[0], parts[1], parts[2]


def _guess(shouted: str, context: str) -> tuple[str, str]:
    lowered = unicodedata.normalize("NFC", shouted.lower())
    if lowered == shouted == shout(shouted):
        return shouted, "certain"
    capitals = any(letter.isupper() or letter.istitle() for letter in context)
    if not capitals and shout(lowered) == shouted:
        return lowered, "lowered"
    return shouted, "kept"


def parse_variant(line: str, original: CcbOriginal) -> CcbVariant:
    """Parse a line by aligning it with its original (same text before and after); raises
    CcbError.
    """
    prefix, start = _find_start(line, original.before)
    meaning, grammar = _scores(prefix)
    for after in dict.fromkeys((original.after, original.after.rstrip(" \t"))):
        at = line.rfind(MARK + after)
        for _ in range(_CANDIDATES):
            if at < start:
                break
            tail = _CONDITIONS.match(line, at + len(MARK) + len(after))
            if tail is not None:
                labels = _labels(tail.group(1) or "")
                return CcbVariant(line[start:at], labels, meaning, grammar)
            at = line.rfind(MARK + after, 0, at + len(MARK) + len(after) - 1)
    raise CcbError(
        say(
            "the text behind the paraphrase is not that of the original in line %(line)s, or what "
            "follows it is no list of conditions: correct the line",
            line=original.line,
        )
    )


def _find_start(line: str, before: str) -> tuple[str, int]:
    """Return the text before the sentence, and the offset of the paraphrase."""
    for lead in dict.fromkeys((before, before.lstrip(" \t,"))):
        at = line.find(lead + MARK)
        if at >= 0:
            return line[:at], at + len(lead) + len(MARK)
    raise CcbError(
        say(
            "the text before the paraphrase is not that of the original above: every line repeats "
            "the sentence and marks the paraphrase with __ on both sides"
        )
    )


def _scores(prefix: str) -> tuple[float | None, float | None]:
    fields = prefix.split()
    if "\t" in prefix or "," in prefix:
        fields = [field.strip() for field in re.split("[\t,]", prefix)]
        while len(fields) > 2 and not fields[-1]:
            fields.pop()
    elif len(fields) == 1:
        raise CcbError(
            say(
                "there is one score in front where MEANING and GRAMMAR need two: add the other, or "
                "mark its place with a tab"
            )
        )
    if len(fields) > 2 or any(field and not _SCORE.fullmatch(field) for field in fields):
        raise CcbError(say("what is in front of the sentence is not two scores: correct it"))
    values = [float(field) if field else None for field in fields] + [None, None]
    if any(value is not None and not math.isfinite(value) for value in values):
        raise CcbError(say("a score is too large: correct it"))
    return values[0], values[1]


def _labels(text: str) -> tuple[str, ...]:
    labels: list[str] = []
    for token in re.findall(_LABEL, text):
        try:
            label = json.loads(token) if token.startswith('"') else token
        except ValueError as error:
            raise CcbError(say("a quoted condition is no JSON string: correct it")) from error
        name = str(label).strip()
        if not 0 < len(name) <= 200 or any(ord(letter) < 32 for letter in name):
            raise CcbError(
                say("a condition is empty, too long or has control characters: correct it")
            )
        labels.append(name)
    return tuple(dict.fromkeys(labels))


@dataclass(frozen=True, slots=True)
class CcbParsed:
    """The contents of an evaluation file. Import nothing unless `ok`.

    `items`: a row for each original, then one row for each condition of each line (systems are the
    condition numbers; a line without a list gives a row without system). `judgments`: scales
    MEANING and GRAMMAR, only if an annotator was named; `scored` always counts the lines with a
    score. Attributes: `ccb_item` and `ccb_case` on the item, `ccb_phrase` on the phrase; these
    numbers are local to a file.
    """

    items: tuple[ItemRow, ...]
    judgments: tuple[JudgmentRow, ...]
    originals: tuple[CcbOriginal, ...]
    scored: int
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """True if there is no error."""
        return not any(problem.severity == "error" for problem in self.problems)


def read_ccb(
    source: Source,
    *,
    name: str,
    annotator: str | None = None,
    repeats: Repeats = "error",
) -> CcbParsed:
    """Read an evaluation file from a byte stream or a path; never raises for its contents.

    `annotator` is the code of the person who judged it; without it, scores are counted but not
    returned. Upper-casing cannot be undone from the file alone: see `CcbOriginal.case` and
    `recover_case`.
    """
    reader = _Reader(ProblemLog(name), annotator, repeats)
    log = reader.log
    try:
        with open_lines(source, log) as lines:
            for number, line in enumerate(lines, start=1):
                flaw = lines.flaw(number, number)
                if flaw is None:
                    reader.take(number, line.rstrip("\r\n"))
                else:
                    log.error(number, flaw)
                    reader.forget()
    except OSError as error:
        log.error(1, cannot_be_read(error))
    if not reader.originals and log.errors == 0:
        log.error(1, say("no line begins with MEANING GRAMMAR: this is not an evaluation file"))
    return CcbParsed(
        tuple(reader.items),
        tuple(reader.judgments),
        tuple(reader.originals),
        reader.scored,
        log.problems(),
    )


@dataclass(slots=True)
class _Reader:
    log: ProblemLog
    annotator: str | None
    repeats: Repeats
    items: list[ItemRow] = field(default_factory=list)
    judgments: list[JudgmentRow] = field(default_factory=list)
    originals: list[CcbOriginal] = field(default_factory=list)
    scored: int = 0
    _header: tuple[str, int | None] | None = None
    _original: CcbOriginal | None = None
    _place: Identity | None = None
    _broken: bool = False
    _check: RowCheck = field(init=False)
    _keys: JudgmentKeys = field(init=False)

    def __post_init__(self) -> None:
        self._check = RowCheck(self.log)
        self._keys = JudgmentKeys(self.log, self.repeats)

    def forget(self) -> None:
        """Reset after an unreadable line, which may have been the original of the following
        lines.
        """
        self._broken, self._original = True, None

    def take(self, number: int, line: str) -> None:
        """Read one line."""
        if not line.strip(" \t,"):
            return
        try:
            self._read(number, clean_text(line))
        except TextError as error:
            self.log.error(
                number,
                say(
                    "the line %(error)s: correct it and save the file as UTF-8", error=error.message
                ),
            )
            self.forget()
        except CcbError as error:
            self.log.error(number, error.message)

    def _read(self, number: int, line: str) -> None:
        failure: CcbError | None = None
        if self._original is not None:
            try:
                self._add(number, parse_variant(line, self._original))
                return
            except CcbError as error:
                failure = error
        if is_original(line):
            self._begin(number, line)
        elif (header := parse_header(line)) is not None:
            self._header, self._original, self._broken = header, None, False
        elif failure is not None:
            raise failure
        elif not self._broken:
            raise CcbError(
                say(
                    "there is no original above this line: it needs one that begins with MEANING "
                    "GRAMMAR"
                )
            )

    def _begin(self, number: int, line: str) -> None:
        self.forget()
        original = parse_original(line, number, self._header)
        place = original.place()
        if place is None:
            raise CcbError(
                say("a combining mark joins the phrase and its context: move the marks __")
            )
        self._original, self._place, self._broken = original, place, False
        self.originals.append(original)
        self.items.append(ItemRow(number, None, *place, attributes=_attributes(original)))

    def _add(self, number: int, variant: CcbVariant) -> None:
        original, place = self._original, self._place
        if original is None or place is None:
            return
        scores = (("MEANING", variant.meaning), ("GRAMMAR", variant.grammar))
        judged = any(score is not None for _, score in scores)
        if not variant.paraphrase and (judged or not variant.conditions):
            raise CcbError(
                say(
                    "the paraphrase is empty: only a line with conditions and without scores may "
                    "say so that a system gave none"
                )
            )
        rows = [
            ItemRow(number, None, *place, variant.paraphrase or None, system, 1 if system else None)
            for system in variant.conditions or (None,)
        ]
        accepted = [
            self._check.accept(row) for row in rows
        ]  # read all of them, to report every problem
        if False in accepted:
            return
        attributes = _attributes(original)
        self.items.extend(replace(row, attributes=attributes) for row in rows)
        self.scored += judged
        if judged and self.annotator is not None:
            target = Target(None, *place, variant.paraphrase)
            for scale, score in scores:
                if score is not None:
                    self._judge(number, target, self.annotator, scale, score)

    def _judge(self, line: int, target: Target, code: str, scale: str, value: float) -> None:
        occasion = self._keys.take(line, (target.key, code, scale, "rating"), 1)
        if occasion is not None:
            self.judgments.append(JudgmentRow(line, target, code, scale, value, occasion=occasion))


def _attributes(original: CcbOriginal) -> dict[str, dict[str, object]]:
    item: dict[str, object] = {"ccb_case": original.case}
    if original.item_number is not None:
        item["ccb_item"] = original.item_number
    if original.phrase_number is None:
        return {"item": item}
    return {"item": item, "phrase": {"ccb_phrase": original.phrase_number}}


def recover_case(parsed: CcbParsed, lookup: Callable[[str, str, str], str | None]) -> CcbParsed:
    """Return the file with phrases in their known case.

    `lookup(before, shouted, after)` returns the phrase whose upper-case form is `shouted` in that
    context, or None if unknown.
    """
    originals: list[CcbOriginal] = []
    moved: dict[Identity, tuple[Identity, CcbOriginal]] = {}
    for original in parsed.originals:
        phrase = lookup(original.before, original.shouted, original.after)
        if phrase is not None:
            certain = replace(original, phrase=phrase, case="known")
            old, new = original.place(), certain.place()
            if old is not None and new is not None:
                moved[old] = (new, certain)
                original = certain
        originals.append(original)
    items = tuple(_moved_item(row, moved) for row in parsed.items)
    judgments = tuple(_moved_judgment(row, moved) for row in parsed.judgments)
    return replace(parsed, items=items, judgments=judgments, originals=tuple(originals))


_Moves = dict[Identity, tuple[Identity, CcbOriginal]]


def _moved_item(row: ItemRow, moved: _Moves) -> ItemRow:
    if row.identity not in moved:
        return row
    (phrase, sentence, start, end), original = moved[row.identity]
    attributes = {level: dict(values) for level, values in row.attributes.items()}
    attributes["item"]["ccb_case"] = original.case
    return replace(
        row, phrase=phrase, sentence=sentence, start=start, end=end, attributes=attributes
    )


def _moved_judgment(row: JudgmentRow, moved: _Moves) -> JudgmentRow:
    target = row.target
    if target.phrase is None or target.sentence is None:
        return row
    identity = (target.phrase, target.sentence, target.start or 0, target.end or 0)
    if identity not in moved:
        return row
    phrase, sentence, start, end = moved[identity][0]
    return replace(
        row, target=replace(target, phrase=phrase, sentence=sentence, start=start, end=end)
    )
