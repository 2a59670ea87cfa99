"""Rows of items files."""

from scoring.building.test_sets.building import item_rows
from tests.scoring.on_files.test_test_set_rows import ONE


def test_a_system_that_gives_nothing_has_a_row_for_its_first_rank():
    rows = list(item_rows([ONE]))
    assert [(row["system"], row["rank"], row["paraphrase"]) for row in rows] == [
        ("0", 1, "the dog"),
        ("1", 1, None),
        ("2", 1, "the dog"),
        ("0", 2, "dogs"),
    ]
    first = rows[0]
    assert (first["item"], first["start"], first["end"]) == ("1.1", 0, 5)
    assert (first["attr.output.p"], first["attr.output.lm"]) == (0.123457, -3.1416)
    assert (first["attr.item.label"], first["attr.phrase.constituent"]) == ("NP", "yes")
