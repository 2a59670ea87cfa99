"""Write a template of a campaign as YAML that people read, change and compare."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, BinaryIO, TextIO

import yaml

from annotation.exporters.columns import plain_number
from annotation.exporters.writers import CHUNK, write_text
from paraanno.common.panel_links import (
    SCALE_COLUMNS,
    CampaignTemplate,
    ChecksTemplate,
    PanelTemplate,
    PracticeTemplate,
    PracticeTextTemplate,
    ScaleTemplate,
)

WIDTH = 96


class _Dumper(yaml.SafeDumper):
    """Texts of several lines as they are; no anchors, which a template must not have."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def write_template(template: CampaignTemplate) -> str:
    """Return the file; a part that is None is left out. Reading it gives the same template."""
    return yaml.dump(
        template_data(template), Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=WIDTH
    )


def template_data(template: CampaignTemplate) -> dict[str, Any]:
    """Return the template as the tables, lists and values of its file."""
    data: dict[str, Any] = {}
    if template.settings:
        data["settings"] = {name: _plain(value) for name, value in template.settings.items()}
    if template.scales is not None:
        data["scales"] = [_scale(one) for one in template.scales]
    if template.guidelines is not None:
        data["guidelines"] = template.guidelines
    if template.consent is not None:
        data["consent"] = template.consent
    if template.background is not None:
        data["background"] = [
            {
                "name": one.name,
                "wording": one.wording,
                "kind": one.kind,
                "options": list(one.options),
                "required": one.required,
            }
            for one in template.background
        ]
    if template.practice is not None:
        data["practice"] = _practice(template.practice)
    if template.checks is not None:
        data["checks"] = _checks(template.checks)
    if template.panel is not None:
        data["panel"] = [
            {one.name: _plain(getattr(panel, one.name)) for one in fields(PanelTemplate)}
            for panel in template.panel
        ]
    return data


