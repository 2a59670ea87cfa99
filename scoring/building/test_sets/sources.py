"""Paraphrases for test sets: the store of a table, or a file of three columns."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from paraanno.plain.sentence import say
from scoring.building.paraphrases.store import open_phrases
from scoring.building.test_sets.conditions import Ranked, Source
from scoring.metrics.files import FileRefused, Problems, table_rows


class TablePhrases:
    """The paraphrases of a file `phrase TAB paraphrase TAB probability`, without labels."""

    labels: tuple[str, ...] = ()

    def __init__(self, rows: dict[str, Ranked]) -> None:
        self._rows = rows

    def best(self, phrase: str) -> Ranked:
        return self._rows.get(phrase, [])

    def labels_of(self, phrase: str) -> dict[str, int]:
        return {}

    def best_with(self, phrase: str, label: str) -> Ranked:
        return []


def open_source(path: Path, phrases: Collection[str]) -> Source:
    """The paraphrases of a store or a file; of a file those of the given phrases alone.

    Raises FileRefused.
    """
    return open_phrases(path) if path.is_dir() else _read_table(path, phrases)


def _read_table(path: Path, phrases: Collection[str]) -> TablePhrases:
    problems = Problems(path)
    rows: dict[str, dict[str, float]] = {}
    count = 0
    for number, cells in table_rows(path, problems, least=3, most=3):
        count += 1
        value = _probability(cells[2])
        if value is None:
            problems.add(
                number,
                say("%(value)s is not a probability; use a number above 0, up to 1.",
                    value=cells[2]),
            )  # fmt: skip
            continue
        phrase, other = (" ".join(cell.split()) for cell in cells[:2])
        if phrase in phrases and phrase != other:
            mine = rows.setdefault(phrase, {})
            mine[other] = max(value, mine.get(other, 0.0))
    problems.check()
    if not count:
        raise FileRefused.at(
            path, 0, say("has no paraphrase; write phrase TAB paraphrase TAB probability.")
        )
    return TablePhrases(
        {
            phrase: sorted(mine.items(), key=lambda one: (-one[1], one[0]))
            for phrase, mine in rows.items()
        }
    )


def _probability(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 < value <= 1 else None
