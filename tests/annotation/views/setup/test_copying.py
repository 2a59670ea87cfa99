"""Copy a campaign on its page."""

from annotation.models import Campaign
from tests.clients import client_of, text_of
from tests.factories import make_campaign


def test_the_form_makes_a_copy_and_leads_to_its_steps():
    campaign = make_campaign()
    alice = client_of("alice")
    assert "camp-2" in alice.get("/c/camp/copy/").content.decode()
    answer = alice.post("/c/camp/copy/", {"slug": "two", "texts": "on"})
    assert answer["Location"] == "/c/two/steps/"
    copy = Campaign.objects.get(slug="two")
    assert copy.substitutions.count() == campaign.substitutions.count()
    assert [one.user.username for one in copy.memberships.all()] == ["alice"]
    taken = alice.post("/c/camp/copy/", {"slug": "two"})
    assert taken.status_code == 422 and "exists already" in text_of(taken)
