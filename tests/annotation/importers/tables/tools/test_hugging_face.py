import zipfile
from io import BytesIO

import pytest

from tests.annotation.importers.tables.tools.checking import asks, check, inspected, of, table


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


@pytest.mark.parametrize(
    "features",
    ["features: [words]", "features: [{name: meaning, dtype: {class_label: {names: {a: b}}}}]"],
)
def test_a_card_that_says_nothing_of_use_is_no_obstacle(features):
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("README.md", f"---\ndataset_info:\n  {features}\n---\n")
        row = '{"original": "It is so.", "paraphrase": "So it is.", "meaning": 3}'
        packed.writestr("train.jsonl", f"{row}\n")
    assert not isinstance(inspected(file.getvalue(), "set.zip", "items"), str)
