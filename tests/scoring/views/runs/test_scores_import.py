"""Scores of metrics of one's own: a file becomes runs."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotation.models import Campaign
from scoring.models import Run
from tests.clients import client_of, text_of
from tests.scoring.services.runs.score_files import FILE, upload

pytestmark = pytest.mark.django_db


def test_the_page(camp: Campaign) -> None:
    dora = client_of("dora")
    address = reverse("scores-import", args=["camp"])
    assert dora.get(address).status_code == 200
    wrong = dora.post(address, {"file": upload(FILE.replace("0.5", "much")), "label": "blem"})
    assert wrong.status_code == 422 and "is not a number" in text_of(wrong)
    assert 'value="blem"' in wrong.content.decode()
    wrong = dora.post(address, {"file": upload(), "lower": "x, y"})
    assert wrong.status_code == 422 and "no scores called x, y" in text_of(wrong)
    wrong = dora.post(address, {})
    assert wrong.status_code == 422 and not Run.objects.exists()
    done = dora.post(address, {"file": upload(), "lower_is_better": "on"}, follow=True)
    run = Run.objects.get()
    assert not run.higher_is_better
    assert done.redirect_chain[-1][0] == reverse("run", args=["camp", run.key])
    assert "Imported: mine." in text_of(done)
    again = dora.post(address, {"file": upload(), "lower_is_better": "on"}, follow=True)
    assert "The same scores already exist: mine." in text_of(again) and Run.objects.count() == 1
    assert "import scores" in text_of(dora.get(reverse("audit", args=["camp"])))


@pytest.mark.parametrize(("name", "code"), [("vera", 403), ("bob", 403), ("charlie", 404)])
def test_who_may_not(camp: Campaign, name: str, code: int) -> None:
    for address in (
        reverse("scores-import", args=["camp"]),
        "/api/v1/campaigns/camp/imports/scores",
    ):
        assert client_of(name).post(address, {"file": upload()}).status_code == code
    assert not Run.objects.exists()
