"""Extrinsic evaluation, from the form to the tables."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.models import Campaign
from scoring.models import Build, Resource
from scoring.services.builds.work import builds_work
from tests.factories import make_user
from tests.scoring.services.builds.test_extrinsic import ASKED, campaign, evaluated, table
from tests.scoring.services.resources.parts import logged_in

__all__ = ["campaign"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]
FORM = "/c/camp/extrinsic/"


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_from_a_table_to_the_page_of_accuracies(campaign: Campaign, tmp_path: Path) -> None:
    alice = logged_in(make_user("alice"))
    form = text(alice.get(FORM))
    assert "How long the paper’s nets take" in form
    assert "the originals of this campaign" not in form  # Its items have phrases.
    asked = {f"option-{name}": value for name, value in ASKED.items()}
    waiting = alice.post(FORM, {"source": "file", "file": table(tmp_path), **asked}, follow=True)
    build = Build.objects.get()
    page = f"{FORM}{build.key}/"
    assert waiting.redirect_chain == [(page, 302)]
    assert "It waits for a worker" in text(waiting) and f'hx-get="{page}"' in text(waiting)
    builds_work()
    shown = text(alice.get(page))
    assert "Accuracy on the originals, by training text" in shown
    assert "Metrics beside the outcomes of the paraphrases" in shown
    # These texts are no items of the campaign.
    assert "Import the paraphrases first" in shown
    assert "Add these columns" not in shown and alice.post(page).status_code == 409
    assert "n = 1 systems: no inference" in shown and 'class="range"' in shown
    assert alice.get(f"{page}?outcome=change&metric=pinc").status_code == 200
    assert alice.get(f"{page}?outcome=luck").status_code == 404
    content = alice.get(f"{page}accuracy.csv").content.decode()
    rows = list(csv.DictReader(content.splitlines()))
    assert [row["texts"] for row in rows] == ["text", "PG1"] * 2
    assert r"\toprule" in alice.get(f"{page}correlation.tex").content.decode()
    for name in ("accuracy.pdf", "nothing.csv", "outcomes.tex"):
        assert alice.get(f"{page}{name}").status_code == 404
    assert f'href="{page}"' in text(alice.get(FORM))


def test_what_is_wrong_is_told(campaign: Campaign, tmp_path: Path) -> None:
    alice = logged_in(make_user("alice"))
    answer = alice.post(FORM, {"source": "file", "option-label": "grade"})
    assert answer.status_code == 422 and 'name="option-label" value="grade"' in text(answer)
    failed = evaluated(campaign, file=table(tmp_path), options={**ASKED, "label": "grade"})
    said = text(alice.get(f"{FORM}{failed.key}/"))
    assert said.count("texts:1: has no column &#x27;grade&#x27; in which") == 1
    bad = SimpleUploadedFile("bad.csv", b"id,text\n1,a\n1,b\n")
    refused = evaluated(campaign, file=bad)
    assert "bad.csv:3: column" in text(alice.get(f"{FORM}{refused.key}/"))


def test_who_may(campaign: Campaign, tmp_path: Path) -> None:
    page = f"{FORM}{evaluated(campaign, file=table(tmp_path)).key}/"
    for name, status in {"bob": 403, "vera": 403, "eve": 404}.items():
        client = logged_in(make_user(name))
        for address in (FORM, page, f"{page}accuracy.csv"):
            assert client.get(address).status_code == status
    dora = logged_in(make_user("dora"))
    assert dora.post(FORM, {"source": "own"}).status_code == 403
    assert dora.get(page).status_code == 200


def test_metrics_that_lack_vectors_are_told_before_anything_is_made(
    campaign: Campaign, tmp_path: Path
) -> None:
    alice = logged_in(make_user("alice"))
    refused = alice.post(FORM, {"source": "file", "file": table(tmp_path)})
    assert refused.status_code == 422
    assert "weem4pg: choose word vectors, or take it out of metrics." in text(refused)
    assert "Choose a file, or other texts." in text(alice.post(FORM, {"source": "file"}))
    assert not Build.objects.exists() and not Resource.objects.exists()


def test_the_choices_of_a_build_that_failed_can_be_changed(
    campaign: Campaign, tmp_path: Path
) -> None:
    alice = logged_in(make_user("alice"))
    failed = evaluated(campaign, file=table(tmp_path), options={**ASKED, "label": "grade"})
    assert f'href="{FORM}{failed.key}/"' in text(alice.get(FORM)), "it is listed for a day"
    again = f"{FORM}?again={failed.key}"
    assert f'href="{again}"' in text(alice.get(f"{FORM}{failed.key}/"))
    form = text(alice.get(again))
    assert 'name="option-label" value="grade"' in form
    assert f'value="{failed.inputs.get().resource.key}" selected' in form
    # Letters need a keyboard of letters, on a phone too.
    assert 'name="option-label" value="grade" inputmode' not in form
    assert 'name="option-seed" value="1" inputmode="decimal"' in form
