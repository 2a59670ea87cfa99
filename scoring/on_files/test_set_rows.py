"""The rows of a test set: an items file, or the evaluation file of the guide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from annotation.exporters.ccb import CcbRow, ccb_obstacle
from annotation.exporters.columns import Column
from scoring.building.test_sets.building import SECOND, BuiltItem
from scoring.building.test_sets.rows import (
    CONSTITUENT,
    FLUENCY,
    LABEL,
    PROBABILITY,
    TEST_COUNT,
    TRAIN_COUNT,
)

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
_LABEL = Column(LABEL)
_TEST_COUNT = Column(TEST_COUNT, "integer")
_TRAIN_COUNT = Column(TRAIN_COUNT, "integer")
_CONSTITUENT = Column(CONSTITUENT)
_PROBABILITY = Column(PROBABILITY, "number")
_FLUENCY = Column(FLUENCY, "number")


def columns(*, parses: bool, train: bool, model: bool) -> tuple[Column, ...]:
    """The columns of the items file: attributes only of the parts that are there."""
    return (
        *COLUMNS,
        *((_LABEL, _CONSTITUENT) if parses else ()),
        _TEST_COUNT,
        *((_TRAIN_COUNT,) if train else ()),
        _PROBABILITY,
        *((_FLUENCY,) if model else ()),
    )


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
