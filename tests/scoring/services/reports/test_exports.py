"""Exports: lossless, whole or not at all, and right in their numbers."""

import csv
import hashlib
import io
import json
import os
import re
import time
import unicodedata
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.errors import Invalid
from annotation.importing.gold import gold_import
from annotation.importing.items import items_import
from annotation.importing.judgments_write import judgments_import
from annotation.models import Judgment
from paraanno.jobs.engine import job_work
from scoring.exports import services
from scoring.exports.services import export_order
from scoring.gold.report import gold_columns
from scoring.models import ExportFile
from scoring.ratings.tables import ratings_get
from scoring.work.expiry import exports_expire
from tests.clients import client_of
from tests.factories import add_items, add_judgments, new_campaign
from tests.scoring.factories import written
from tests.scoring.hand import exclude, hand_campaign

IMPORTS = {"items": items_import, "judgments": judgments_import, "gold": gold_import}

RED = {"item": "one", "phrase": "red", "sentence": "A red car."}
GREEN = {
    "paraphrase": "green",
    "role": "control",
    "own_sentence": "A green bus.",
    "own_start": 2,
    "own_end": 7,
}
COPY = {**RED, "paraphrase": "let scar", "role": "degraded", "made_from": "scarlet"}
RICH = [
    {
        **RED,
        "paraphrase": "crimson",
        "system": "S1",
        "rank": 1,
        "reference": "A car in red.",
        "reference_2": "One red car.",
        "attr.item.domain": "cars",
        "attr.phrase.words": 1,
        "attr.substitution.cost": [1, 2],
        "attr.system.year": 2008,
        "attr.output.p": 0.25,
    },
    {**RED, "item": "uno"},
    {**RED, "paraphrase": "crimson", "system": "S2", "rank": 1},
    {**RED, "paraphrase": "scarlet", "system": "S1", "rank": 2},
    {**RED, "system": "S3"},
    {**RED, **GREEN},
    COPY,
    {"phrase": "=1+1", "sentence": "It says =1+1 here.", "paraphrase": "@two\twords"},
    {"item": "bare", "phrase": "car", "sentence": "A red car."},
]

CRIMSON = {"item": "one", "paraphrase": "crimson"}
JUDGED = [
    {
        **CRIMSON,
        "annotator": "a",
        "scale": "MEANING",
        "value": 5,
        "judged_at": "2008-01-02T03:04:05+00:00",
        "comment": "sure",
    },
    {**CRIMSON, "annotator": "a", "scale": "MEANING", "value": 4, "occasion": 2},
    {**CRIMSON, "annotator": "b", "scale": "MEANING", "reason": "no idea"},
    {**CRIMSON, "annotator": "b", "scale": "GRAMMAR", "value": 3, "status": "surplus"},
    {**CRIMSON, "annotator": "c", "scale": "GRAMMAR", "value": 2, "kind": "adjudication"},
    {"item": "one", **GREEN, "annotator": "a", "scale": "MEANING", "value": 1},
]


@pytest.fixture
def rich():
    campaign = new_campaign("rich")
    add_items(campaign, RICH)
    add_judgments(campaign, JUDGED)
    return campaign


def take(campaign, what, data, format, **options):
    """Import a file; how many rows of each kind it brought."""
    report = IMPORTS[what](
        campaign=campaign, stream=io.BytesIO(data), name="x", format=format, actor=None, **options
    )
    assert report.ok, report.problems
    return report.counts


def copy_of(campaign, format):
    """A new campaign from the exports of another."""
    copy = new_campaign("copy")
    take(copy, "items", written(campaign, "items", format=format), format)
    if campaign.judgments.exists():
        take(copy, "judgments", written(campaign, "judgments", format=format), format)
    return copy


@pytest.mark.parametrize("format", ["jsonl", "csv", "tsv"])
def test_export_import_export_is_the_same_file(rich, format):
    copy = copy_of(rich, format)
    for what in ("items", "judgments"):
        first, second = (written(one, what, format="jsonl") for one in (rich, copy))
        if format == "jsonl":
            assert second == first
        assert len(second.splitlines()) == len(first.splitlines())
        assert not any(take(rich, what, first, "jsonl").values()), "it is there already"
    rows = ("items", "substitutions", "systems", "judgments", "outside_ids")
    for campaign in (rich, copy):
        assert [getattr(campaign, name).count() for name in rows] == [3, 5, 3, 6, 3]
    assert copy.substitutions.get(role="degraded").made_from.text == "scarlet"


