"""The file for a paper, from a campaign."""

import hashlib
import io
import json

import pytest

from paraanno.jobs.engine import job_work
from scoring.exports.paper import paper_write
from scoring.exports.services import export_order
from scoring.reports.compute import report_get
from scoring.stats.agreement.report import agreement_report
from scoring.stats.terminal.files import read_ratings
from tests.clients import client_of
from tests.scoring.archives.zips import files_of
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.services.reports.files import paper_of, written


@pytest.fixture
def campaign():
    return hand_campaign()


@pytest.mark.slow
def test_twice_the_same_bytes_and_a_true_manifest(campaign):
    first, second = written(campaign, "paper"), io.BytesIO()
    many = paper_write(campaign=campaign, stream=second)
    assert second.getvalue() == first
    files = files_of(first)
    assert len(files) == many
    manifest = json.loads(files.pop("manifest.json"))["files"]
    assert {name: one["sha256"] for name, one in manifest.items()} == {
        name: hashlib.sha256(content).hexdigest() for name, content in files.items()
    }


@pytest.mark.slow
def test_its_ratings_give_its_coefficients(campaign, tmp_path):
    """What `manage.py agreement` makes of ratings.csv is what agreement.json says."""
    files = paper_of(campaign)
    path = tmp_path / "ratings.csv"
    path.write_bytes(files["ratings.csv"])
    again = agreement_report(read_ratings(path).tables)["scales"]
    stored = json.loads(files["agreement.json"])["scales"]
    assert set(again) == set(stored) == {"MEANING", "GRAMMAR"}
    for scale, block in stored.items():
        for name in ("percent_agreement", "alpha_ordinal"):
            assert again[scale][name]["value"] == pytest.approx(block[name]["value"])
            assert f"{scale},{name}," in files["agreement.csv"].decode()


@pytest.mark.slow
def test_by_page_in_any_language_and_by_worker(campaign):
    whole = written(campaign, "paper")
    answer = client_of("alice").post(
        f"/c/{campaign.slug}/exports/new/", {"what": "paper"}, headers={"accept-language": "ko"}
    )
    assert answer["Content-Type"] == "application/zip"
    assert answer["Content-Disposition"].endswith(f'"{campaign.slug}-paper.zip"')
    assert b"".join(answer.streaming_content) == whole
    assert report_get(campaign=campaign, kind="agreement", actor=None).fresh
    file = export_order(campaign=campaign, actor=None, what="paper", format="csv")
    job_work("export", file.pk)
    file.refresh_from_db()
    assert (file.status, file.format) == ("done", "zip")
    assert file.sha256 == hashlib.sha256(whole).hexdigest()
