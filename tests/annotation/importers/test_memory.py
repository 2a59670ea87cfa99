"""Readers find the same faults, whether they remember in memory or on disk."""

import json
from io import BytesIO

from hypothesis import given
from hypothesis import strategies as st

from annotation.importers import ProblemLog, iter_items, iter_judgments
from paraanno.common.on_disk import Disk

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


def lines(found):
    return BytesIO("".join(json.dumps(row) + "\n" for row in found).encode())


def told(items, answers, memory):
    log = ProblemLog("a.jsonl")
    found = [list(iter_items(lines(items), log=log, memory=memory))]
    numbered = [
        list(iter_judgments(lines(answers), log=log, repeats=repeats, memory=memory))
        for repeats in ("error", "number")
    ]
    return found, numbered, log.problems()


@given(rows, judged)
def test_faults_are_the_same(items, answers):
    with Disk() as disk:
        assert told(items, answers, disk.dict) == told(items, answers, dict)
