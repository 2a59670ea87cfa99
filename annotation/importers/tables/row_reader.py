"""The cells of a row, read as records in the columns that our readers know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time

from annotation.importers.tables.books import Cell, Coded, NoValue, is_empty
from annotation.importers.tables.mapping import OF, ColumnMap, MapColumn
from paraanno.plain.number_text import plain_number_text
from paraanno.plain.sentence import Sentence, say

NUMBERS = frozenset(
    {"value", "value_of", "voice_of", "n_of", "sd_of", "start", "end", "rank", "occasion"}
)
VALUES = frozenset({"value", "value_of", "voice_of"})
NOTHING = frozenset({"na", "n/a", "n.a.", "k.a.", "k. a.", "nan", "null", "-", "–", "—", "."})
SUFFIX = {"value_of": "", "n_of": "_n", "sd_of": "_sd", "method_of": "_method"}
Values = dict[str, object]


def our_columns(one: MapColumn, what: str) -> tuple[str, ...]:
    """Return our columns that a column fills."""
    if one.role == "output_of":
        return "paraphrase", "system"
    if one.role == "voice_of":
        return ("value", "annotator", "scale") if one.scale else ("value", "annotator")
    if one.role in OF:
        return (one.of + SUFFIX[one.role],) if what == "gold" else ("value", "scale")
    return (f"attr.{one.of or one.name}",) if one.role == "attr" else (one.role,)


class RowReader:
    """Makes records of the cells of a row."""

    def __init__(self, mapping: ColumnMap, placed: Sequence[tuple[int, MapColumn]]) -> None:
        self.mapping = mapping
        several = ("output_of", "voice_of") if mapping.what != "judgments" else (
            "output_of", "voice_of", "value_of")  # fmt: skip
        self._one = [(at, one, self._column(one)) for at, one in placed if one.role not in several]
        self._several = [(at, one) for at, one in placed if one.role in several]
        self._last: Values = {}
        self._needs = len(placed) > 1
        self._texts = {at for at, one in placed if one.role in ("paraphrase", "output_of")}
        references = [entry for entry in self._one if entry[1].role == "reference"]
        if len(references) > 1:
            names = ["reference", *(f"reference_{n}" for n in range(2, len(references) + 1))]
            named = dict(zip((at for at, _, _ in references), names, strict=True))
            self._one = [(at, one, named.get(at, ours)) for at, one, ours in self._one]
        self.references = [ours for _, one, ours in self._one if one.role == "reference"]

    def _column(self, one: MapColumn) -> str:
        return our_columns(one, self.mapping.what)[0]

    def is_note(self, cells: Sequence[Cell]) -> bool:
        """Whether the row has one cell only, which is not that of a new text, where a record needs
        several."""
        filled = [at for at, cell in enumerate(cells) if not is_empty(cell)]
        return self._needs and len(filled) == 1 and filled[0] not in self._texts

    def read(
        self, cells: Sequence[Cell]
    ) -> Iterator[tuple[Values, list[tuple[str, Sentence]], Mapping[str, str]]]:
        """Yield records with their failures, and labels of columns that only they have."""
        values: Values = dict(self.mapping.fixed)
        failures: list[tuple[str, Sentence]] = []
        for at, one, ours in self._one:
            self._put(values, failures, ours, one, cells[at] if at < len(cells) else None)
        if self.mapping.fill_down:
            self._fill(values)
        self._place(values)
        if not self._several:
            yield values, failures, {}
        for at, one in self._several:
            own, bad = dict(values), list(failures)
            cell = cells[at] if at < len(cells) else None
            given, named = {
                "output_of": ("paraphrase", "system"), "voice_of": ("value", "annotator"),
                "value_of": ("value", "scale"),
            }[one.role]  # fmt: skip
            own[named] = one.of
            if one.scale:
                own["scale"] = one.scale
            self._put(own, bad, given, one, cell)
            if given == "paraphrase" or given in own or len(bad) > len(failures):
                yield own, bad, {given: one.label, named: one.label}

    def lacks(self, values: Values) -> Sentence | None:
        """Return why a row is left out, if the mapping asks for that."""
        if not self.mapping.skip_incomplete:
            return None
        if self.mapping.what == "items":
            whole = "sentence" in values or "phrase" in values
            whole = whole and ("paraphrase" in values or not self.mapping.has("paraphrase"))
            whole = whole and ("phrase" in values or not self.mapping.role("phrase"))
        else:
            whole = "paraphrase" in values and ("value" in values or self.mapping.what == "gold")
        return None if whole else say("the row is not complete: left out")

    def _put(
        self, values: Values, failures: list[tuple[str, Sentence]], ours: str, one: MapColumn,
        cell: Cell,
    ) -> None:  # fmt: skip
        if is_empty(cell):
            return
        text = self._value(cell, one, values) if one.role in NUMBERS else _text(cell, one.role)
        if text is None:
            values[ours] = ""  # Said to be no judgment, which is not the same as an empty cell.
        elif isinstance(text, Sentence):
            failures.append((ours, text))
        elif text:
            values[ours] = self.mapping.scales.get(text, text) if ours == "scale" else text

    def _value(self, cell: Cell, one: MapColumn, values: Values) -> str | Sentence | None:
        """Return a number, that of a word where the mapping has it; None if it has none."""
        if self.mapping.words and one.role in VALUES:
            scale = one.of if one.role == "value_of" else one.scale or values.get("scale")
            words = self.mapping.words.get(str(scale)) or self.mapping.words.get("") or {}
            word = cell.label if isinstance(cell, Coded) else str(cell).strip()
            if word in words:
                point = words[word]
                return None if point is None else _plain(point)
        return self._number(cell)

    def _number(self, cell: Cell) -> str | Sentence:
        if isinstance(cell, str):
            if cell.strip().casefold() in NOTHING:
                return ""
            return plain_number_text(cell, self.mapping.decimal)
        if isinstance(cell, Coded):
            return _plain(cell.number)
        if isinstance(cell, datetime | date | time):
            return say(
                "holds the date %(date)s, not a number: spreadsheet programs make dates of scores "
                "such as 4.5; write the score as text or number again",
                date=cell.isoformat()[:10],
            )
        if isinstance(cell, NoValue):
            return cell.why
        return _plain(float(cell)) if isinstance(cell, int | float) else ""

    def _fill(self, values: Values) -> None:
        names = ("item", "sentence", "phrase", "start", "end")
        if not any(name in values for name in names):
            values.update(self._last)
        else:
            self._last = {name: values[name] for name in names if name in values}

    def _place(self, values: Values) -> None:
        """Correct the case of the phrase, or choose its first place, if the mapping says so."""
        phrase, sentence = values.get("phrase"), values.get("sentence")
        if not isinstance(phrase, str) or not isinstance(sentence, str) or "start" in values:
            return
        if self.mapping.any_case and phrase not in sentence:
            at = sentence.lower().find(phrase.lower())
            there = sentence[at : at + len(phrase)]
            if at >= 0 and there.lower() == phrase.lower():
                values["phrase"] = phrase = there
        if self.mapping.first_place and sentence.find(phrase, sentence.find(phrase) + 1) >= 0:
            values["start"] = str(sentence.find(phrase))


def _plain(number: float) -> str:
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def _text(cell: Cell, role: str) -> str | Sentence:
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, Coded):
        return cell.label
    if isinstance(cell, NoValue):
        return cell.why
    if isinstance(cell, datetime | date | time):
        if role in ("judged_at", "attr", "comment", "item"):
            return cell.isoformat()
        return say(
            "holds the date %(date)s, not a text: write it as text again",
            date=cell.isoformat()[:10],
        )
    return (
        _plain(float(cell))
        if isinstance(cell, int | float) and not isinstance(cell, bool)
        else str(cell).upper()
    )
