"""What annotators said about texts, for researchers."""

from tests.annotation.services.collecting.said import say
from tests.clients import client_of


def test_researchers_read_them(place):
    bob, sheet = place
    say(bob, sheet, "<b>odd</b>", flagged=True)
    page = client_of("alice").get(f"/c/{bob.campaign.slug}/remarks/").content.decode()
    assert "&lt;b&gt;odd&lt;/b&gt;" in page
    assert f"/items/{sheet.item.key}/" in page
