"""The file for a paper, from a campaign."""

import hashlib
import json

import pytest

from paraanno.jobs.engine import job_work
from scoring.exports.services import export_order
from scoring.reports.compute import report_get
from tests.clients import client_of
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.services.reports.files import paper_of, written


@pytest.fixture
def campaign():
    return hand_campaign()


@pytest.mark.slow
def test_its_manifest_is_true(campaign):
    files = paper_of(campaign)
    manifest = json.loads(files.pop("manifest.json"))["files"]
    assert {name: one["sha256"] for name, one in manifest.items()} == {
        name: hashlib.sha256(content).hexdigest() for name, content in files.items()
    }


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
