"""Practice and test, for annotators: plain forms, which static/js/practice.js makes faster."""

from __future__ import annotations

import pytest

from annotation.models import PracticeAttempt
from annotation.selectors.quality.practice import attempt_texts
from annotation.services.quality.practice import attempt_start
from tests.annotation.services.quality.school import client_of, go_through, school
from tests.clients import html_of
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db


def test_the_whole_way_as_plain_forms() -> None:
    campaign, bob = school(test=1, share=1)
    client = client_of("bob")
    scales = {scale.name: scale.key for scale in campaign.scales.all()}
    assert client.post("/rate/camp/")["Location"] == "/rate/camp/practice/"
    assert "/rate/camp/practice/" in html_of(client.get("/rate/camp/"))
    assert "Begin practice" in html_of(client.get("/rate/camp/practice/"))
    page = client.post("/rate/camp/practice/", {"part": "practice"}, follow=True)
    address = page.redirect_chain[-1][0]
    [text] = attempt_texts(attempt=PracticeAttempt.objects.get())
    assert "Because of" not in html_of(page), "no answer before the annotator's own"

    key = str(text.substitution.key)
    assert client.post(address, {"text": key}).status_code == 409
    assert client.post(address, {"text": key, f"value.{scales['MEANING']}": "x"}).status_code == 409
    first = client.post(address, {"text": key, f"value.{scales['MEANING']}": "2"}, follow=True)
    words = html_of(first)
    assert "Not what we expect." in words and "4 to 5 fits." in words and "Because of 0." in words
    assert "It is a whole sentence." not in words
    last = client.post(address, {"text": key, f"value.{scales['GRAMMAR']}": "5"}, follow=True)
    assert "Right." in html_of(last) and "Finish" in html_of(last)

    page = client.post("/rate/camp/practice/", {"part": "test"}, follow=True)
    address = page.redirect_chain[-1][0]
    assert "Because of" not in html_of(page) and "fits" not in html_of(page)
    [text] = attempt_texts(attempt=PracticeAttempt.objects.get(part="test"))
    answer = {"text": str(text.substitution.key), f"value.{scales['MEANING']}": "5"}
    assert client.post(address, answer).status_code == 409, "a test takes a text as a whole"
    done = client.post(address, {**answer, f"value.{scales['GRAMMAR']}": "1"}, follow=True)
    assert "1 of 2 right" in html_of(done) and "Not enough." in html_of(done)
    assert "1 try left" in html_of(done)
    assert client.get(address)["Location"] == "/rate/camp/practice/", "nothing explained yet"

    go_through(bob, "test", 5, 5)
    assert "See the answers explained" in html_of(client.get("/rate/camp/practice/"))
    assert "Because of 0." in html_of(client.get(address))
    assert client.post("/rate/camp/")["Location"].startswith("/rate/camp/")
    assert client.post("/rate/camp/practice/", {"part": "exam"}).status_code == 400


def test_attempts_of_others_are_not_there() -> None:
    campaign, bob = school(practice=0)
    attempt = attempt_start(annotator=bob, part="test")
    make_annotator(campaign, "ben")
    assert client_of("ben").get(f"/rate/camp/practice/{attempt.key}/").status_code == 404
