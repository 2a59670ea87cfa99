from hypothesis import given
from hypothesis import strategies as st

from annotation.importers.tables.books import is_empty, letters, place_of


@given(st.integers(0, 16_000))
def test_letters_of_a_column_lead_back_to_it(column):
    assert place_of(letters(column)) == column
    assert place_of(letters(column).lower()) == column


def test_letters_as_spreadsheets_have_them():
    assert [letters(at) for at in (0, 25, 26, 701, 702)] == ["A", "Z", "AA", "ZZ", "AAA"]
    assert [place_of(text) for text in ("", "ABCD", "Ä", "A1")] == [None] * 4
    assert is_empty(" \t") and is_empty(None) and not is_empty(0)
