"""Callison-Burch evaluation files: the layout of the 2008 guide, and what goes wrong with it."""

import pytest

from annotation.importers import recover_case
from tests.annotation.importers.ccb_files import BLANK, read

# The layout of its second sample: no numbers, scores in front, no conditions.
JUDGED = """\
SMALL TOWNS
MEANING GRAMMAR trains no longer stop in __SMALL TOWNS__ .
2 2 trains no longer stop in __small__ .
5\t4\ttrains no longer stop in __little towns__ .
3,5,trains no longer stop in __villages__ .
trains no longer stop in __towns__ .
4\t\ttrains no longer stop in __the small towns__ .
"""


def test_a_blank_file():
    parsed = read(BLANK)
    assert parsed.problems == ()
    assert parsed.judgments == ()
    assert [(row.line, row.paraphrase, row.system, row.rank) for row in parsed.items] == [
        (2, None, None, None),
        (3, "finally", "1", 1),
        (3, "finally", "9", 1),
        (4, "at last", "3", 1),
        (4, "at last", "5", 1),
        (4, "at last", "6", 1),
        (5, "the end", "0", 1),
        (5, "the end", "8", 1),
        (7, None, None, None),
        (8, "finally", "1", 1),
        (8, "finally", "9", 1),
    ]
    first = parsed.items[0]
    assert first.phrase == "in the end"
    assert first.sentence == "the ferry , which was late , in the end did not leave ."
    assert first.attributes == {
        "item": {"ccb_case": "lowered", "ccb_item": 1},
        "phrase": {"ccb_phrase": 1},
    }


@pytest.mark.parametrize("text", ["", "\n\n", "SOME SHOUTING\n", "item,sentence\n1,A\n"])
def test_another_kind_of_file_is_refused(text):
    assert not read(text).ok


def test_a_campaign_that_knows_the_phrase_gives_it_its_case_back():
    def known(before, shouted, after):
        return "Small Towns" if shouted == "SMALL TOWNS" and after == " ." else None

    parsed = recover_case(read(JUDGED, annotator="a"), known)
    assert {row.phrase for row in parsed.items} == {"Small Towns"}
    assert {row.sentence for row in parsed.items} == {"trains no longer stop in Small Towns ."}
    assert {j.target.phrase for j in parsed.judgments} == {"Small Towns"}
    assert parsed.originals[0].case == "known"
    assert parsed.items[0].attributes["item"]["ccb_case"] == "known"
    same = read(BLANK)
    assert recover_case(same, lambda before, shouted, after: None) == same