def test_an_output_is_no_copy():
    with pytest.raises(ValueError, match="is only for copies"):
        add_items(new_campaign("rich"), [{**COPY, "role": "output"}])


@pytest.mark.parametrize(
    ("what", "options", "problem"),
    [
        ("secrets", {}, "no export 'secrets': use one of items"),
        ("items", {"format": "exe"}, "no format 'exe': use one of csv"),
        ("matrix", {}, "needs a scale: use one of MEANING"),
        ("matrix", {"scale": "BEAUTY"}, "needs a scale"),
        ("ccb", {"annotator": "zoe"}, "no annotator 'zoe'"),
        ("items", {"method": "median"}, "Only the export of gold takes a method"),
        ("gold", {"method": "guess"}, "mean, median"),
    ],
)
def test_what_is_no_export_is_refused(what, options, problem):
    with pytest.raises(Invalid, match=problem):
        written(hand_campaign(), what, **options)


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


@pytest.mark.slow
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=ROWS, format=st.sampled_from(["jsonl", "csv"]))
def test_any_text_survives(rows, format):
    rows = [{k: unicodedata.normalize("NFC", v) for k, v in row.items()} for row in rows]
    if len({(row["phrase"], row["system"]) for row in rows}) < len(rows):
        return
    with transaction.atomic():
        campaign = new_campaign("source")
        add_items(campaign, rows)
        copy = copy_of(campaign, format)
        assert written(copy, "items", format="jsonl") == written(campaign, "items", format="jsonl")
        transaction.set_rollback(True)


def test_columns_of_judgments(rich):
    rows = list(csv.DictReader(io.StringIO(written(rich, "judgments").decode())))
    by_key = {(r["annotator"], r["scale"], r["occasion"], r["role"]): r for r in rows}
    first = by_key["a", "MEANING", "1", "output"]
    assert (first["value"], first["comment"], first["judged_at"]) == (
        "5",
        "sure",
        "2008-01-02T03:04:05+00:00",
    )
    assert by_key["b", "MEANING", "1", "output"]["reason"] == "no idea"
    assert by_key["b", "GRAMMAR", "1", "output"]["status"] == "surplus"
    assert by_key["c", "GRAMMAR", "1", "output"]["kind"] == "adjudication"
    assert by_key["a", "MEANING", "1", "control"]["own_sentence"] == "A green bus."


def test_gold_export_is_gold_and_can_be_imported(hand):
    rows = [json.loads(line) for line in written(hand, "gold", format="jsonl").splitlines()]
    columns = gold_columns(campaign=hand, ratings=ratings_get(campaign=hand))
    assert [(row["paraphrase"], row["pass"]) for row in rows] == [
        ("one", True),
        ("two", False),
        ("three", False),
    ]
    assert rows[1]["MEANING"] == 3 and rows[1]["MEANING_n"] == 3
    assert rows[1]["MEANING_sd"] == pytest.approx(1)
    assert rows[0]["systems"] == ["S0", "S1"]
    assert sorted(row["GRAMMAR"] for row in rows) == sorted(columns["GRAMMAR"].mean.tolist())
    other = new_campaign("other")
    take(other, "items", written(hand, "items", format="jsonl"), "jsonl")
    assert take(other, "gold", written(hand, "gold"), "csv") == {"gold": 6}
    imported = gold_columns(campaign=other, ratings=ratings_get(campaign=other))
    for name in ("MEANING", "GRAMMAR"):
        assert imported[name].mean.tolist() == pytest.approx(columns[name].mean.tolist())
        assert imported[name].n.tolist() == columns[name].n.tolist()


def test_matrix_has_a_column_for_each_annotator():
    lines = written(hand_campaign(), "matrix", scale="MEANING").decode().splitlines()
    header, *rows = (tuple(line.split(",")) for line in lines)
    assert header[3:] == ("a", "b", "c")
    assert rows == [
        ("one", "i0", "first", "5", "4", ""),
        ("two", "i1", "second", "2", "4", "3"),
        ("three", "i1", "second", "1", "", "1"),
    ]


