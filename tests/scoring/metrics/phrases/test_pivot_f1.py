"""Pivot F1, by hand and by its properties."""

import pytest

from scoring.metrics import Pair, create
from scoring.metrics.resources.kinds import convert

TABLE = """\
hund ||| dog ||| 1 1 1
hund ||| hound ||| 0.96 1 1
jagdhund ||| hound ||| 0.04 1 1
gross ||| big ||| 0.75 1 1
dick ||| big ||| 0.25 1 1
gross ||| large ||| 1 1 1
heisser hund ||| hot dog ||| 1 1 1
heiss ||| hot ||| 1 1 1
wurst ||| sausage ||| 0.5 1 1
heisser hund ||| sausage ||| 0.5 1 1
"""


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("pivot") / "phrases.txt"
    path.write_text(TABLE, "utf-8")
    return path


@pytest.mark.parametrize(
    ("original", "paraphrase", "order", "value"),
    [
        ("The BIG dog", "the big dog!", 1, 1.0),
        # Of the weights gross .75, dick .25, hund 1 and gross 1, hund 1: .75 and 1 are shared.
        ("big dog", "large dog", 1, 2 * 1.75 / 4),
        # jagdhund is below .05, and hund has all of the weight.
        ("dog", "hound", 1, 1.0),
        # The longest phrase: heisser, hund; a sausage is half of that, and half wurst.
        ("hot dog", "sausage", 1, 2 * 1.0 / 3.5),
        # With bigrams: heisser, hund, heisser hund, halved for the sausage, beside wurst .5.
        ("hot dog", "sausage", 2, 2 * 1.5 / 5),
        # Unknown words stand for themselves: each of two, one of which is shared.
        ("big dog zebra", "big dog gnu", 1, 2 * 2 / 6),
        ("big dog", "sausage", 1, 2 * 0.5 / 3.5),
        # A foreign word in the English text is no translation.
        ("dog dog gross", "dog dog big", 1, 2 * 2 / 6),
        ("dog", "?!", 1, None),
        ("", "dog", 1, None),
    ],
)
def test_worked_by_hand(table, original, paraphrase, order, value):
    found = create("pivot_f1", {"translations": str(table), "order": order})
    assert found.score(Pair(original, paraphrase)).value == pytest.approx(value)


def test_texts_that_cannot_be_compared(table):
    metric = create("pivot_f1", {"translations": str(table)})
    found = metric.score(Pair("big dog", "le chien est dog"))
    assert "25 %" in str(found.reason) and found.detail == {"covered": 0.25}


def test_a_store_gives_what_its_file_gives(table, tmp_path):
    counts = convert("translations", table, tmp_path, progress=print)
    assert counts == {"phrases": 7, "foreign": 7, "pairs": 10, "skipped": 0}
    mapped, plain = (create("pivot_f1", {"translations": str(path)}) for path in (tmp_path, table))
    pair = Pair("the hot dog of a big hound", "the large sausage of a dog")
    assert mapped.score(pair) == plain.score(pair)
    assert mapped.signature() == plain.signature()
