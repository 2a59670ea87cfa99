"""Leaving a campaign, with what becomes of the judgments."""

from annotation.models import Annotator, Withdrawal
from tests.annotation.services.people.leaving import working
from tests.clients import client_of, messages_of, text_of


def test_the_page_asks_twice_and_says_what_happens(begun_campaign):
    bob = working(begun_campaign)
    client = client_of("bob")
    assert "Withdraw from this campaign" in text_of(client.get("/rate/camp/own/"))
    page = client.post("/rate/camp/withdraw/", {"judgments": "remove"})
    assert page.status_code == 422 and "nothing has happened yet" in text_of(page)
    assert not Withdrawal.objects.exists()
    form = {"judgments": "remove", "sure": "1", "erase": "1"}
    page = client.post("/rate/camp/withdraw/", form, follow=True)
    assert messages_of(page) == ["You no longer take part in Camp."]
    assert "/rate/camp/" not in page.content.decode()
    assert client.get("/rate/camp/own/").status_code == 404
    people = text_of(client_of("dora").get("/c/camp/people/"))
    assert f"{bob.code} " in people and "out of every statistic erased" in people
    assert "Lift for" not in people
    assert "withdrawn out of statistics" in text_of(client_of("dora").get("/c/camp/board/"))


def test_whoever_has_not_begun_has_nothing_to_withdraw(begun_campaign):
    page = client_of("bob").post("/rate/camp/withdraw/", {"sure": "1"})
    assert "not begun" in text_of(page) and not Annotator.objects.exists()
