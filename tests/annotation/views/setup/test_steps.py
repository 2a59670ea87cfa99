"""The steps of a draft, and the question before it is opened."""

from annotation.campaigns.copying import campaign_copy
from annotation.campaigns.services import campaign_create
from annotation.people.background import Question, question_add
from tests.clients import client_of, text_of
from tests.factories import make_campaign, make_user


def test_steps_say_what_is_missing_and_lead_there():
    campaign_create(actor=make_user("alice"), slug="new")
    page = client_of("alice").get("/c/new/steps/")
    assert "Texts: There is nothing to judge yet." in text_of(page)
    for route in ("import", "settings", "guidelines", "practice", "consent", "preview", "pilot"):
        assert f'href="/c/new/{route}/"' in page.content.decode()


def test_open_is_never_dead():
    """Without texts it says so; with something missing it asks; else it opens."""
    alice = client_of("alice")
    campaign_create(actor=make_user("alice"), slug="new")
    text = text_of(alice.get("/c/new/open/"))
    assert "Open? 1 step is missing" in text and "cannot be opened yet" in text
    campaign = make_campaign(open_it=False)
    assert "Open? Nothing is missing" in text_of(alice.get("/c/camp/open/"))
    question_add(campaign=campaign, question=Question("How old?"), actor=None)
    text = text_of(alice.get("/c/camp/open/"))
    assert "Consent : Personal answers need a consent text." in text and "Open all the same" in text
    assert "What becomes fixed The texts" in text
    alice.post("/c/camp/status/", {"act": "open"})
    assert "It was opened" in text_of(alice.get("/c/camp/open/"))


def test_a_copy_and_its_source_know_of_each_other_where_the_reader_does():
    campaign = make_campaign()
    campaign_copy(campaign=campaign, slug="two", actor=make_user("dora"))
    assert "Copied from Camp (camp)" in text_of(client_of("dora").get("/c/two/steps/"))
    assert "Copies: Camp (two)" in text_of(client_of("dora").get("/c/camp/steps/"))
    # Alice is no member of the copy.
    assert "two" not in text_of(client_of("alice").get("/c/camp/steps/"))
