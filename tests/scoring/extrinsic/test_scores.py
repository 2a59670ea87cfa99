"""Reading scores of paraphrases by the ids of texts."""

import numpy as np
import pytest

from scoring.extrinsic.report import read_scores


@pytest.fixture
def path(tmp_path):
    return tmp_path / "scores.csv"


def test_scores_stand_in_the_order_of_the_ids(path):
    path.write_text("id,one,two,other\nb,2,,x\nz,9,9,x\na,1,-1,x\n")
    found, problems = read_scores(path, ["one", "two"], ["a", "b", "c"])
    assert problems == ()
    assert np.array_equal(found["one"], [1, 2, np.nan], equal_nan=True)
    assert np.array_equal(found["two"], [-1, np.nan, np.nan], equal_nan=True)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("id,one\na,1\na,2\n", "3: column 'id': 'a' is already on line 2"),
        ("id,one\na,high\n", "2: column 'one': "),
        ("id,one\nx,1\n", "0: has none of the ids of the texts"),
        ("id,uno\na,1\n", "1: there is no column one"),
    ],
)
def test_what_is_a_problem(path, text, told):
    path.write_text(text)
    _, [problem] = read_scores(path, ["one"], ["a"])
    assert str(problem).startswith(f"{path}:{told}")
