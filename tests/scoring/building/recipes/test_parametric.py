"""The recipe `parametric`."""

import csv

import pytest

from scoring.building.recipes.paraphrases import PARAMETRIC, open_rows, report_of
from scoring.building.recipes.recipe import make
from tests.scoring.building.recipes.stores import store_of

# By hand, as in tests of ParaMetric: the gold of kids is children, of children kids, and so on.
ALIGNED = "the kids sleep\tthe children sleep\t0-0 1-1 2?2\n"
TABLE = "kids\tchildren\t0.3\nkids\tpupils\t0.1\nchildren\tkids\t0.04\nsleep\tdoze\t0.01\n"


def rated(folder, table, **options):
    inputs = {
        "table": store_of("table", table, folder),
        "aligned": store_of("aligned_pairs", ALIGNED, folder),
    }
    return make(PARAMETRIC, inputs, folder / "made", options)


def test_a_curve_over_the_least_probability(tmp_path):
    made = rated(tmp_path, TABLE, max_words=1)
    rows = {row["least"]: row for row in report_of(made.store)["rows"]}
    # kids has children of two, children has kids, sleep has none of one: (1/2 + 1 + 0) / 3.
    for least, precision, recall in (
        (0, 1.5 / 3, 1),
        (0.02, 1.5 / 2, 1),
        (0.05, 0.5, 0.5),
        (0.2, 1, 0.5),
        (0.5, None, 0),
    ):
        found = rows[least]["precision"], rows[least]["recall"]
        assert found == (pytest.approx(precision), recall), least
    recalls = [row["recall"] for row in rows.values()]
    assert recalls == sorted(recalls, reverse=True)
    with made.plain.open(newline="") as stream:
        written = list(csv.DictReader(stream))
    assert len(written) == 10 and written[-1]["precision"] == ""
    assert float(written[0]["precision"]) == rows[0]["precision"]
    assert made.numbers == {"phrases": 4, "pairs": 2}


def test_a_table_that_is_its_gold_is_perfect_and_a_pair_without_probability_counts_at_0(
    tmp_path,
):
    made = rated(tmp_path, "kids\tchildren\nthe kids\tthe children\n", max_words=2)
    report = report_of(made.store)
    assert not report["directed"], "a table of pairs alone counts in both directions"
    (row,) = report["rows"]
    assert (row["precision"], row["phrases_with_paraphrases"]) == (1, 4)
    # kids sleep and children sleep are linked too, by the whole of the sentences.
    assert row["recall"] == pytest.approx(4 / 6)


def test_rows_of_a_file_have_their_direction(tmp_path):
    (tmp_path / "table.tsv").write_text(TABLE)
    table, directed = open_rows(tmp_path / "table.tsv")
    assert directed and len(table.left) == 4
