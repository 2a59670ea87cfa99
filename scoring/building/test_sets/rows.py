"""The rows of a test set: an items file with the attributes that explain each choice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scoring.building.test_sets.building import BuiltItem

LABEL = "attr.item.label"
TEST_COUNT = "attr.phrase.test_count"
TRAIN_COUNT = "attr.phrase.train_count"
CONSTITUENT = "attr.phrase.constituent"
PROBABILITY = "attr.output.p"
FLUENCY = "attr.output.lm"


def item_rows(items: Iterable[BuiltItem]) -> Iterator[dict[str, object]]:
    """A row for each output. A system that gives nothing has a row without a paraphrase, so that
    its coverage counts."""
    for item in items:
        drawn = item.drawn
        for output in item.outputs:
            choice = output.choice
            if choice is None and output.rank > 1:
                continue
            yield {
                "item": item.name,
                "phrase": drawn.phrase,
                "sentence": item.sentence,
                "start": item.start,
                "end": item.end,
                "paraphrase": None if choice is None else choice.text,
                "system": output.system,
                "rank": output.rank,
                LABEL: item.label,
                CONSTITUENT: {True: "yes", False: "no", None: None}[drawn.constituent],
                TEST_COUNT: drawn.test_count,
                TRAIN_COUNT: drawn.train_count,
                PROBABILITY: None if choice is None else float(f"{choice.probability:.6g}"),
                FLUENCY: _rounded(None if choice is None else choice.fluency),
            }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