def test_ccb_survives_its_own_import():
    campaign, copy = (new_campaign(slug) for slug in ("guide", "copy"))

    def take_both(campaign, data):
        """Whether it brought anything."""
        counts = take(campaign, "items", data, "ccb")
        counts = {**counts, **take(campaign, "judgments", data, "ccb", annotator="ccb")}
        return any(counts.values())

    assert take_both(campaign, Path("examples/ccb/judged.csv").read_bytes())
    data = written(campaign, "ccb", annotator="ccb")
    assert not take_both(campaign, data) and take_both(copy, data)
    for rows in ("substitutions", "judgments"):
        assert getattr(copy, rows).count() == getattr(campaign, rows).count()
    assert written(copy, "ccb", annotator="ccb") == data


def test_excluded_texts_stay_in_items_but_not_in_gold(hand):
    exclude(hand.substitutions.get(text="two"))
    assert b'"two"' in written(hand, "items", format="jsonl")
    assert b'"two"' not in written(hand, "gold", format="jsonl")


def made(campaign, what):
    """A file, after a worker tried to make it."""
    file = export_order(campaign=campaign, actor=None, what=what, format="csv")
    job_work("export", file.pk)
    return ExportFile.objects.get()


def test_file_of_a_worker_is_whole(hand):
    file, data = made(hand, "judgments"), written(hand, "judgments")
    assert (file.status, file.rows) == ("done", Judgment.objects.count())
    assert (file.size, file.sha256) == (len(data), hashlib.sha256(data).hexdigest())
    assert file.stored.read_bytes() == data


def test_failed_file_leaves_nothing(monkeypatch, settings):
    def broken(**_):
        raise OSError("No space left on device")

    monkeypatch.setattr(services, "export_write", broken)
    file = made(hand_campaign(), "items")
    assert file.status == "failed" and "No space left" in file.error
    assert not list((settings.MEDIA_ROOT / "exports").glob(f"{file.key}*"))


# Exported files do not stay for ever: a worker's timer removes the old ones.


def test_a_file_whose_lifetime_is_over_can_be_made_again(settings):
    settings.EXPORT_STREAM_ROWS = 2
    hand_campaign()
    client = client_of("dora")

    def make(form):
        client.post(reverse("export-new", args=["hand"]), form)
        job_work("export", ExportFile.objects.latest("pk").pk)
        return ExportFile.objects.latest("pk")

    chosen = {"what": "matrix", "format": "tsv", "scale": "GRAMMAR"}
    file = make(chosen)
    made_at = timezone.now() - timedelta(days=settings.EXPORT_DAYS, minutes=1)
    ExportFile.objects.update(finished_at=made_at)
    assert file.stored.is_file() and not file.gone
    assert exports_expire() == 1 and exports_expire() == 0
    assert not file.stored.exists()
    address = reverse("export-file", args=["hand", file.key])
    page = client.get(reverse("exports", args=["hand"])).content.decode()
    assert address not in page
    answer = client.get(address)
    assert answer.status_code == 404 and "export it again" in answer.content.decode()
    removed = re.search(r"<form.*?</form>", page[page.index("Removed") :], re.S)
    again = dict(re.findall(r'type="hidden" name="(\w+)" value="(\w*)"', removed.group()))
    again.pop("csrfmiddlewaretoken", None)
    assert again == {**chosen, "annotator": ""}
    newest = make(again)
    assert newest.pk != file.pk and newest.options == file.options
    assert exports_expire() == 0 and newest.stored.is_file()


def test_what_no_row_needs_goes_by_its_own_age(settings):
    folder = Path(settings.MEDIA_ROOT) / "exports"
    folder.mkdir(parents=True, exist_ok=True)
    old, new = folder / "old.1.part", folder / "new.1.part"
    for path in (old, new):
        path.write_text("cut off")
    long_ago = time.time() - timedelta(days=settings.EXPORT_DAYS + 2).total_seconds()
    os.utime(old, (long_ago, long_ago))
    exports_expire()
    assert new.exists() and not old.exists()
    new.unlink()
