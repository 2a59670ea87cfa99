"""Gold made elsewhere, kept by its source."""

import pytest

from annotation.importing import gold
from annotation.models import ImportBatch, ImportedGold
from tests.annotation.services.importing.files import SENTENCE, beaten, load_gold, refused

ROW = {"item": "i1", "paraphrase": "the rug", "MEANING": 3.5}


def stored():
    return list(ImportedGold.objects.order_by("pk").values_list("source", "scale__name", "value"))


def test_values_are_added_once_under_the_name_of_the_file(rug):
    report = load_gold(rug, {**ROW, "GRAMMAR": 5})
    assert report.ok and report.counts == {"gold": 2}
    assert sorted(stored()) == [("gold.jsonl", "GRAMMAR", 5), ("gold.jsonl", "MEANING", 3.5)]
    again = load_gold(rug, ROW)
    assert again.ok and again.batch is None and again.counts == {"gold": 0}
    assert ImportBatch.objects.filter(what="gold").get() == report.batch


def test_another_value_needs_another_source(rug):
    load_gold(rug, ROW, source="paper")
    report = load_gold(rug, {**ROW, "MEANING": 4, "GRAMMAR": 5}, source="paper")
    assert "paper says 3.5 in the campaign and 4 here: name another source" in refused(report)
    assert stored() == [("paper", "MEANING", 3.5)]
    assert load_gold(rug, {**ROW, "MEANING": 4}, source="erratum").ok
    assert stored() == [("paper", "MEANING", 3.5), ("erratum", "MEANING", 4)]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"MEANING": 5.5}, "5.5 is not between 1 and 5"),
        ({"MEANING": 0.99}, "0.99 is not between 1 and 5"),
        ({"item": "i7"}, "there is no item 'i7'"),
    ],
)
def test_one_wrong_row_keeps_the_whole_file_out(rug, wrong, words):
    good = {"item": "i1", "paraphrase": "the rug", "GRAMMAR": 4}
    assert words in refused(load_gold(rug, good, {**ROW, **wrong}))
    assert stored() == []


def test_two_values_of_one_text_named_in_two_ways_are_an_error(rug):
    place = {"item": None, "phrase": "the mat", "sentence": SENTENCE}
    for options in ({"dry_run": True}, {}):
        report = load_gold(rug, ROW, {**ROW, **place}, **options)
        assert [problem.line for problem in report.problems] == [2] and stored() == []
        assert "has a value in line 1 too: remove one" in refused(report)


def test_gold_written_at_the_same_time_is_a_conflict(rug):
    with beaten(lambda: load_gold(rug, ROW), gold.GoldComparison, "compare") as conflict:
        load_gold(rug, {**ROW, "MEANING": 2})
    assert "import it again" in str(conflict.value)
    assert stored() == [("gold.jsonl", "MEANING", 3.5)]
