"""Exports: lossless, whole or not at all, and right in their numbers."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.models import Campaign, Judgment
from annotation.services.campaigns.campaigns import campaign_create
from annotation.services.importing import gold_import, items_import, judgments_import
from annotation.services.people.exclusions import exclusion_add
from scoring.models import ExportFile
from scoring.selectors.gold.outcomes import gold_columns
from scoring.selectors.ratings.tables import ratings_get
from scoring.services.reports.exports import export_make, export_order
from tests.factories import add_items, add_judgments
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.services.reports.files import written

pytestmark = pytest.mark.django_db


RICH = [
    {"item": "one", "phrase": "red", "sentence": "A red car.", "paraphrase": "crimson",
     "system": "S1", "rank": 1, "reference": "A car in red.", "reference_2": "One red car.",
     "attr.item.domain": "cars", "attr.phrase.words": 1, "attr.substitution.cost": [1, 2],
     "attr.system.year": 2008, "attr.output.p": 0.25},
    {"item": "uno", "phrase": "red", "sentence": "A red car."},
    {"item": "one", "phrase": "red", "sentence": "A red car.", "paraphrase": "crimson",
     "system": "S2", "rank": 1},
    {"item": "one", "phrase": "red", "sentence": "A red car.", "paraphrase": "scarlet",
     "system": "S1", "rank": 2},
    {"item": "one", "phrase": "red", "sentence": "A red car.", "system": "S3"},
    {"item": "one", "phrase": "red", "sentence": "A red car.", "paraphrase": "green",
     "role": "control", "own_sentence": "A green bus.", "own_start": 2, "own_end": 7},
    {"item": "one", "phrase": "red", "sentence": "A red car.", "paraphrase": "let scar",
     "role": "degraded", "made_from": "scarlet"},
    {"phrase": "=1+1", "sentence": "It says =1+1 here.", "paraphrase": "@two\twords"},
    {"item": "bare", "phrase": "car", "sentence": "A red car."},
]  # fmt: skip

SAID = [
    {"item": "one", "paraphrase": "crimson", "annotator": "a", "scale": "MEANING", "value": 5,
     "judged_at": "2008-01-02T03:04:05+00:00", "comment": "sure"},
    {"item": "one", "paraphrase": "crimson", "annotator": "a", "scale": "MEANING", "value": 4,
     "occasion": 2},
    {"item": "one", "paraphrase": "crimson", "annotator": "b", "scale": "MEANING",
     "reason": "no idea"},
    {"item": "one", "paraphrase": "crimson", "annotator": "b", "scale": "GRAMMAR", "value": 3,
     "status": "surplus"},
    {"item": "one", "paraphrase": "crimson", "annotator": "c", "scale": "GRAMMAR", "value": 2,
     "kind": "adjudication"},
    {"item": "one", "paraphrase": "green", "role": "control", "own_sentence": "A green bus.",
     "own_start": 2, "own_end": 7, "annotator": "a", "scale": "MEANING", "value": 1},
]  # fmt: skip


def copy_of(campaign: Campaign, slug: str, format: str) -> Campaign:
    """A new campaign from the exports of another."""
    copy = campaign_create(actor=None, slug=slug)
    for what, take in (("items", items_import), ("judgments", judgments_import)):
        if what == "judgments" and not campaign.judgments.exists():
            continue
        data = written(campaign, what, format=format)
        report = take(
            campaign=copy, stream=io.BytesIO(data), name=f"x.{format}", format=format, actor=None
        )
        assert report.ok, report.problems
    return copy


@pytest.mark.parametrize("format", ["jsonl", "csv", "tsv"])
def test_export_import_export_is_the_same_file(format: str) -> None:
    campaign = campaign_create(actor=None, slug="rich")
    add_items(campaign, RICH)
    add_judgments(campaign, SAID)
    copy = copy_of(campaign, "copy", format)
    for what in ("items", "judgments"):
        first, second = (written(one, what, format="jsonl") for one in (campaign, copy))
        if format == "jsonl":
            assert second == first
        assert len(second.splitlines()) == len(first.splitlines())
    counts = [
        (c.items.count(), c.substitutions.count(), c.systems.count(), c.judgments.count(),
         c.outside_ids.count())
        for c in (campaign, copy)
    ]  # fmt: skip
    assert counts == [(3, 5, 3, 6, 3)] * 2
    degraded = copy.substitutions.get(role="degraded")
    assert degraded.made_from is not None and degraded.made_from.text == "scarlet"


def test_importing_an_export_again_changes_nothing() -> None:
    campaign = campaign_create(actor=None, slug="rich")
    add_items(campaign, RICH)
    add_judgments(campaign, SAID)
    for what, take in (("items", items_import), ("judgments", judgments_import)):
        data = written(campaign, what, format="jsonl")
        report = take(
            campaign=campaign, stream=io.BytesIO(data), name="x.jsonl", format="jsonl", actor=None
        )
        assert report.ok and not any(report.counts.values()), report


def test_the_original_of_a_copy_must_be_there() -> None:
    campaign = campaign_create(actor=None, slug="rich")
    copy = next(row for row in RICH if "made_from" in row)
    with pytest.raises(ValueError, match="'scarlet' is no text of this item"):
        add_items(campaign, [copy])
    with pytest.raises(ValueError, match="is only for copies"):
        add_items(campaign, [{**copy, "role": "output"}])
    assert not campaign.items.exists()
    add_items(campaign, RICH[:4])
    add_items(campaign, [copy])
    made = campaign.substitutions.get(role="degraded")
    assert made.made_from is not None and made.made_from.role == "output"


TEXT = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=12
).filter(lambda text: text.strip() == text and text != "")

ROWS = st.lists(
    st.fixed_dictionaries(
        {"phrase": TEXT, "paraphrase": TEXT, "system": st.sampled_from(["A", "B", "C"])},
        optional={"reference": TEXT},
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda row: (row["phrase"], row["system"]),
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=ROWS, format=st.sampled_from(["jsonl", "csv"]))
def test_any_text_survives(rows: list[dict[str, Any]], format: str) -> None:
    rows = [{k: unicodedata.normalize("NFC", v) for k, v in row.items()} for row in rows]
    if len({(row["phrase"], row["system"]) for row in rows}) < len(rows):
        return
    with transaction.atomic():
        campaign = campaign_create(actor=None, slug="source")
        add_items(campaign, rows)
        copy = copy_of(campaign, "copy", format)
        assert written(copy, "items", format="jsonl") == written(campaign, "items", format="jsonl")
        transaction.set_rollback(True)


def test_columns_of_judgments() -> None:
    campaign = campaign_create(actor=None, slug="rich")
    add_items(campaign, RICH)
    add_judgments(campaign, SAID)
    rows = list(csv.DictReader(io.StringIO(written(campaign, "judgments").decode())))
    by_key = {(r["annotator"], r["scale"], r["occasion"], r["role"]): r for r in rows}
    first = by_key["a", "MEANING", "1", "output"]
    assert (first["value"], first["comment"]) == ("5", "sure")
    assert first["judged_at"] == "2008-01-02T03:04:05+00:00"
    assert by_key["b", "MEANING", "1", "output"]["reason"] == "no idea"
    assert by_key["b", "GRAMMAR", "1", "output"]["status"] == "surplus"
    assert by_key["c", "GRAMMAR", "1", "output"]["kind"] == "adjudication"
    assert by_key["a", "MEANING", "1", "control"]["own_sentence"] == "A green bus."


def test_gold_export_is_gold_and_can_be_imported() -> None:
    campaign = hand_campaign()
    rows = [json.loads(line) for line in written(campaign, "gold", format="jsonl").splitlines()]
    ratings = ratings_get(campaign=campaign)
    columns = gold_columns(campaign=campaign, ratings=ratings)
    assert [row["paraphrase"] for row in rows] == ["one", "two", "three"]
    assert rows[1]["MEANING"] == 3 and rows[1]["MEANING_n"] == 3
    assert rows[1]["MEANING_sd"] == pytest.approx(1)
    assert [row["pass"] for row in rows] == [True, False, False]
    assert rows[0]["systems"] == ["S0", "S1"]
    assert sorted(row["GRAMMAR"] for row in rows) == sorted(columns["GRAMMAR"].mean.tolist())
    other = campaign_create(actor=None, slug="other")
    items = io.BytesIO(written(campaign, "items", format="jsonl"))
    items_import(campaign=other, stream=items, name="i.jsonl", format="jsonl", actor=None)
    report = gold_import(
        campaign=other, stream=io.BytesIO(written(campaign, "gold")), name="g.csv", format="csv",
        actor=None,
    )  # fmt: skip
    assert report.ok and report.counts == {"gold": 6}
    imported = gold_columns(campaign=other, ratings=ratings_get(campaign=other))
    for name in ("MEANING", "GRAMMAR"):
        assert imported[name].mean.tolist() == pytest.approx(columns[name].mean.tolist())
        assert imported[name].n.tolist() == columns[name].n.tolist()


def test_matrix_has_a_column_for_each_annotator() -> None:
    campaign = hand_campaign()
    rows = list(csv.DictReader(io.StringIO(written(campaign, "matrix", scale="MEANING").decode())))
    assert [tuple(row.values()) for row in rows] == [
        ("one", "i0", "first", "5", "4", ""),
        ("two", "i1", "second", "2", "4", "3"),
        ("three", "i1", "second", "1", "", "1"),
    ]
    assert list(rows[0])[3:] == ["a", "b", "c"]


def test_ccb_survives_its_own_import() -> None:
    campaign = campaign_create(actor=None, slug="guide")
    source = Path("examples/ccb/judged.csv").read_bytes()
    for take, options in ((items_import, {}), (judgments_import, {"annotator": "ccb"})):
        report = take(
            campaign=campaign, stream=io.BytesIO(source), name="j.csv", format="ccb", actor=None,
            **options,
        )  # fmt: skip
        assert report.ok, report.problems
    data = written(campaign, "ccb", annotator="ccb")
    for take, options in ((items_import, {}), (judgments_import, {"annotator": "ccb"})):
        report = take(
            campaign=campaign, stream=io.BytesIO(data), name="j.csv", format="ccb", actor=None,
            **options,
        )  # fmt: skip
        assert report.ok and not any(report.counts.values()), (report, data)
    copy = campaign_create(actor=None, slug="copy")
    for take, options in ((items_import, {}), (judgments_import, {"annotator": "ccb"})):
        report = take(
            campaign=copy, stream=io.BytesIO(data), name="j.csv", format="ccb", actor=None,
            **options,
        )  # fmt: skip
        assert report.ok, report.problems
    assert copy.substitutions.count() == campaign.substitutions.count()
    assert copy.judgments.count() == campaign.judgments.count()
    assert written(copy, "ccb", annotator="ccb") == data


def test_excluded_texts_stay_in_items_but_not_in_gold() -> None:
    campaign = hand_campaign()
    exclusion_add(target=campaign.substitutions.get(text="two"), reason="x", actor=None)
    assert b'"two"' in written(campaign, "items", format="jsonl")
    assert b'"two"' not in written(campaign, "gold", format="jsonl")


def test_file_of_a_worker_is_whole() -> None:
    campaign = hand_campaign()
    file = export_order(campaign=campaign, actor=None, what="judgments", format="csv")
    export_make(export_pk=file.pk)
    file.refresh_from_db()
    data = (Path(django_settings.DATA_DIR) / file.path).read_bytes()
    assert (file.status, file.rows) == ("done", Judgment.objects.count())
    assert (file.size, file.sha256) == (len(data), hashlib.sha256(data).hexdigest())
    assert data == written(campaign, "judgments")


def test_failed_file_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from scoring.services.reports import exports

    def broken(**_: Any) -> Any:
        raise OSError("No space left on device")

    campaign = hand_campaign()
    file = export_order(campaign=campaign, actor=None, what="items", format="csv")
    monkeypatch.setattr(exports, "export_write", broken)
    export_make(export_pk=file.pk)
    file = ExportFile.objects.get()
    assert file.status == "failed" and "No space left" in file.error
    folder = exports.export_path(file).parent
    assert not list(folder.glob(f"{file.key}*"))
