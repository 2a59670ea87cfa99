"""Released data say what is excluded, why and since when, and name each text by its content."""

from __future__ import annotations

import csv
import hashlib
import io
from typing import Any

import pytest

from annotation.exporters import write_rows
from annotation.models import Campaign
from annotation.services.people.exclusions import exclusion_add, exclusion_lift
from scoring.selectors.exports import gold, people, rows
from scoring.selectors.exports.rows import Export
from tests.factories import add_items, make_annotator, make_campaign, make_user, rate_all

pytestmark = pytest.mark.django_db
TEXT = ("phrase", "sentence", "start", "end", "paraphrase")


def read(export: Export) -> list[dict[str, str]]:
    stream = io.BytesIO()
    write_rows(export.rows, stream, export.columns, format="csv")
    return list(csv.DictReader(io.StringIO(stream.getvalue().decode())))


@pytest.fixture
def judged() -> Campaign:
    """4 items of two systems; every third text is made by both."""
    campaign = make_campaign(items=4, systems=2, k=2)
    for name in ("bob", "ben"):
        rate_all(make_annotator(campaign, name))
    return campaign


def out(target: Any, reason: str) -> Any:
    return exclusion_add(target=target, reason=reason, actor=make_user("alice"), free_slots=False)


def test_rows_of_an_excluded_annotator_say_so(judged: Campaign) -> None:
    bob = make_annotator(judged, "bob")
    exclusion = out(bob, "fails 3 of 4 controls")
    for export in (rows.judgments(campaign=judged), rows.history(campaign=judged)):
        for row in read(export):
            wanted = "annotator" if row["annotator"] == bob.code else ""
            assert row["excluded"] == wanted
            assert row["excluded_reason"] == ("fails 3 of 4 controls" if wanted else "")
            assert bool(row["excluded_since"]) == bool(wanted)
    assert {row["status"] for row in read(rows.judgments(campaign=judged))} == {"counted"}
    told = {row["annotator"]: row for row in read(people.annotators(campaign=judged))}
    assert told[bob.code]["excluded_reason"] == "fails 3 of 4 controls"
    assert told[bob.code]["excluded_since"].startswith(f"{exclusion.starts_at:%Y-%m-%dT%H:%M}")
    assert told[make_annotator(judged, "ben").code]["excluded_since"] == ""
    exclusion_lift(exclusion=exclusion, actor=make_user("alice"))
    assert {row["excluded"] for row in read(rows.judgments(campaign=judged))} == {""}


@pytest.mark.parametrize("kind", ["phrase", "item", "substitution", "system"])
def test_rows_of_excluded_texts_say_so(judged: Campaign, kind: str) -> None:
    text = judged.substitutions.filter(text="system 0 paraphrase 0").get()
    targets = {
        "phrase": text.item.phrase, "item": text.item, "substitution": text,
        "system": judged.systems.get(label="S0"),
    }  # fmt: skip
    out(targets[kind], "broken")
    inside = {
        "phrase": lambda row: row["phrase"] == text.item.phrase.text,
        "item": lambda row: row["sentence"] == text.item.sentence,
        "substitution": lambda row: row["paraphrase"] == text.text,
        # What another system produced too stays.
        "system": lambda row: row["systems"] == "S0",
    }[kind]
    found = read(rows.judgments(campaign=judged))
    assert 0 < sum(map(inside, found)) < len(found)
    for row in found:
        assert row["excluded"] == (kind if inside(row) else "")


def key_by_hand(row: dict[str, str]) -> str:
    digest = hashlib.sha256()
    own = row.get("own_sentence") and row.get("own_start")
    parts = [row["phrase"], row["sentence"], row["start"], row["end"], row["paraphrase"]]
    if own:
        parts[1:4] = row["own_sentence"], row["own_start"], row["own_end"]
    for part in ("text", *parts):
        digest.update(b"%d:" % len(part.encode()) + part.encode())
    return digest.hexdigest()[:16]


def test_a_text_has_one_key_in_all_files_and_after_import(judged: Campaign) -> None:
    files = {
        "items": read(rows.items(campaign=judged)),
        "judgments": read(rows.judgments(campaign=judged)),
        "gold": read(gold.golds(campaign=judged)),
    }
    keys = {name: {row["text_key"] for row in found} for name, found in files.items()}
    assert keys["items"] == keys["judgments"] == keys["gold"] and len(keys["items"]) == 7
    for found in files.values():
        assert all(row["text_key"] == key_by_hand(row) for row in found)
    again = make_campaign("again", items=1, open_it=False)
    again.items.all().delete()
    add_items(again, [
        {name: value for name, value in row.items() if value} for row in files["items"]
    ])  # fmt: skip
    assert {row["text_key"] for row in read(rows.items(campaign=again))} == keys["items"]
