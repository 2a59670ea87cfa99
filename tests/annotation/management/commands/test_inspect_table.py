import json

import pytest
from django.core.management import CommandError, call_command

from tests.annotation.messy import FILES
from tests.annotation.spreadsheets import book
from tests.factories import new_campaign

NAME = "notes first.xlsx"
PAIRS = [
    ["original", "paraphrase"],
    ["The old bridge gave way.", "The old bridge broke."],
    ["They look into it.", "They examine it."],
]


@pytest.fixture
def path(tmp_path):
    found = tmp_path / NAME
    found.write_bytes(FILES[NAME].make())
    return found


@pytest.fixture(autouse=True)
def campaign(db):
    return new_campaign()


def test_the_map_of_an_inspection_is_what_map_takes(campaign, path, capsys):
    call_command("inspect_table", str(path), "--campaign", "camp", "--json")
    mapping = path.with_suffix(".json")
    mapping.write_text(capsys.readouterr().out, encoding="utf-8")
    found = json.loads(mapping.read_text(encoding="utf-8"))
    assert found["sheets"][1] == {"name": "Daten", "rows": 20} and found["missing"] == []
    call_command("import_items", "camp", str(path), "--map", str(mapping))
    assert campaign.items.count() == 6 and "18 rows read; added" in capsys.readouterr().out
    assert campaign.column_mappings.get().mapping == found["map"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"role": "verse"}, "none of item"),
        ({"of": 5}, "of must be a text"),
    ],
)
def test_unknown_roles_end_with_2_and_a_line(path, change, why):
    mapping = path.with_suffix(".json")
    column = {"column": "A", "name": "Id", "role": "item", **change}
    mapping.write_text(json.dumps({"what": "items", "columns": [column]}), encoding="utf-8")
    with pytest.raises(CommandError, match=why) as refused:
        call_command("import_items", "camp", str(path), "--map", str(mapping))
    assert refused.value.returncode == 2 and str(refused.value).startswith(f"{mapping}:1: ")


def test_an_import_waits_while_anything_asks_and_takes_what_is_accepted(campaign, tmp_path, capsys):
    """Of a table that is guessed, and of a map that was kept with its question."""
    path, mapping = tmp_path / "sheets.xlsx", tmp_path / "map.json"
    path.write_bytes(book(dict.fromkeys(("Anna", "Ben"), PAIRS)))
    call_command("inspect_table", str(path), "--what", "items", "--json")
    seen = json.loads(capsys.readouterr().out)
    [question] = seen["map"]["ask"]
    assert "Ben" in question and question in seen["missing"]
    mapping.write_text(json.dumps(seen["map"]), encoding="utf-8")
    for given in ([], ["--map", str(mapping)]):
        with pytest.raises(CommandError, match="Look at the table first") as refused:
            call_command("import_items", "camp", str(path), *given)
        assert refused.value.returncode == 2 and not campaign.items.exists()
    call_command("import_items", "camp", str(path), "--sheet", "Ben", "--dry-run")
    call_command("import_items", "camp", str(path), "--map", str(mapping), "--accept-unsure")
    assert campaign.items.count() == 2
