"""The preview of test sets."""

import pytest

from scoring.builds import queries
from tests.scoring.services.builds.test_test_sets import built

pytestmark = pytest.mark.usefixtures("data_dir")


def test_figures_and_the_first_phrases(monkeypatch):
    monkeypatch.setattr(queries, "SHOWN_PHRASES", 2)
    found = queries.preview(build=built())
    steps = found.steps()
    assert steps[0] == ("grammar words and marks alone", 2, found.figures["every"] - 2)
    # What is left at the end was drawn: three of three.
    assert steps[-1][2] == found.figures["phrases"] == 3
    assert found.coverage() == [("0", 6, 1.0)]
    assert len(found.phrases) == 2
    gives = {"dog": "hound", "cat": "kitten", "ran": "sprinted"}
    for phrase, items in found.phrases:
        assert len(items) == 2
        for item in items:
            assert item.phrase == phrase
            assert item.outputs == [("0", gives[phrase])]
            item.outputs.append(("1", gives[phrase]))
            assert item.texts() == [(gives[phrase], ["0", "1"])]
            assert f"{item.before}{item.phrase}{item.after}".split()[0] in ("a", "the")
