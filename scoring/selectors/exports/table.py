"""The wide table of a campaign: a row for each text, with its gold and its scores."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from annotation.exporters import Column
from annotation.models import Campaign
from paraanno.plain.progress import steps
from scoring.selectors.correlation.columns import UnitColumns, columns_get
from scoring.selectors.exports.batches import Row
from scoring.selectors.exports.rows import Export
from scoring.selectors.ratings.tables import Choice
from scoring.selectors.texts import CHUNK, texts_named

_TEXT = (
    Column("text_key"), Column("item_key"), Column("phrase"), Column("sentence"),
    Column("start", "integer"), Column("end", "integer"), Column("paraphrase"),
    Column("systems", "list"), Column("language"),
)  # fmt: skip


def table(*, campaign: Campaign) -> Export:
    """One row per text in force: its systems, its gold on each scale and on their sum, whether it
    passes, and the newest scores of each metric; empty where there is none.

    `manage.py correlate` takes the file; the clusters are `item_key` or `phrase`. Raises ValueError
    if a scale and a metric have the same name.
    """
    found = columns_get(campaign=campaign, choice=Choice())
    numbers = [*found.said, "pass", *found.scored]
    names = [*(column.name for column in _TEXT), *numbers]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"two columns would be named {', '.join(twice)}: rename a scale")
    columns = (*_TEXT, *(Column(name, "number") for name in numbers))
    return Export(columns, _rows(found))


def _rows(found: UnitColumns) -> Iterator[Row]:
    values = {**found.said, "pass": found.passed, **found.scored}
    units = found.ratings.units.tolist()
    for at in steps(range(0, len(units), CHUNK)):
        for unit, text in enumerate(texts_named(units[at : at + CHUNK]), at):
            row: Row = {
                "text_key": text.text_key, "item_key": text.item_key, "phrase": text.phrase,
                "sentence": text.sentence, "start": text.start, "end": text.end,
                "paraphrase": text.paraphrase, "systems": list(text.systems) or None,
                "language": text.language or None,
            }  # fmt: skip
            for name, column in values.items():
                number = float(column[unit])
                row[name] = None if np.isnan(number) else number
            yield row
