"""Callison-Burch evaluation files: the layout of the 2008 guide, and what goes wrong with it."""

import pytest

from annotation.importers.ccb import read_ccb, recover_case
from tests.annotation.importers.reading import check_first
from tests.annotation.strategies import stream

# The layout of the guide's first sample, with sentences of our own.
BLANK = """\
IN THE END (phrase number: 1)
MEANING GRAMMAR the ferry , which was late , __IN THE END__ did not leave . (item number: 1)
the ferry , which was late , __finally__ did not leave . 1,9
the ferry , which was late , __at last__ did not leave . 3,5,6
the ferry , which was late , __the end__ did not leave .0,8

MEANING GRAMMAR __IN THE END__ Anna paid . (item number: 2)
__finally__ Anna paid . 1,9

"""


def read(text, **options):
    return read_ccb(stream(text), name="e.csv", **options)


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


def test_a_phrase_beside_capitals_keeps_its_form_and_says_so():
    original = read(BLANK).originals[1]
    assert (original.before, original.shouted, original.after) == ("", "IN THE END", " Anna paid .")
    assert (original.phrase, original.case) == ("IN THE END", "kept")
    assert (original.phrase_number, original.item_number) == (1, 2)


def test_a_sentence_that_begins_with_numbers_is_not_taken_for_scores():
    text = "MEN\nMEANING GRAMMAR 5 4 old __MEN__ 1 2\n5 4 old __x__ 1 2\n3 2 5 4 old __y__ 1 2 7\n"
    parsed = read(text, annotator="a")
    assert parsed.ok
    assert [(row.paraphrase, row.system) for row in parsed.items[1:]] == [("x", None), ("y", "7")]
    assert [j.value for j in parsed.judgments] == [3, 2]


@pytest.mark.parametrize(
    ("old", "new", "line", "part"),
    [
        ("late , __at", "early , __at", 4, "before the paraphrase"),
        ("not leave . 3,5,6", "not sail . 3,5,6", 4, "behind the paraphrase"),
        ("leave . 3,5,6", "leave . 3,5,6 and more", 4, "behind the paraphrase"),
        ("the ferry , which was late , __at", "x 2 the ferry , which was late , __at", 4, "scores"),
        (
            "the ferry , which was late , __at",
            "2 the ferry , which was late , __at",
            4,
            "one score",
        ),
        ("__at last__", "____", None, ""),
        ("__at last__ did not leave . 3,5,6", "____ did not leave .", 4, "empty"),
        ("3,5,6", "1,5,6", 4, "line 3"),
        ("__IN THE END__ did", "IN THE END did", 2, "once between"),
        ("__IN THE END__ did", "__AT THE END__ did", 2, "header"),
        ("MEANING GRAMMAR the", "the", 2, "no original above"),
        ("at last", "at\0last", 4, "NUL"),
    ],
)
def test_a_wrong_line_is_told_with_its_number(old, new, line, part):
    assert old in BLANK
    parsed = read(BLANK.replace(old, new, 1))
    if line is None:
        assert parsed.ok
        assert (None, "3") in {(row.paraphrase, row.system) for row in parsed.items}
        return
    check_first(parsed, line, part)
