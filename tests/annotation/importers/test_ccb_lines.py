"""The lines of a Callison-Burch evaluation file, taken apart one by one."""

import pytest

from tests.annotation.importers.ccb_files import BLANK, read
from tests.annotation.importers.reading import check_first


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
