"""Parser for the lines of a Callison-Burch evaluation file.

Source: C. Callison-Burch, "How-to guide for evaluating paraphrases" (2008), steps 5 and 6.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from dataclasses import dataclass

from paraanno.plain.sentence import SentenceError, say
from paraanno.plain.texts import find_spans, nfc_offset

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
