import pytest

from annotation.importers import read_items
from tests.annotation.importers.tables.test_mapped import TEXT, mapped, told


@pytest.mark.slow
def test_options_correct_what_people_write():
    rows = [
        ["s", "p", "t"],
        ["As a rule, it rains.", "as a rule", "mostly"],
        ["He said he said no.", "he said", "he told"],
        ["No text here.", "text", None],
    ]
    parsed = read_items(mapped(rows, TEXT), name="t.xlsx")
    assert told(parsed) == [
        "t.xlsx:2: column 'p (B)': 'as a rule' occurs only in different case in the sentence: "
        "correct one of the two"
    ]
    parsed = read_items(mapped(rows, TEXT, any_case=True, skip_incomplete=True), name="t.xlsx")
    assert [row.phrase for row in parsed.rows] == ["As a rule", "he said"]
    assert told(parsed) == ["t.xlsx:4: warning: the row is not complete: left out"]
    twice = [["s", "p", "t"], ["he said he said no.", "he said", "he told"]]
    assert "2 times" in told(read_items(mapped(twice, TEXT), name="t.xlsx"))[0]
    parsed = read_items(mapped(twice, TEXT, first_place=True), name="t.xlsx")
    assert (parsed.rows[0].start, parsed.ok) == (0, True)
