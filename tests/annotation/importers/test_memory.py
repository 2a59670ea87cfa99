"""Readers find the same faults, whether they remember in memory or on disk."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from annotation.importers import NewMemory, ProblemLog, iter_items, iter_judgments
from paraanno.plain.on_disk import Disk

few = st.sampled_from(["a", "b"])
rows = st.lists(
    st.fixed_dictionaries(
        {"item": few, "sentence": few, "paraphrase": few, "system": few, "attr.item.x": few}
    ),
    max_size=6,
)
judged = st.lists(
    st.fixed_dictionaries(
        {"item": few, "paraphrase": few, "annotator": few, "scale": few, "value": st.integers(1, 2)}
    ),
    max_size=6,
)


def lines(found: list[dict[str, Any]]) -> BytesIO:
    return BytesIO("".join(json.dumps(row) + "\n" for row in found).encode())


def told(items: list[dict[str, Any]], answers: list[dict[str, Any]], memory: NewMemory) -> object:
    log = ProblemLog("a.jsonl")
    found = [list(iter_items(lines(items), log=log, memory=memory))]
    numbered = [
        list(iter_judgments(lines(answers), log=log, repeats=repeats, memory=memory))
        for repeats in ("error", "number")
    ]
    return found, numbered, log.problems()


@given(rows, judged)
def test_faults_are_the_same(items: list[dict[str, Any]], answers: list[dict[str, Any]]) -> None:
    with Disk() as disk:
        assert told(items, answers, disk.dict) == told(items, answers, dict)
