"""The file for a paper, from a campaign."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.models import Campaign
from annotation.services.campaigns.campaigns import threshold_set
from annotation.services.collecting.claiming import claim_next
from scoring.services.reports.compute import report_get
from scoring.services.reports.exports import export_make, export_order
from scoring.services.reports.paper import paper_write
from scoring.stats.agreement.report import agreement_report
from scoring.stats.terminal.files import read_ratings
from tests.clients import client_of
from tests.factories import make_annotator, make_campaign, rate_sheet

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    """Two people disagree now and then on four items."""
    found = make_campaign(k=2)
    for name, shift in (("bob", 0), ("bea", 1)):
        annotator = make_annotator(found, name)
        for number in range(4):
            sheet = claim_next(annotator=annotator)
            assert sheet is not None
            rate_sheet(annotator, sheet, value=1 + (sheet.item.position + shift * (number % 2)) % 5)
    return found


def files_of(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def written(campaign: Campaign) -> bytes:
    stream = io.BytesIO()
    many = paper_write(campaign=campaign, stream=stream)
    assert many == len(files_of(stream.getvalue()))
    return stream.getvalue()


def test_twice_the_same_bytes_and_a_true_manifest(campaign: Campaign) -> None:
    first = written(campaign)
    assert written(campaign) == first
    files = files_of(first)
    manifest = json.loads(files.pop("manifest.json"))
    assert set(manifest["files"]) == set(files)
    for name, content in files.items():
        assert manifest["files"][name]["sha256"] == hashlib.sha256(content).hexdigest()


def test_its_ratings_give_its_coefficients(campaign: Campaign, tmp_path: Path) -> None:
    """What `manage.py agreement` makes of ratings.csv is what agreement.json says."""
    files = files_of(written(campaign))
    path = tmp_path / "ratings.csv"
    path.write_bytes(files["ratings.csv"])
    again = agreement_report(read_ratings(path).tables)["scales"]
    stored = json.loads(files["agreement.json"])["scales"]
    assert set(again) == set(stored) == {"MEANING", "GRAMMAR"}
    for scale, block in stored.items():
        for name in ("percent_agreement", "alpha_ordinal", "cohen_kappa"):
            assert again[scale][name]["value"] == pytest.approx(block[name]["value"])
            assert f"{scale},{name}," in files["agreement.csv"].decode()


def test_segments_are_items_and_scores_are_gold(campaign: Campaign) -> None:
    files = files_of(written(campaign))
    top = f"mt-metrics-eval/{campaign.slug}"
    sources = files[f"{top}/sources/und-und.txt"].decode().splitlines()
    assert len(sources) == campaign.items.count() == 4
    outputs = files[f"{top}/system-outputs/und-und/S0.txt"].decode().splitlines()
    scores = files[f"{top}/human-scores/und-und.MEANING.seg.score"].decode().splitlines()
    assert len(scores) == 2 * len(sources)
    gold = {
        row["paraphrase"]: float(row["MEANING"])
        for row in csv.DictReader(io.StringIO(files["gold.csv"].decode()))
    }
    for output, line in zip(outputs, scores[:4], strict=True):
        system, score = line.split("\t")
        (text,) = [one for one in gold if one in output]
        assert system == "S0" and float(score) == pytest.approx(gold[text])


def test_another_threshold_makes_another_file(campaign: Campaign) -> None:
    before = written(campaign)
    threshold_set(scale=campaign.scales.get(name="MEANING"), threshold=4, actor=None)
    after = files_of(written(campaign))
    assert json.loads(after["results.json"])["thresholds"]["MEANING"] == 4
    assert after["results.json"] != files_of(before)["results.json"]


def test_by_page_command_and_worker(campaign: Campaign, tmp_path: Path) -> None:
    whole = written(campaign)
    client = client_of("alice")
    answer = client.post(f"/c/{campaign.slug}/exports/new/", {"what": "paper", "format": "csv"})
    assert answer["Content-Type"] == "application/zip"
    assert answer["Content-Disposition"].endswith(f'"{campaign.slug}-paper.zip"')
    assert b"".join(answer.streaming_content) == whole
    path = tmp_path / "paper.zip"
    call_command("export", campaign.slug, what="paper", output=str(path))
    assert path.read_bytes() == whole
    file = export_order(campaign=campaign, actor=None, what="paper", format="csv")
    export_make(export_pk=file.pk)
    file.refresh_from_db()
    assert (file.status, file.format) == ("done", "zip")
    assert file.sha256 == hashlib.sha256(whole).hexdigest()


def test_nothing_judged_yet_is_a_file_too() -> None:
    files = files_of(written(make_campaign()))
    assert "0 judgments" in files["methods.md"].decode()
    assert "undefined" in files["methods.md"].decode()


def test_the_language_of_the_page_does_not_change_the_file(campaign: Campaign) -> None:
    english = written(campaign)
    answer = client_of("alice").post(
        f"/c/{campaign.slug}/exports/new/", {"what": "paper"}, headers={"accept-language": "ko"}
    )
    assert b"".join(answer.streaming_content) == english
    assert report_get(campaign=campaign, kind="agreement", actor=None).fresh
