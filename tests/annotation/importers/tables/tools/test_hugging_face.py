import pytest

from tests.annotation.importers.tables.tools.checking import asks, check, of, table


@pytest.mark.parametrize("name", of("datasets"))
def test_what_comes_out(name):
    check(name)


def test_a_plain_table_is_left_to_the_table():
    assert table([{"original": "It is so.", "paraphrase": "So it is.", "meaning": 3}]).tool == ""


def test_lists_of_different_lengths_are_no_judgments():
    row = {
        "original": "It is so.",
        "paraphrase": "So it is.",
        "annotators": ["a", "b"],
        "meaning": [4],
    }
    seen = table([row])
    assert isinstance(seen, str) or asks(seen)
