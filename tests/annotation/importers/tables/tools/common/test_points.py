import pytest

from annotation.importers.tables.books import Coded
from annotation.importers.tables.tools.common.points import number_of, plain, points_of


@pytest.mark.parametrize(
    ("words", "points"),
    [
        (["1", 2, "3.5"], {}),
        (["4 - nearly all", "5: all", "5: all"], {"4 - nearly all": 4, "5: all": 5}),
        (["(1) bad", "2점"], {"(1) bad": 1, "2점": 2}),
        (["MEANING 4", "MEANING 5"], {"MEANING 4": 4, "MEANING 5": 5}),
        (["good (4)", "bad (2)"], {"good (4)": 4, "bad (2)": 2}),
        ([Coded(0, "1"), Coded(1, "2")], {}),
        (["good", "bad"], None),
        (["1 of 5", "2 of 5"], None),  # two numbers in a word
        (["4 good", "4 fine"], None),  # one number for two words
        (["4 | 5"], None),
        (["4 good", "fine"], None),
        ([None, ""], {}),
    ],
)
def test_points_are_what_every_word_says(words, points):
    assert points_of(words) == points


def test_numbers():
    assert [
        number_of(one, {"4 good": 4.0}) for one in ("4 good", "3", 2, "good", Coded(0, "1"))
    ] == [
        4,
        3,
        2,
        "good",
        1,
    ]
    assert plain({"a": ["ä"]}) == '{"a": ["ä"]}' and plain(3) == 3
