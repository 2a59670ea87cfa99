"""Generating paraphrases for a campaign, from the form to the import."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.models import Campaign, ImportBatch
from scoring.models import Build, Resource
from scoring.services.builds.work import builds_work
from tests.factories import make_user
from tests.scoring.services.builds.test_generated import built, campaign, table, vectors
from tests.scoring.services.resources.parts import logged_in

__all__ = ["campaign", "vectors"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]
FORM = "/c/camp/import/paraphrases/"


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_from_a_table_to_items_of_the_campaign(campaign: Campaign, vectors: Resource) -> None:
    alice = logged_in(make_user("alice"))
    assert f'href="{FORM}"' in text(alice.get("/c/camp/import/"))
    assert vectors.name in text(alice.get(FORM))
    sent = {"source": "file", "file": table(), "vectors": str(vectors.key), "option-column": "text"}
    waiting = alice.post(FORM, sent, follow=True)
    build = Build.objects.get()
    page = f"{FORM}{build.key}/"
    assert waiting.redirect_chain == [(page, 302)]
    assert "It waits for a worker" in text(waiting) and f'hx-get="{page}"' in text(waiting)
    assert alice.post(page).status_code == 409
    builds_work()
    shown = text(alice.get(page))
    assert "A fine movie." in shown and "<dt>replaced by PG1</dt><dd>80.0 %</dd>" in shown
    assert campaign.items.count() == 1
    assert "Imported:" in text(alice.post(page, follow=True))
    assert campaign.items.count() == 3
    assert "The file adds nothing new" in text(alice.get(page))
    assert f'href="{page}"' in text(alice.get(FORM))


def test_what_is_wrong_is_told_beside_the_form(campaign: Campaign, vectors: Resource) -> None:
    alice = logged_in(make_user("alice"))
    answer = alice.post(FORM, {"source": "file", "option-min_cosine": ".6"})
    assert answer.status_code == 422
    assert "Choose a file" in text(answer)
    assert 'name="option-min_cosine" value=".6"' in text(answer)
    failed = built(campaign, vectors, options={"column": "review"})
    assert "has no column &#x27;review&#x27;" in text(alice.get(f"{FORM}{failed.key}/"))


def test_who_may(campaign: Campaign, vectors: Resource) -> None:
    page = f"{FORM}{built(campaign, vectors).key}/"
    for name, status in {"bob": 403, "vera": 403, "eve": 404}.items():
        client = logged_in(make_user(name))
        for address in (FORM, page):
            assert client.get(address).status_code == status
            assert client.post(address, {}).status_code == status
    # Dora does research here and may add no resources: she imports what others have made.
    dora = logged_in(make_user("dora"))
    assert "Generate them" not in text(dora.get(FORM))
    assert dora.post(FORM, {"source": "own"}).status_code == 403
    assert dora.post(page).status_code == 302
    assert ImportBatch.objects.latest("pk").created_by == make_user("dora")


def test_the_pages_are_there_in_korean(campaign: Campaign, vectors: Resource) -> None:
    alice = logged_in(make_user("alice"))
    page = f"{FORM}{built(campaign, vectors).key}/"
    for address, english in ((FORM, "Which texts"), (page, "What was generated")):
        assert english not in text(alice.get(address, HTTP_ACCEPT_LANGUAGE="ko"))
        assert english in text(alice.get(address))
