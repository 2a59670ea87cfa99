"""Building a test set for a campaign, from the form to the import."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from annotation.models import Campaign, ImportBatch
from scoring.models import Build, Resource
from scoring.services.builds.work import builds_work
from tests.factories import make_campaign, make_user
from tests.scoring.services.builds.test_test_sets import built, files
from tests.scoring.services.resources.parts import logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]
FORM = "/c/camp/import/test-set/"


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(items=1, systems=1, open_it=False, k=3)


@pytest.fixture
def alice(campaign: Campaign) -> Client:
    return logged_in(make_user("alice"))


def sent(**fields: Any) -> dict[str, Any]:
    return {
        "name": "Mine", "input-lm": "", "option-n": "3",
        **{f"file-{role}": file for role, file in files().items()}, **fields,
    }  # fmt: skip


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_from_two_files_to_items_of_the_campaign(alice: Client, campaign: Campaign) -> None:
    assert f'href="{FORM}"' in text(alice.get("/c/camp/import/"))
    waiting = alice.post(FORM, sent(), follow=True)
    build = Build.objects.get()
    page = f"{FORM}{build.key}/"
    assert waiting.redirect_chain == [(page, 302)]
    assert "It waits for a worker" in text(waiting) and f'hx-get="{page}"' in text(waiting)
    assert alice.post(page).status_code == 409
    builds_work()
    shown = text(alice.get(page))
    assert 'hx-get="/c/' not in shown
    assert "<dt>paraphrases to judge</dt><dd>6</dd>" in shown
    assert "this campaign’s setting</span> </dt> <dd>18</dd>" in shown
    assert "left out: no language model was chosen" in shown
    assert "<mark>dog</mark>" in shown and "hound" in shown
    assert "too rare or too frequent in the test sentences" in shown
    assert campaign.items.count() == 1
    said = text(alice.post(page, follow=True))
    assert "Imported: 3 phrases, 6 items" in said
    assert "test_set" in said and campaign.items.count() == 7
    assert "The file adds nothing new" in text(alice.get(page))
    assert f'href="{page}"' in text(alice.get(FORM))


def test_what_is_wrong_is_told_beside_the_form(alice: Client) -> None:
    answer = alice.post(FORM, {"name": "Mine", "option-n": "7"})
    assert answer.status_code == 422
    assert "needs the inputs phrases, sentences" in text(answer)
    assert 'name="option-n" value="7"' in text(answer)
    assert "n=many is not allowed" in text(alice.post(FORM, sent(**{"option-n": "many"})))
    assert not Build.objects.exists()


def test_one_that_failed_says_why_and_one_that_was_removed_too(alice: Client) -> None:
    failed = built(test_least=50, lower="no")
    assert "no phrase passes the cut-offs" in text(alice.get(f"{FORM}{failed.key}/"))
    gone = built()
    Resource.objects.filter(kind="test_set").delete()
    assert "build it again" in text(alice.get(f"{FORM}{gone.key}/"))


def test_who_may(alice: Client, campaign: Campaign) -> None:
    page = f"{FORM}{built().key}/"
    refused = {"bob": 403, "vera": 403, "eve": 404}
    for name, status in refused.items():
        client = logged_in(make_user(name))
        for address in (FORM, page):
            assert client.get(address).status_code == status
            assert client.post(address, sent()).status_code == status
    # Dora does research here and may add no resources: she imports what others have built.
    dora = logged_in(make_user("dora"))
    shown = dora.get(FORM)
    assert shown.status_code == 200 and "Build it" not in text(shown) and page in text(shown)
    assert dora.post(FORM, sent()).status_code == 403
    assert Build.objects.count() == 1 and campaign.items.count() == 1
    assert dora.post(page).status_code == 302
    assert ImportBatch.objects.latest("pk").created_by == make_user("dora")


def test_the_pages_are_there_in_korean(alice: Client) -> None:
    page = f"{FORM}{built().key}/"
    for address, english in ((FORM, "Test sentences"), (page, "What was drawn")):
        said = text(alice.get(address, HTTP_ACCEPT_LANGUAGE="ko"))
        assert english not in said
        assert english in text(alice.get(address))
