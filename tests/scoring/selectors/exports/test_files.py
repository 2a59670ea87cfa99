"""The export files of a campaign."""

import csv
import hashlib
import io
from uuid import uuid4

import pytest

from annotation.errors import NotFound
from annotation.exporters.writers import write_rows
from annotation.people.exclusions import exclusion_add, exclusion_lift
from scoring.exports import gold
from scoring.exports import rows as exports_rows
from scoring.exports.rows import export_files, export_get
from scoring.models import ExportFile
from tests.factories import (
    add_items,
    make_annotator,
    make_campaign,
    make_user,
    new_campaign,
    rate_all,
)


def ordered(campaign, **fields):
    return ExportFile.objects.create(campaign=campaign, what="items", format="csv", **fields)


def test_the_newest_file_stands_first_others_have_their_own_and_finished_ones_are_had():
    campaign, other = make_campaign(items=1), make_campaign("other", items=1)
    first, foreign, second = ordered(campaign), ordered(other), ordered(campaign)
    assert list(export_files(campaign=campaign)) == [second, first]
    assert list(export_files(campaign=other)) == [foreign]
    for key in (foreign.key, uuid4()):
        with pytest.raises(NotFound):
            export_get(campaign=campaign, key=key)

    done = {"rows": 1, "size": 1, "sha256": "0" * 64, "path": "exports/x.csv"}
    for status, more in (("queued", {}), ("running", {}), ("failed", {"error": "x"})):
        file = ordered(campaign, status=status, **more)
        assert export_get(campaign=campaign, key=file.key) == file
        with pytest.raises(NotFound):
            export_get(campaign=campaign, key=file.key, finished=True)
    file = ordered(campaign, status="done", **done)
    assert export_get(campaign=campaign, key=file.key, finished=True) == file


# Released data say what is excluded, why and since when, and name each text by its content.


def read(export):
    stream = io.BytesIO()
    write_rows(export.rows, stream, export.columns, format="csv")
    return list(csv.DictReader(io.StringIO(stream.getvalue().decode())))


@pytest.fixture
def judged():
    """4 items of two systems; every third text is made by both."""
    campaign = make_campaign(items=4, systems=2, k=2)
    for name in ("bob", "ben"):
        rate_all(make_annotator(campaign, name))
    return campaign


def out(target):
    return exclusion_add(target=target, reason="broken", actor=make_user("alice"), free_slots=False)


def test_rows_of_an_excluded_annotator_say_so(judged):
    bob = make_annotator(judged, "bob")
    exclusion = out(bob)
    for export in (exports_rows.judgments(campaign=judged), exports_rows.history(campaign=judged)):
        for row in read(export):
            excluded = row["annotator"] == bob.code
            assert row["excluded"] == ("annotator" if excluded else "")
            assert row["excluded_reason"] == ("broken" if excluded else "")
            assert bool(row["excluded_since"]) == excluded
    assert {row["status"] for row in read(exports_rows.judgments(campaign=judged))} == {"counted"}
    of_people = {row["annotator"]: row for row in read(exports_rows.annotators(campaign=judged))}
    of_bob = of_people.pop(bob.code)
    assert of_bob["excluded_reason"] == "broken"
    assert of_bob["excluded_since"].startswith(f"{exclusion.starts_at:%Y-%m-%dT%H:%M}")
    assert {row["excluded_since"] for row in of_people.values()} == {""}
    exclusion_lift(exclusion=exclusion, actor=make_user("alice"))
    assert {row["excluded"] for row in read(exports_rows.judgments(campaign=judged))} == {""}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "column", "value"),
    [
        ("phrase", "phrase", "phrase 0"),
        ("item", "sentence", "Sentence 0 has phrase 0 in it."),
        ("substitution", "paraphrase", "system 0 paraphrase 0"),
        # What another system produced too stays.
        ("system", "systems", "S0"),
    ],
)
def test_rows_of_excluded_texts_say_so(judged, kind, column, value):
    text = judged.substitutions.get(text="system 0 paraphrase 0")
    out(
        {
            "phrase": text.item.phrase,
            "item": text.item,
            "substitution": text,
            "system": judged.systems.get(label="S0"),
        }[kind]
    )
    found = read(exports_rows.judgments(campaign=judged))
    inside = [row for row in found if row[column] == value]
    assert 0 < len(inside) < len(found)
    for row in found:
        assert row["excluded"] == (kind if row in inside else "")


def key_by_hand(row):
    own = "own_" if row.get("own_sentence") and row.get("own_start") else ""
    place = (row[f"{own}{name}"] for name in ("sentence", "start", "end"))
    digest = hashlib.sha256()
    for part in ("text", row["phrase"], *place, row["paraphrase"]):
        digest.update(b"%d:" % len(part.encode()) + part.encode())
    return digest.hexdigest()[:16]


def test_a_text_has_one_key_in_all_files_and_after_import(judged):
    items = read(exports_rows.items(campaign=judged))
    keys = {row["text_key"] for row in items}
    assert len(keys) == 7
    for file in (
        items,
        read(exports_rows.judgments(campaign=judged)),
        read(gold.golds(campaign=judged)),
    ):
        assert {row["text_key"] for row in file} == keys
        assert all(row["text_key"] == key_by_hand(row) for row in file)
    again = new_campaign("again")
    add_items(again, [{name: value for name, value in row.items() if value} for row in items])
    assert {row["text_key"] for row in read(exports_rows.items(campaign=again))} == keys
