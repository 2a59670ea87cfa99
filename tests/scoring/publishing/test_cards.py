"""Cards and metadata."""

import hashlib
import json
import warnings
from dataclasses import replace

import pytest
import yaml

from scoring.publishing.croissant import croissant
from scoring.publishing.package_files import (
    BackgroundCount,
    PackageFacts,
    PackageTable,
    data_card,
    data_statement,
    licence_text,
    zenodo,
)

TABLES = [
    PackageTable(
        "ratings",
        "a rating",
        [("item", "text"), ("value", "number"), ("A + B", "number")],
        3,
        "a" * 64,
        "b" * 64,
    ),
]


def facts(**changes):
    found = {
        "slug": "camp",
        "name": 'A "camp": one',
        "description": "Why.",
        "languages": ["en", "no"],
        "scales": [("MEANING", "How much | of it?", 1.0, 5.0)],
        "systems": ["S1", "S2"],
        "texts": 4,
        "contexts": "1 phrase in 2 sentences",
        "judgments": 2,
        "ratings": 3,
        "annotators": 8,
        "simulated": 0,
        "collected": ["2 judgments of 8 annotators were imported from Potato."],
        "kinds": ["crowdsourced"],
        "reported": {"texts": "Drawn at random"},
        "data": "d" * 64,
        "first": "2026-01-01",
        "last": "2026-01-02",
        "licence": "cc-by-4.0",
        "creators": ["Doe, Jane"],
        "version": "1.0",
        "background": [BackgroundCount("First language?", [("en", 5)], 2, 1)],
    }
    return PackageFacts(**{**found, **changes})


def head(text):
    found = yaml.safe_load(text.split("---\n")[1])
    return found


def test_the_head_of_the_card_is_yaml():
    found = head(data_card(facts(), TABLES))
    assert found["pretty_name"] == 'A "camp": one'
    # Norwegian is no truth value.
    assert found["language"] == ["en", "no"]
    assert found["license"] == "cc-by-4.0"
    assert found["size_categories"] == ["n<1K"]
    assert found["configs"] == [
        {"config_name": "ratings", "data_files": "data/ratings.parquet", "default": True}
    ]


def test_simulated_ratings_are_said_to_be_that():
    card = data_card(facts(simulated=8, kinds=["machine-generated"]), TABLES)
    assert head(card)["annotations_creators"] == ["machine-generated"]
    assert "8 of 8 annotators are SIMULATED" in card
    assert "SIMULATED" not in data_card(facts(), TABLES)


def test_who_annotated_is_said_if_somebody_said_so():
    assert head(data_card(facts(), TABLES))["annotations_creators"] == ["crowdsourced"]
    card = data_card(facts(kinds=[]), TABLES)
    assert "annotations_creators" not in head(card) and "Annotators: not reported." in card
    assert "8 annotators, 2 judgments (a text by an annotator), 3 ratings (a value" in card
    assert "were imported from Potato" in card and "data dddddddddddd" in card
    said = data_statement(facts(reported={"texts": "At random.", "pay": ""}))
    assert "## Curation rationale\n\nAt random.\n" in said and "Pay: not reported." in said
    assert "browser" not in said and "were imported from Potato" in said


def test_cells_do_not_break_a_table():
    assert "How much \\| of it?" in data_card(facts(), TABLES)


def test_the_statement_counts_and_never_lists():
    said = data_statement(facts())
    assert "| en | 5 |" in said
    assert "| other answers, each of fewer than five | 2 |" in said
    assert "No background questions" in data_statement(facts(background=()))
    assert "questions" not in data_statement(facts(background=(), asked_here=False))


def test_without_a_licence_nothing_is_open():
    assert "all rights are reserved" in licence_text(facts(licence=""))
    assert "creativecommons.org/licenses/by/4.0" in licence_text(facts())
    assert zenodo(facts())["license"] == "cc-by-4.0"
    closed = zenodo(facts(licence="", creators=[]))
    assert closed["access_right"] == "restricted" and "license" not in closed
    assert closed["creators"]


# Croissant, checked by MLCommons' own reader.


@pytest.mark.slow
@pytest.mark.parametrize("changes", [{}, {"licence": "", "creators": [], "last": ""}])
def test_mlcroissant_reads_it(tmp_path, changes):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import mlcroissant
    text = b"item,value,A + B\nx,4,\ny,2.5,7\n"
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "ratings.csv").write_bytes(text)
    table = replace(TABLES[0], sha256=hashlib.sha256(text).hexdigest())
    path = tmp_path / "croissant.json"
    path.write_text(json.dumps(croissant(facts(**changes), [table])), "utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = mlcroissant.Dataset(str(path))
        assert not found.metadata.ctx.issues.errors
        rows = list(found.records("ratings"))
    assert [row["ratings/value"] for row in rows] == [4, 2.5]
