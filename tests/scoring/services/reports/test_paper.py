"""The file for a paper, from a campaign."""

from __future__ import annotations

import csv
import hashlib
import io
import json
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
from tests.scoring.archives.zips import files_of
from tests.scoring.services.reports.files import paper_of, written

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    """Two people disagree now and then on four items."""
    campaign = make_campaign(k=2)
    for name, shift in (("bob", 0), ("bea", 1)):
        annotator = make_annotator(campaign, name)
        for number in range(4):
            sheet = claim_next(annotator=annotator)
            rate_sheet(annotator, sheet, value=1 + (sheet.item.position + shift * (number % 2)) % 5)
    return campaign


def test_twice_the_same_bytes_and_a_true_manifest(campaign: Campaign) -> None:
    first, second = written(campaign, "paper"), io.BytesIO()
    many = paper_write(campaign=campaign, stream=second)
    assert second.getvalue() == first
    files = files_of(first)
    assert len(files) == many
    manifest = json.loads(files.pop("manifest.json"))["files"]
    assert {name: one["sha256"] for name, one in manifest.items()} == {
        name: hashlib.sha256(content).hexdigest() for name, content in files.items()
    }


def test_its_ratings_give_its_coefficients(campaign: Campaign, tmp_path: Path) -> None:
    """What `manage.py agreement` makes of ratings.csv is what agreement.json says."""
    files = paper_of(campaign)
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
    files = {name: content.decode() for name, content in paper_of(campaign).items()}
    top = f"mt-metrics-eval/{campaign.slug}"
    assert len(files[f"{top}/sources/und-und.txt"].splitlines()) == 4
    outputs = files[f"{top}/system-outputs/und-und/S0.txt"].splitlines()
    scores = files[f"{top}/human-scores/und-und.MEANING.seg.score"].splitlines()
    assert len(scores) == 2 * 4
    gold = {
        row["paraphrase"]: float(row["MEANING"])
        for row in csv.DictReader(io.StringIO(files["gold.csv"]))
    }
    for output, line in zip(outputs, scores[:4], strict=True):
        system, score = line.split("\t")
        (text,) = [one for one in gold if one in output]
        assert system == "S0" and float(score) == pytest.approx(gold[text])


def test_another_threshold_makes_another_file(campaign: Campaign) -> None:
    before = paper_of(campaign)["results.json"]
    threshold_set(scale=campaign.scales.get(name="MEANING"), threshold=4, actor=None)
    after = paper_of(campaign)["results.json"]
    assert json.loads(after)["thresholds"]["MEANING"] == 4 and after != before


def test_by_page_in_any_language_by_command_and_by_worker(
    campaign: Campaign, tmp_path: Path
) -> None:
    whole = written(campaign, "paper")
    answer = client_of("alice").post(
        f"/c/{campaign.slug}/exports/new/", {"what": "paper"}, headers={"accept-language": "ko"}
    )
    assert answer["Content-Type"] == "application/zip"
    assert answer["Content-Disposition"].endswith(f'"{campaign.slug}-paper.zip"')
    assert b"".join(answer.streaming_content) == whole
    assert report_get(campaign=campaign, kind="agreement", actor=None).fresh
    path = tmp_path / "paper.zip"
    call_command("export", campaign.slug, what="paper", output=str(path))
    assert path.read_bytes() == whole
    file = export_order(campaign=campaign, actor=None, what="paper", format="csv")
    export_make(export_pk=file.pk)
    file.refresh_from_db()
    assert (file.status, file.format) == ("done", "zip")
    assert file.sha256 == hashlib.sha256(whole).hexdigest()


def test_nothing_judged_yet_is_a_file_too() -> None:
    methods = paper_of(make_campaign())["methods.md"].decode()
    assert "0 judgments" in methods and "undefined" in methods
