"""Building a test set for a campaign, from the form to the import."""

import pytest

from annotation.models import ImportBatch
from scoring.models import Build, Resource
from tests.clients import client_of, html_of
from tests.factories import make_campaign
from tests.scoring.services.builds.test_generated import files, set_built
from tests.scoring.views.builds import build_page

pytestmark = pytest.mark.usefixtures("data_dir")
FORM = "/c/camp/import/test-set/"


@pytest.fixture
def campaign():
    return make_campaign(items=1, systems=1, open_it=False, k=3)


@pytest.fixture
def alice(campaign):
    return client_of("alice")


def sent(n):
    given = {f"file-{role}": file for role, file in files().items()}
    return {"name": "Mine", "input-lm": "", "option-n": n, **given}


def test_from_two_files_to_items_of_the_campaign(alice, campaign):
    assert f'href="{FORM}"' in html_of(alice.get("/c/camp/import/"))
    assert "Test sentences" not in html_of(alice.get(FORM, headers={"Accept-Language": "ko"}))
    page = build_page(alice, FORM, sent("3"))
    shown = html_of(alice.get(page))
    assert 'hx-get="/c/' not in shown
    assert "<dt>paraphrases to judge</dt><dd>6</dd>" in shown
    assert "this campaign’s setting</span></dt><dd>18</dd>" in shown
    assert "left out: no language model was chosen" in shown
    assert "<mark>dog</mark>" in shown and "hound" in shown
    assert "too rare or too frequent in the test sentences" in shown
    assert campaign.items.count() == 1
    imported = html_of(alice.post(page, follow=True))
    assert "Imported: 3 phrases, 6 items" in imported and "test_set" in imported
    assert campaign.items.count() == 7
    assert "The file adds nothing new" in html_of(alice.get(page))


def test_what_is_wrong_is_told_beside_the_form(alice):
    answer = alice.post(FORM, {"name": "Mine", "option-n": "7"})
    assert answer.status_code == 422 and "needs the inputs phrases, sentences" in html_of(answer)
    assert 'name="option-n" value="7"' in html_of(answer)
    assert "n=many is not allowed" in html_of(alice.post(FORM, sent("many")))
    assert not Build.objects.exists()


def test_one_that_failed_says_why_and_one_that_was_removed_too(alice):
    failed = set_built(test_least=50, lower="no")
    assert "no phrase passes the cut-offs" in html_of(alice.get(f"{FORM}{failed.key}/"))
    gone = set_built()
    Resource.objects.filter(kind="test_set").delete()
    assert "build it again" in html_of(alice.get(f"{FORM}{gone.key}/"))


def test_who_may_add_no_resources_imports_what_others_have_built(campaign):
    page, dora = f"{FORM}{set_built().key}/", client_of("dora")
    shown = html_of(dora.get(FORM))
    assert "Build it" not in shown and page in shown
    dora.post(page)
    assert ImportBatch.objects.latest("pk").created_by.username == "dora"
