"""An annotator's own page: what they have done, how quickly, and the way back to each sheet."""

from tests.clients import client_of, text_of
from tests.factories import make_annotator, make_campaign, rate_all


def test_the_page_lists_the_own_sheets_alone():
    campaign = make_campaign(items=3, k=2)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    assert rate_all(bob, at_most=2) == 2
    rate_all(ben)
    page = client_of("bob").get("/rate/camp/own/")
    text = text_of(page)
    assert "Done 2 Left 1" in text and "Only you see this" in text
    assert page.content.count(b'class="wrap"') == 2
    for slot in bob.slots.filter(state="done"):
        assert str(slot.sheet.key) in page.content.decode()
    # Whoever has not begun sees an empty page.
    assert "Nothing yet." in text_of(client_of("dora").get("/rate/camp/own/"))
    assert not campaign.annotators.filter(user__username="dora").exists()
