"""What is typed within a moment goes together, and the last value with the handing in."""

import json

import pytest

from tests.annotation.screen import SAVES

pytestmark = pytest.mark.browser


def writes(screen):
    """Every body that the page sends from now on in order to save or to hand in."""
    sent = []

    def note(request):
        if request.method == "PUT":
            assert SAVES.search(request.url), request.url
            sent.append(json.loads(request.post_data))

    screen.page.on("request", note)
    return sent


def test_answers_of_a_moment_are_one_request(screen):
    sent = writes(screen)
    screen.digits_at_once("54")
    screen.saved(2)
    assert "state" not in sent[0]
    screen.digits("3")
    screen.saved(3)
    assert [len(body["answers"]) for body in sent] == [2, 1]
    assert screen.values() == [5, 4, 3]


def test_the_last_answer_hands_in_and_gets_the_sheet_after_the_next(screen):
    screen.ahead()
    first = screen.key
    sent, asked = writes(screen), []
    screen.page.on("request", lambda request: asked.append(request.url))
    with screen.page.expect_response(SAVES):
        screen.digits_at_once("5432")
    screen.next_after(first)
    second = screen.key
    assert [len(body["answers"]) for body in sent] == [4]
    assert (sent[0]["state"], sent[0]["next"], sent[0]["beside"]) == ("done", True, [second])
    assert not [one for one in asked if "/claim" in one], "the sheet after came with the answer"
    screen.world.check_counted([5, 4, 3, 2])
    screen.finish("1111")
    assert screen.key not in (first, second)
    screen.world.check_counted([5, 4, 3, 2, 1, 1, 1, 1])


def test_only_what_is_echoed_is_shown_as_saved(screen):
    """An answer that comes back changed, or not at all, is sent again; the others are saved."""

    def garble(route):
        answer = route.fetch()
        data = answer.json()
        data["answers"][0]["value"] = 1
        del data["answers"][1]
        route.fulfill(response=answer, json=data)

    screen.page.route(SAVES, garble, times=1)
    screen.digits("543")
    screen.wait(".question[data-save=saved]")
    assert list(screen.shown().values()) == ["3"]
    assert sorted(screen.shown("waiting").values()) == ["4", "5"]
    screen.saved(3)
    assert screen.values() == [5, 4, 3]
    assert {row[4] for row in screen.world.rows()} == {1}, "repeated, not saved twice"
    assert screen.unsent() == []


def test_what_was_just_typed_is_sent_when_the_page_is_left(screen):
    screen.digits("5")
    screen.page.goto("about:blank")
    until = screen.world.site.until
    until(lambda: screen.values() == [5], "it was sent all the same")
    screen.page.goto(screen.world.start)
    screen.page.click("main form .button")
    screen.wait(".question[data-save=saved]")
    until(lambda: not screen.unsent(), "the repetition is confirmed")
    assert screen.values() == [5]
