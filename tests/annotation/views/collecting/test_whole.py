"""What is typed within a moment goes together, and the last value with the handing in."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.annotation.views.collecting.screen import SAVES, Screen, World

pytestmark = pytest.mark.browser
Worlds = Callable[..., World]
Pages = Callable[..., Any]


def writes(page: Any) -> list[dict[str, Any]]:
    """Every body that the page sends from now on in order to save or to hand in."""
    sent: list[dict[str, Any]] = []

    def note(request: Any) -> None:
        if request.method == "PUT":
            assert SAVES.search(request.url), request.url
            sent.append(json.loads(request.post_data))

    page.on("request", note)
    return sent


def test_answers_of_a_moment_are_one_request(world: Worlds, page: Any) -> None:
    here = world()
    screen = Screen.begin(here, page)
    sent = writes(page)
    screen.press("Digit5", "Digit4")
    page.wait_for_selector(".question[data-save=saved] >> nth=1")
    assert [len(body["answers"]) for body in sent] == [2]
    assert "state" not in sent[0]
    screen.press("Digit3")
    page.wait_for_selector(".question[data-save=saved] >> nth=2")
    assert [len(body["answers"]) for body in sent] == [2, 1]
    assert here.values() == [5, 4, 3]
    here.check_history()


def test_the_last_answer_hands_in_and_gets_the_sheet_after_the_next(
    world: Worlds, page: Any
) -> None:
    here = world()
    screen = Screen.begin(here, page)
    screen.ahead()
    first = screen.key
    sent = writes(page)
    claims: list[str] = []
    page.on("request", lambda one: claims.append(one.url) if "/claim" in one.url else None)
    screen.press("Digit5", "Digit4", "Digit3", "Digit2")
    screen.next_after(first)
    second = screen.key
    screen.ahead(2)
    assert [len(body["answers"]) for body in sent] == [4]
    assert (sent[0]["state"], sent[0]["next"], sent[0]["beside"]) == ("done", True, [second])
    assert claims == [], "the sheet after the next came with the answer"
    here.check_counted([5, 4, 3, 2])
    screen.press("Digit1", "Digit1", "Digit1", "Digit1")
    screen.next_after(second)
    assert screen.key not in (first, second)
    here.check_counted([5, 4, 3, 2, 1, 1, 1, 1])
    here.check_history()


def test_only_what_is_echoed_is_shown_as_saved(world: Worlds, page: Any) -> None:
    """An answer that comes back changed, or not at all, is sent again; the others are saved."""
    here = world()
    screen = Screen.begin(here, page)

    def garble(route: Any) -> None:
        answer = route.fetch()
        data = answer.json()
        data["answers"][0]["value"] = 1
        del data["answers"][1]
        route.fulfill(response=answer, json=data)

    page.route(SAVES, garble, times=1)
    screen.press("Digit5", "Digit4", "Digit3")
    page.wait_for_selector(".question[data-save=saved]")
    assert list(screen.shown().values()) == ["3"]
    assert sorted(screen.shown("waiting").values()) == ["4", "5"]
    page.wait_for_selector(".question[data-save=saved] >> nth=2")
    screen.saved()
    assert here.values() == [5, 4, 3]
    assert {row[4] for row in here.rows()} == {1}, "repeated, not saved twice"
    assert screen.unsent() == []
    here.check_history()


def test_one_stale_answer_among_good_ones_is_asked_about(world: Worlds, new_page: Pages) -> None:
    here = world()
    one, other = Screen.begin(here, new_page()), Screen.begin(here, new_page())
    one.press("Digit5")
    one.page.wait_for_selector(".question[data-save=saved]")
    other.press("Digit2", "Digit4", "Digit4", "Digit4")
    other.page.wait_for_selector("#conflict[open]")
    assert here.values() == [5, 4, 4, 4]
    assert {row[5] for row in here.rows()} == {"draft"}, "not handed in"
    other.page.click("#conflict button:text('Save mine')")
    here.check_counted([2, 4, 4, 4])
    here.check_history()


def test_what_was_just_typed_is_sent_when_the_page_is_left(world: Worlds, page: Any) -> None:
    here = world()
    screen = Screen.begin(here, page)
    screen.press("Digit5")
    page.goto("about:blank")
    here.site.until(lambda: here.values() == [5], "it was sent all the same")
    page.goto(here.start)
    page.click("main form .button")
    page.wait_for_selector(".question[data-save=saved]")
    here.site.until(lambda: not screen.unsent(), "the repetition is confirmed")
    assert here.values() == [5]
    here.check_history()
