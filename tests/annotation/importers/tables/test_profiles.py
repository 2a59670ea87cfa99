from datetime import date

from annotation.importers.tables.books import Coded
from annotation.importers.tables.profiles import contained, profile, same_texts


def test_what_stands_in_a_column():
    numbers = profile([1, 2.5, "3,5", None, date(2024, 5, 4)], ",")
    assert numbers.is_number and not numbers.is_text
    assert (numbers.filled, numbers.numeric, numbers.lowest, numbers.highest) == (0.8, 0.75, 1, 3.5)
    texts = profile(["a b", "", Coded(1, "c")], ".")
    assert texts.is_text and texts.n == 2 and texts.examples() == ["a b", "c"]
    assert profile(["x", "y"] * 9, ".").repeats and not profile(list("abcdefgh"), ".").repeats


def test_a_text_in_another():
    inner = profile(["Gave Way", "look into", "", "no"], ".")
    outer = profile(["It gave way.", "They look into it.", "x", "yes"], ".")
    assert contained(inner, outer) == 2 / 3
    assert contained(outer, inner) == 0
    assert same_texts(profile([1, 1, 2], "."), profile(["a", "a", "a"], "."))
    assert not same_texts(profile([1, 1], "."), profile(["a", "b"], "."))
