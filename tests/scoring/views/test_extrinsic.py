"""Extrinsic evaluation, from the form to the tables."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Campaign
from scoring.models import Build
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
    assert "Accuracy on the originals, by what was trained on" in shown
    assert "Metrics beside what became of the paraphrases" in shown
    # These texts are no items of the campaign.
    assert "Put them there" not in shown and alice.post(page).status_code == 409
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
    assert "grade" in text(alice.get(f"{FORM}{failed.key}/"))


def test_who_may(campaign: Campaign, tmp_path: Path) -> None:
    page = f"{FORM}{evaluated(campaign, file=table(tmp_path)).key}/"
    for name, status in {"bob": 403, "vera": 403, "eve": 404}.items():
        client = logged_in(make_user(name))
        for address in (FORM, page, f"{page}accuracy.csv"):
            assert client.get(address).status_code == status
    dora = logged_in(make_user("dora"))
    assert dora.post(FORM, {"source": "own"}).status_code == 403
    assert dora.get(page).status_code == 200
