"""Published judgments of PPDB pairs."""

import io

import pytest

from annotation.importers.gold import read_gold
from annotation.importers.items import read_items
from annotation.importers.judgments import PpdbRecords, read_judgments
from tests.annotation.importers.reading import check_first

FILE = """\
3.6\t[NP]\tthis video\tthe movie\t3.0,3.0,4.0,4.0,4.0
1.0\t[FRAG]\t= mr . x\t, mr y .\t1.0,1.0,1.0,1.0

2\t\tgross\tbig\t1,3
"""


def source(what, text=FILE):
    return PpdbRecords(io.BytesIO(text.encode()), what)


def test_items_judgments_and_gold_of_one_file():
    items = read_items(source("items"), name="f", format="ppdb")
    assert not items.problems
    assert [(row.line, row.phrase, row.sentence, row.paraphrase) for row in items.rows] == [
        (1, "this video", "this video", "the movie"),
        (2, "= mr . x", "= mr . x", ", mr y ."),
        (4, "gross", "gross", "big"),
    ]
    assert [dict(row.attributes) for row in items.rows] == [
        {"substitution": {"category": "NP"}},
        {"substitution": {"category": "FRAG"}},
        {},
    ]
    judged = read_judgments(source("judgments"), name="f", format="ppdb", anonymous=True)
    assert not judged.problems
    assert [(row.line, row.annotator, row.scale, row.value) for row in judged.rows] == [
        *((1, "", "MEANING", value) for value in (3, 3, 4, 4, 4)),
        *((2, "", "MEANING", 1) for _ in range(4)),
        (4, "", "MEANING", 1),
        (4, "", "MEANING", 3),
    ]
    gold = read_gold(source("gold"), name="f", scales=["MEANING"], format="ppdb")
    assert [(row.value, row.n, row.method) for row in gold.rows] == [
        (pytest.approx(3.6), 5, "mean"),
        (1, 4, "mean"),
        (2, 2, "mean"),
    ]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("3.0\t[NP]\ta\tb", "not the five fields"),
        ("3.0\t[NP]\ta\t \t3", "not the five fields"),
        ("x\t[NP]\ta\tb\t3,3", "no number"),
        ("3\t[NP]\ta\tb\t3,nan", "no number"),
        ("3\t[NP]\ta\tb\t", "no number"),
        ("3.5\t[NP]\ta\tb\t3,3", "gives the mean '3.5'"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(line, told):
    check_first(read_items(source("items", FILE + line + "\n"), name="f", format="ppdb"), 5, told)
