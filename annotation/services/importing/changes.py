"""What an import changes, text by text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from annotation.importers import GoldRow, JudgmentRow
from annotation.services.importing.plan import ItemPlan, NewItem
from annotation.services.importing.report import AddedText, TextChange

MOST_CHANGES = 1000


def item_changes(plan: ItemPlan, most: int = MOST_CHANGES) -> list[TextChange]:
    """Return the changes of the first originals that change."""
    found: list[TextChange] = []
    for item in plan.items.values():
        if len(found) == most:
            break
        if item.changes:
            found.append(_item_change(item))
    return found


def _item_change(item: NewItem) -> TextChange:
    row = item.row
    systems: dict[Any, list[str]] = {}
    for (_, system, _), key in item.outputs.items():
        if key is not None:
            systems.setdefault(key, []).append(system)
    texts = [
        AddedText(one.paraphrase or "", tuple(systems.pop(key, ())))
        for key, one in item.substitutions.items()
    ]
    # A known text that another system gives too has no text here: its systems tell.
    texts += [AddedText("", tuple(names)) for names in systems.values()]
    return TextChange(
        row.line, not item.known, row.sentence[: row.start], row.phrase, row.sentence[row.end :],
        tuple(texts), tuple(item.references.values()),
    )  # fmt: skip


def judgment_changes(rows: Iterable[JudgmentRow], most: int = MOST_CHANGES) -> list[TextChange]:
    """Return the new judgments, by the text that they are about."""
    said = ((row, f"{row.annotator or '?'} {row.scale}: {_number(row.value)}") for row in rows)
    return _by_text(said, most)


def gold_changes(rows: Iterable[GoldRow], most: int = MOST_CHANGES) -> list[TextChange]:
    """Return the new values, by the text that they are about."""
    return _by_text(((row, f"{row.scale}: {_number(row.value)}") for row in rows), most)


def _by_text(said: Iterable[tuple[JudgmentRow | GoldRow, str]], most: int) -> list[TextChange]:
    about: dict[tuple[object, ...], tuple[JudgmentRow | GoldRow, list[str]]] = {}
    for row, words in said:
        if row.target.key not in about and len(about) == most:
            continue
        about.setdefault(row.target.key, (row, []))[1].append(words)
    found = []
    for row, values in about.values():
        target = row.target
        sentence, start, end = target.sentence or "", target.start or 0, target.end or 0
        phrase = target.phrase or target.item or ""
        text = AddedText(target.paraphrase, tuple(values))
        found.append(TextChange(row.line, False, sentence[:start], phrase, sentence[end:], (text,)))
    return found


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


def lines_of_changes(changes: Sequence[TextChange]) -> list[str]:
    """Return the changes as lines for a terminal."""
    lines = []
    for one in changes:
        mark = "+" if one.new else " "
        lines.append(f"{mark} {one.line}: {one.before}[{one.phrase}]{one.after}")
        for new in one.texts:
            about = f" ({', '.join(new.about)})" if new.about else ""
            lines.append(f"    + {new.text or 'known text'}{about}")
        lines += [f"    + reference: {text}" for text in one.references]
    return lines
