"""Callison-Burch evaluation files, blank or judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from annotation.importers.ccb_lines import (
    CcbError,
    CcbOriginal,
    CcbVariant,
    is_original,
    parse_header,
    parse_original,
    parse_variant,
)
from annotation.importers.items import ItemRow, RowCheck
from annotation.importers.judgments import JudgmentKeys, JudgmentRow, Repeats
from annotation.importers.spans import Identity
from annotation.importers.targets import Target
from paraanno.plain.lines import Source, cannot_be_read, open_lines
from paraanno.plain.problems import Problem, ProblemLog
from paraanno.plain.sentence import say
from paraanno.plain.texts import TextError, clean_text

__all__ = ["CcbOriginal", "CcbParsed", "read_ccb", "recover_case"]


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


def recover_case(parsed: CcbParsed, known: Callable[[str, str, str], str | None]) -> CcbParsed:
    """Return the file with phrases in their known case.

    `known(before, shouted, after)` returns the phrase whose upper-case form is `shouted` (see
    `ccb_lines.shout`) in that context, or None if unknown.
    """
    originals: list[CcbOriginal] = []
    moved: dict[Identity, tuple[Identity, CcbOriginal]] = {}
    for original in parsed.originals:
        phrase = known(original.before, original.shouted, original.after)
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
