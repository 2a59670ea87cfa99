"""The rows of a test set: an items file, or the evaluation file of the guide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from annotation.exporters.ccb import CcbRow, ccb_obstacle
from annotation.exporters.columns import Column
from scoring.building.test_sets.building import SECOND, BuiltItem

COLUMNS = (
    Column("item"),
    Column("phrase"),
    Column("sentence"),
    Column("start", "integer"),
    Column("end", "integer"),
    Column("paraphrase"),
    Column("system"),
    Column("rank", "integer"),
)
LABEL = Column("attr.item.label")
TEST_COUNT = Column("attr.phrase.test_count", "integer")
TRAIN_COUNT = Column("attr.phrase.train_count", "integer")
CONSTITUENT = Column("attr.phrase.constituent")
PROBABILITY = Column("attr.output.p", "number")
FLUENCY = Column("attr.output.lm", "number")


def columns(*, parses: bool, train: bool, model: bool) -> tuple[Column, ...]:
    """The columns of the items file: attributes only of the parts that are there."""
    return (
        *COLUMNS,
        *((LABEL, CONSTITUENT) if parses else ()),
        TEST_COUNT,
        *((TRAIN_COUNT,) if train else ()),
        PROBABILITY,
        *((FLUENCY,) if model else ()),
    )


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
                LABEL.name: item.label,
                CONSTITUENT.name: {True: "yes", False: "no", None: None}[drawn.constituent],
                TEST_COUNT.name: drawn.test_count,
                TRAIN_COUNT.name: drawn.train_count,
                PROBABILITY.name: None if choice is None else float(f"{choice.probability:.6g}"),
                FLUENCY.name: _rounded(None if choice is None else choice.fluency),
            }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def ccb_rows(items: Iterable[BuiltItem]) -> Iterator[CcbRow]:
    """A row for each text, with all systems that gave it; second paraphrases of condition k have
    the number k + 8, as in the guide."""
    for item in items:
        for text, outputs in item.by_text().items():
            systems = []
            for output in outputs:
                source, _, condition = output.system.rpartition(":")
                place = int(condition) + SECOND * (output.rank - 1)
                systems.append(f"{source}:{place}" if source else str(place))
            yield CcbRow(
                item.drawn.phrase, item.sentence, item.start, item.end, text, systems
            )  # fmt: skip


def writable(items: Sequence[BuiltItem]) -> list[BuiltItem]:
    """The items that the guide's format can represent."""
    return [item for item in items if all(ccb_obstacle(row) is None for row in ccb_rows([item]))]