def _plain(value: Any) -> Any:
    """A whole number without a point, as people write it."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _table(one: object, *names: str) -> dict[str, Any]:
    return {name: _plain(getattr(one, name)) for name in names}


def _scale(one: ScaleTemplate) -> dict[str, Any]:
    points = [
        {"value": _plain(value), "label": label, "anchor": anchor}
        for value, label, anchor in one.points
    ]
    return {**_table(one, *SCALE_COLUMNS), "points": points}


def _practice(one: PracticeTemplate) -> dict[str, Any]:
    return {
        **_table(one, "required", "share", "tries"),
        "tolerance": _numbers(one.tolerance),
        "texts": [_practice_text(text) for text in one.texts],
    }


def _numbers(given: Mapping[str, float]) -> dict[str, Any]:
    return {name: _plain(value) for name, value in given.items()}


def _practice_text(one: PracticeTextTemplate) -> dict[str, Any]:
    start = {} if one.start is None else {"start": one.start}
    return {
        **_table(one, "part", "sentence", "phrase"),
        **start,
        "paraphrase": one.paraphrase,
        "expected": {
            scale: {"low": _plain(low), "high": _plain(high), "why": why}
            for scale, (low, high, why) in one.expected.items()
        },
    }


def _checks(one: ChecksTemplate) -> dict[str, Any]:
    names = ("repeat_share", "repeat_after", "fast_seconds", "delay_least", "delay_most")
    rules = [_table(rule, "check", "least", "share", "action") for rule in one.rules]
    return {**_table(one, *names), "rules": rules}


# Writer of Callison-Burch evaluation files.
#
# Source: C. Callison-Burch, "How-to guide for evaluating paraphrases" (2008), steps 5 and 6.


_SCALES = re.compile(r"[ \t,]*MEANING[ \t,]+GRAMMAR(?:[ \t,]|$)")
_NUMBER = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class CcbRow:
    """One line of an evaluation file, or an original alone.

    `paraphrase` None with systems: these gave none; without systems: the item has no line yet.
    `meaning` and `grammar` are one annotator's values, None in a blank file or if missing. Numbers
    that are None are assigned by the writer.
    """

    phrase: str
    sentence: str
    start: int
    end: int
    paraphrase: str | None = None
    systems: Sequence[str] = ()
    meaning: float | None = None
    grammar: float | None = None
    phrase_number: int | None = None
    item_number: int | None = None


def write_ccb(rows: Iterable[CcbRow], stream: BinaryIO | TextIO, *, conditions: bool = True) -> int:
    """Write rows, grouped by phrase and item; return the number of lines with a paraphrase.

    `conditions=False` leaves out the lists of systems, for annotators. Raises ValueError for a text
    that the format cannot represent (see `ccb_obstacle`).
    """
    lines = _Lines(conditions)
    write_text(ccb_chunks(rows, lines=lines), stream)
    return lines.count


def ccb_chunks(
    rows: Iterable[CcbRow], *, conditions: bool = True, lines: _Lines | None = None
) -> Iterator[str]:
    """Yield the text of the file in pieces; arguments and errors as for `write_ccb`."""
    lines = lines if lines is not None else _Lines(conditions)
    text = ""
    for row in rows:
        text += lines.add(row)
        if len(text) > CHUNK:
            yield text
            text = ""
    yield text


def ccb_obstacle(row: CcbRow) -> str | None:
    """Return why the format cannot represent the row; None if it can."""
    before, shouted, after = _parts(row)
    texts = (before, row.phrase, after, row.paraphrase or "")
    if any("\n" in text or "\r" in text for text in texts):
        return "a text has a line break, and this format has one line per text"
    marked = f"__{shouted}__"
    line = before + marked + after
    if line.find(marked, line.find(marked) + 1) >= 0:
        return "the phrase stands between double underscores twice"
    if _SCALES.match(shouted):
        return "the phrase begins with MEANING GRAMMAR"
    return None


def _parts(row: CcbRow) -> tuple[str, str, str]:
    shouted = unicodedata.normalize("NFC", row.phrase.upper())
    return row.sentence[: row.start], shouted, row.sentence[row.end :]


class _Lines:
    """Turns rows into lines, with a header whenever phrase or item changes."""

    def __init__(self, conditions: bool) -> None:
        self._conditions = conditions
        self._phrase: str | None = None
        self._item: tuple[str, str, int, int] | None = None
        self._phrases = 0
        self._items = 0
        self.count = 0

    def add(self, row: CcbRow) -> str:
        """Return the lines that a row adds to the file."""
        obstacle = ccb_obstacle(row)
        if obstacle is not None:
            raise ValueError(
                f"{obstacle}: {row.phrase[:60]!r} in {row.sentence[:60]!r}; export it as jsonl"
            )
        before, shouted, after = _parts(row)
        text = self._headers(row, before, shouted, after)
        if row.paraphrase is None and not (row.systems and self._conditions):
            return text
        self.count += 1
        labels = ",".join(_label(system) for system in row.systems) if self._conditions else ""
        tail = f" {labels}" if labels else ""
        return f"{text}{_scores(row)}{before}__{row.paraphrase or ''}__{after}{tail}\n"

    def _headers(self, row: CcbRow, before: str, shouted: str, after: str) -> str:
        text = ""
        item = (row.phrase, row.sentence, row.start, row.end)
        if item == self._item:
            return text
        if self._item is not None:
            text = "\n"
        elif shouted.startswith("\ufeff"):
            text = "\ufeff"  # a reader would take the first character for a byte order mark
        if row.phrase != self._phrase:
            self._phrases += 1
            number = self._phrases if row.phrase_number is None else row.phrase_number
            text += f"{shouted} (phrase number: {number})\n"
        self._items += 1
        number = self._items if row.item_number is None else row.item_number
        self._phrase, self._item = row.phrase, item
        return f"{text}MEANING GRAMMAR {before}__{shouted}__{after} (item number: {number})\n"


def _scores(row: CcbRow) -> str:
    if row.meaning is None and row.grammar is None:
        return ""
    values = [
        "" if value is None else repr(plain_number(value)) for value in (row.meaning, row.grammar)
    ]
    # A tab marks a missing score; two scores are written as in the guide.
    return "\t".join([*values, ""]) if "" in values else " ".join([*values, ""])


def _label(system: str) -> str:
    return system if _NUMBER.fullmatch(system) else json.dumps(system, ensure_ascii=False)
