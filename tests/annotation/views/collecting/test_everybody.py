"""Thumbs, screen readers, large letters, writing from right to left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests import axe
from tests.annotation.views.collecting.screen import Screen, World

pytestmark = pytest.mark.browser
Worlds = Callable[..., World]
Pages = Callable[..., Any]
PHONE = {"width": 390, "height": 780}


def fits(page: Any) -> bool:
    return bool(
        page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
    )


def test_touch_alone_rates_a_campaign(world: Worlds, new_page: Pages) -> None:
    here = world()
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True)
    here.log_in(page.context)
    page.goto(here.start)
    page.tap("main form .button")
    page.wait_for_selector(".question.current")
    screen = Screen(here, page)
    given = []
    for _ in range(3):
        key = screen.key
        screen.settle()
        for place in range(screen.questions):
            value = 1 + len(given) % 5
            given.append(value)
            point = page.locator(".question").nth(place).locator(f"label:has([value='{value}'])")
            point.tap()
            if place < screen.questions - 1:  # What the finger did moves the page.
                page.wait_for_selector(f".question >> nth={place} >> :checked", state="attached")
        page.wait_for_function(
            "key => document.querySelector('form.sheet')?.dataset.sheet !== key", arg=key
        )
    page.wait_for_url(here.start)
    here.check_counted(given)


def test_targets_on_a_phone_are_large_enough(world: Worlds, new_page: Pages) -> None:
    here = world()
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True)
    Screen.begin(here, page)
    page.tap("#menu summary")
    page.wait_for_selector("#menu[open]")
    small = page.evaluate(
        """() => [...document.querySelectorAll('main a, main button, main summary, label.point')]
           .filter((one) => one.checkVisibility())
           .map((one) => [one.textContent.trim(), one.getBoundingClientRect()])
           .filter(([, box]) => box.height < 44 || box.width < 24).map(([text]) => text)"""
    )
    assert small == []
    assert fits(page)


def test_names_and_states_for_screen_readers(world: Worlds, page: Any) -> None:
    here = world()
    screen = Screen.begin(here, page)
    first = page.locator(".question").first
    screen.press("Digit4")
    screen.saved()
    tree = first.aria_snapshot()
    assert '- group "MEANING"' in tree
    assert '- radio "4 Added" [checked]' in tree
    assert '- radio "c Cannot judge"' in tree
    # What is judged belongs to the group's description.
    described = first.get_attribute("aria-describedby")
    assert page.locator(f"#{described}").inner_text().strip() != ""
    bar = page.locator(".bar").aria_snapshot()
    assert '- status: "Saved"' in bar or "- status: Saved" in bar
    assert page.locator("#hint").get_attribute("aria-live") == "polite"


def test_at_twice_the_size_nothing_is_cut_off(world: Worlds, new_page: Pages) -> None:
    """1280 pixels at 200 % are 640; at 400 % 320 (WCAG 1.4.10)."""
    for width in (640, 320):
        here = world()
        page = new_page(viewport={"width": width, "height": 512}, device_scale_factor=2)
        screen = Screen.begin(here, page)
        assert fits(page)
        first = screen.key
        screen.press("Digit5", "Digit4", "Digit3", "Digit2")
        screen.next_after(first)
        assert here.values() == [5, 4, 3, 2]
        assert axe.violations(page) == []


def test_right_to_left(world: Worlds, page: Any) -> None:
    sentence, phrase = "قال الوزير إن الاجتماع سيبدأ غدا في المدينة", "سيبدأ غدا"
    start = sentence.index(phrase)
    rows = [
        {"item": "a", "phrase": phrase, "sentence": sentence, "start": str(start),
         "end": str(start + len(phrase)), "paraphrase": text, "system": text}
        for text in ("ينطلق غدا", "سيعقد يوم غد")
    ]  # fmt: skip
    here = world(rows=rows)
    screen = Screen.begin(here, page)
    directions = page.evaluate(
        "[...document.querySelectorAll('.sentence')].map((one) => getComputedStyle(one).direction)"
    )
    assert directions == ["rtl"] * 3
    box, mark = (page.locator(f".original {one}").bounding_box() for one in (".sentence", "mark"))
    before = page.evaluate(
        """() => { const range = document.createRange();
           range.selectNode(document.querySelector('.original .sentence').firstChild);
           return range.getBoundingClientRect().left; }"""
    )
    assert mark["x"] < before < box["x"] + box["width"]
    screen.press("Digit5", "Digit4", "Digit3", "Digit2")
    page.wait_for_url(here.start)
    assert here.values() == [5, 4, 3, 2]


@pytest.mark.parametrize("how", [{"reduced_motion": "reduce"}, {"forced_colors": "active"}])
def test_wishes_of_the_system(world: Worlds, new_page: Pages, how: dict[str, str]) -> None:
    here = world()
    page = new_page(**how)
    screen = Screen.begin(here, page)
    screen.press("Digit4")
    screen.saved()
    moving = page.evaluate("document.getAnimations().length")
    assert moving == 0
    chosen = page.locator(".question").first.locator("input:checked + span")
    other = page.locator(".question").nth(1).locator(".point span").first
    look = "one => { const s = getComputedStyle(one); return s.backgroundColor + s.borderColor; }"
    assert chosen.evaluate(look) != other.evaluate(look)
