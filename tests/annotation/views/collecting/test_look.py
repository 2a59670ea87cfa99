"""The rating screen as each annotator likes it: layout, marks, keys; remarks; the next sheet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.annotation.views.collecting.screen import SAVES, Screen, World, different

pytestmark = pytest.mark.browser
Worlds = Callable[..., World]

SENTENCE = "He will `` take into account '' the german 's view , and I do n't mind ( much ) ."
PHRASE = "take into account"


def tokenised() -> list[dict[str, Any]]:
    start = SENTENCE.index(PHRASE)
    return [
        {"item": "t", "phrase": PHRASE, "sentence": SENTENCE, "start": str(start),
         "end": str(start + len(PHRASE)), "paraphrase": text, "system": text}
        for text in ("take it into account", "the city 's account")
    ]  # fmt: skip


def hundred() -> list[dict[str, Any]]:
    """25 items with four paraphrases each."""
    sentence, phrase = "On day {} they put an end to it .", "put an end to"
    start = sentence.format(10).index(phrase)
    return [
        {"item": str(item), "phrase": phrase, "sentence": sentence.format(item),
         "start": str(start), "end": str(start + len(phrase)), "paraphrase": text, "system": text}
        for item in range(10, 35)
        for text in ("ended", "stopped", "brought to an end", "put a stop to")
    ]  # fmt: skip


def open_view(screen: Screen) -> None:
    screen.press("KeyV")
    screen.page.wait_for_selector("#view[open]")


def close_view(screen: Screen) -> None:
    screen.press("Escape")
    screen.page.wait_for_selector("#view:not([open])", state="attached")


def test_sentences_as_people_write_them_with_what_differs(world: Worlds, page: Any) -> None:
    here = world(rows=tokenised())
    screen = Screen.begin(here, page)
    other = page.locator(".substitution", has_text="take it into account").locator("mark")
    assert other.locator(".differs").all_inner_texts() == ["it"]
    assert page.inner_text(".original .sentence") == SENTENCE
    open_view(screen)
    page.check("[data-pref=joined]")
    close_view(screen)
    joined = "He will “take into account” the german's view, and I don't mind (much)."
    assert page.inner_text(".original .sentence") == joined
    assert page.inner_text(".original mark") == PHRASE
    # The strip above may show the same pair: which text comes first is chance.
    assert page.locator(".substitution mark", has_text="the city's account").count() == 1
    open_view(screen)
    page.uncheck("[data-pref=differ]")
    close_view(screen)
    assert page.locator(".differs").count() == 0
    page.reload()
    page.wait_for_selector(".question.current")
    assert page.inner_text(".original .sentence") == joined
    assert page.locator(".differs").count() == 0


def test_one_at_a_time(world: Worlds, page: Any) -> None:
    here = world()
    screen = Screen.begin(here, page)
    open_view(screen)
    page.check("[data-pref=layout][value=single]")
    close_view(screen)
    assert page.locator(".substitution:visible").count() == 1
    assert page.inner_text(".where:visible") == "1 of 2"
    first = screen.key
    screen.press("Digit5", "Digit4")
    page.wait_for_selector(".where:visible:text('2 of 2')")
    assert page.locator(".substitution:visible").count() == 1
    screen.press("Digit3", "Digit2")
    screen.next_after(first)
    assert page.locator(".substitution:visible").count() == 1
    assert here.values() == [5, 4, 3, 2]


def test_the_campaign_decides_the_layout(world: Worlds, page: Any) -> None:
    here = world(layout="single", layout_choice=False)
    screen = Screen.begin(here, page)
    assert page.locator(".substitution:visible").count() == 1
    open_view(screen)
    assert page.locator("#view [data-pref=layout]").count() == 0


def test_keys_can_be_changed_and_switched_off(world: Worlds, page: Any) -> None:
    here = world()
    screen = Screen.begin(here, page)
    open_view(screen)
    page.click("[data-remap='value:5']")
    screen.press("KeyU")
    assert page.inner_text("[data-remap='value:5']") == "u"
    assert page.inner_text("[data-remap=undo]") == "5"
    close_view(screen)
    assert page.locator("kbd[data-action='value:5']:visible").first.inner_text() == "u"
    screen.press("KeyU")
    page.wait_for_selector(".question[data-save=saved]")
    screen.press("Shift+Numpad4")
    page.wait_for_selector(".question[data-save=saved] >> nth=1")
    screen.saved()
    assert here.values() == [5, 4]
    screen.press("Digit5")
    page.wait_for_selector("text=Undone.")
    screen.saved()
    assert here.values() == [5, None]

    open_view(screen)
    page.click("#keys-reset")
    page.uncheck("[data-pref=single]")
    close_view(screen)
    assert page.locator("kbd[data-action]:visible").count() == 0
    screen.press("Digit1", "KeyS", "KeyC")
    assert page.locator("dialog[open]").count() == 0
    screen.press("ArrowRight", "Space")
    screen.saved()
    assert here.values() == [5, 2]


def test_the_next_unrated_question(world: Worlds, page: Any) -> None:
    here = world()
    screen = Screen.begin(here, page)
    screen.press("Digit5", "ArrowDown", "Digit3", "KeyN")
    at = "[...document.querySelectorAll('.question')].findIndex((box) => box.matches('.current'))"
    assert page.evaluate(at) == 1
    screen.press("KeyN")
    assert page.evaluate(at) == 3


def test_a_flag_and_a_comment_reach_the_researcher(world: Worlds, page: Any) -> None:
    from annotation.models import Remark

    here = world()
    screen = Screen.begin(here, page)
    here.proxy.set("cut")
    screen.press("KeyF")
    page.fill("#remark-text", "5 words are missing")
    page.check("#remark-flag")
    page.click("#remark [value=yes]")
    page.wait_for_selector("#remark-error:has-text('No connection')")
    here.proxy.set("open")
    page.click("#remark [value=yes]")
    page.wait_for_selector("text=Your remark is saved.")
    page.wait_for_selector(".substitution.here[data-flagged=yes]")
    page.reload()
    page.wait_for_selector(".question.current")
    screen.press("KeyF")
    assert page.input_value("#remark-text") == "5 words are missing"
    page.check("#remark [name=about][value=sheet]")
    assert page.input_value("#remark-text") == ""
    with here.site.database():
        remark = Remark.objects.get(campaign__slug=here.slug)
        assert (remark.flagged, remark.text) == (True, "5 words are missing")
        assert remark.substitution is not None
    assert here.values() == []


def test_the_next_sheet_waits_and_goes_back_when_the_page_is_left(world: Worlds, page: Any) -> None:
    from annotation.models import Slot

    here = world(rows=different(3))
    screen = Screen.begin(here, page)
    screen.ahead()

    def claimed() -> int:
        with here.site.database():
            return Slot.objects.filter(campaign__slug=here.slug, state="claimed").count()

    assert claimed() == 2, "the next sheet is held"
    first = screen.key
    # No answer of the server is needed to go on.
    page.route(SAVES, lambda route: route.abort())
    screen.press("Digit5", "Digit4", "Digit3", "Digit2")
    screen.next_after(first, saved=False)
    assert here.values() == []
    page.unroute(SAVES)
    screen.saved()
    assert here.values() == [5, 4, 3, 2]
    assert {row[5] for row in here.rows()} == {"counted"}
    screen.ahead(2)
    assert claimed() == 2, "the one after it is held"
    page.goto("about:blank")
    here.site.until(lambda: claimed() == 1, "what was only held is free again")
    here.check_history()


def test_an_expert_rates_a_hundred_with_two_hundred_digits(world: Worlds, page: Any) -> None:
    """Two digits for each paraphrase and no other key, from the first sheet to the last."""
    here = world(rows=hundred())
    screen = Screen.begin(here, page)
    given: list[int] = []
    while len(given) < 200:
        key, questions = screen.key, screen.questions
        for _ in range(questions):
            given.append(1 + len(given) % 5)
            screen.press(f"Digit{given[-1]}")
        if len(given) < 200:
            screen.next_after(key, saved=False)
    page.wait_for_url(here.start)
    here.check_counted(given)
    here.check_history()


def test_a_korean_input_method_changes_nothing(world: Worlds, page: Any) -> None:
    """It tells other letters, or none at all; the places of the keys stay."""
    here = world()
    screen = Screen.begin(here, page)

    def press(code: str, key: str, **more: Any) -> None:
        page.evaluate(
            """event => document.activeElement.dispatchEvent(new KeyboardEvent("keydown",
               {bubbles: true, cancelable: true, ...event}))""",
            {"code": code, "key": key, **more},
        )

    press("Digit4", "Process", keyCode=229)
    press("Digit3", "3")
    screen.saved()
    assert here.values() == [4, 3]
    press("KeyU", "ㅕ")
    page.wait_for_selector("text=Undone.")
    screen.saved()
    assert here.values() == [4, None]
    press("KeyC", "Process", keyCode=229)
    page.wait_for_selector("#cannot[open]")
    screen.press("Escape")
    # While letters are put together the keys belong to the input method.
    press("Digit5", "5", isComposing=True)
    screen.saved()
    assert here.values() == [4, None]
