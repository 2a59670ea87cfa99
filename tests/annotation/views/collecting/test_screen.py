"""Rating in Chromium with the keyboard alone; the database says what was saved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.annotation.views.collecting.screen import Screen, World, different
from tests.browser import fits

pytestmark = pytest.mark.browser


def test_the_keyboard_alone_rates_a_campaign(world: Callable[..., World], page: Any) -> None:
    here = world(rows=different(2))
    screen = Screen.begin(here, page)
    loads = []
    page.on("load", lambda _: loads.append(page.url))
    first = screen.key
    screen.press("Digit5", "Digit4", "Shift+Numpad3", "Digit2")
    screen.next_after(first)
    page.wait_for_url(f"**/{screen.key}/")
    page.wait_for_selector("#progress:text('1 done, 1 left')")
    assert loads == []
    screen.press("Digit1", "Digit2", "Digit3", "Digit4")
    page.wait_for_url(here.start)
    page.wait_for_selector("text=Thank you!")
    here.check_counted([5, 4, 3, 2, 1, 2, 3, 4])
    assert screen.unsent() == []
    here.check_history()


def test_arrows_and_tab_move_and_only_a_digit_or_space_rates(
    world: Callable[..., World], page: Any
) -> None:
    here = world()
    screen = Screen.begin(here, page)
    order = [page.locator(".question").nth(n).element_handle() for n in range(4)]

    def at() -> int:
        return [one.evaluate("box => box.classList.contains('current')") for one in order].index(
            True
        )

    screen.press("ArrowDown", "ArrowDown")
    assert at() == 2
    screen.press("ArrowUp")
    assert at() == 1
    screen.press("Tab")
    assert at() == 2
    screen.press("Shift+Tab")
    assert at() == 1
    screen.press("ArrowRight", "ArrowRight")
    assert here.values() == []
    assert page.evaluate("document.activeElement.value") == "3"
    screen.press("Space")
    page.wait_for_selector(".question[data-save=saved]")
    screen.saved()
    assert here.values() == [3]
    assert at() == 2
    screen.check_shown()


def test_undo_goes_back_over_the_border_and_the_sheet_reopens(
    world: Callable[..., World], page: Any
) -> None:
    from annotation.models import Slot

    here = world()
    screen = Screen.begin(here, page)
    first = screen.key
    screen.press("Digit5", "Digit2", "KeyU")
    page.wait_for_selector("text=Undone.")
    screen.press("Digit4", "Digit3", "Digit1")
    screen.next_after(first)
    second = screen.key
    assert here.values() == [5, 4, 3, 1]

    screen.press("KeyU")
    page.wait_for_selector(f"form.sheet[data-sheet='{first}']")
    screen.saved()
    page.wait_for_selector(".question:not([data-save=saved])")
    assert here.values() == [5, 4, 3, None]
    with here.site.database():
        assert Slot.objects.get(sheet__key=first).state == "claimed"

    screen.press("Digit2")
    screen.next_after(first)
    assert screen.key == second
    assert here.values() == [5, 4, 3, 2]
    assert max(row[4] for row in here.rows()) == 3  # given, cleared, given again
    here.check_history()


def test_a_held_key_rates_once(world: Callable[..., World], page: Any) -> None:
    here = world()
    screen = Screen.begin(here, page)
    for _ in range(5):
        page.keyboard.down("Digit4")  # From the second on these are repetitions.
    page.keyboard.up("Digit4")
    page.wait_for_selector(".question[data-save=saved]")
    screen.saved()
    assert here.values() == [4]


def test_a_digit_too_soon_after_a_new_sheet_is_dropped_and_said(
    world: Callable[..., World], page: Any
) -> None:
    here = world()
    screen = Screen.begin(here, page)
    first = screen.key
    page.evaluate(
        """() => new MutationObserver((_, observer) => {
             if (!document.querySelector('form.sheet')) return;
             observer.disconnect();
             document.body.dispatchEvent(new KeyboardEvent('keydown',
               {code: 'Digit3', key: '3', bubbles: true, cancelable: true}));
           }).observe(document.getElementById('sheet'), {childList: true})"""
    )
    screen.press("Digit1", "Digit1", "Digit1", "Digit1")
    page.wait_for_selector("text=came too soon")
    screen.next_after(first)
    assert here.values() == [1, 1, 1, 1]
    screen.press("Digit2")
    page.wait_for_selector(".question[data-save=saved]")
    screen.saved()
    assert here.values() == [1, 1, 1, 1, 2]


def test_keys_with_modifiers_and_in_texts_are_left_alone(
    world: Callable[..., World], page: Any
) -> None:
    here = world()
    screen = Screen.begin(here, page)
    screen.press("Control+Digit3", "Alt+Digit3", "Meta+Digit3")
    screen.press("KeyC", "Tab")
    page.keyboard.type("my own 5 words")
    screen.press("Enter")
    page.wait_for_selector(".question[data-save=saved]")
    screen.press("KeyC", "Digit2")
    page.wait_for_selector(".question[data-save=saved] >> nth=1")
    screen.saved()
    assert {row[2:4] for row in here.rows()} == {(None, "my own 5 words"), (None, "broken text")}
    screen.check_shown()


def test_help_opens_and_closes(world: Callable[..., World], page: Any) -> None:
    screen = Screen.begin(world(), page)
    screen.press("?")
    page.wait_for_selector("#help[open]")
    screen.press("Digit3", "Escape")
    page.wait_for_selector("#help:not([open])", state="attached")
    assert screen.world.values() == []


def test_a_double_click_saves_once(world: Callable[..., World], page: Any) -> None:
    here = world()
    screen = Screen.begin(here, page)
    page.locator(".point input").nth(3).dblclick()
    page.wait_for_selector(".question[data-save=saved]")
    screen.saved()
    assert [row[2:] for row in here.rows()] == [(4.0, "", 1, "draft")]
    here.check_history()


def test_a_scale_of_many_values_takes_typed_numbers(world: Callable[..., World], page: Any) -> None:
    here = world(template="direct-assessment")
    screen = Screen.begin(here, page)
    first = screen.key
    screen.press("Digit7", "Digit5", "Enter", "Digit1", "Digit0", "Digit1", "Enter")
    assert page.inner_text("#hint") != ""
    screen.press("Backspace", "Backspace", "Backspace", "Digit0", "Enter")
    page.keyboard.type("100")
    screen.press("ArrowDown")
    page.keyboard.type("33")
    screen.press("Enter")
    screen.next_after(first)
    assert here.values() == [75, 0, 100, 33]
    screen.press("KeyU")
    page.wait_for_selector(f"form.sheet[data-sheet='{first}']")
    screen.saved()
    page.wait_for_selector(".question:not([data-save=saved])")
    assert here.values() == [75, 0, 100, None]
    here.check_history()


def test_a_number_that_was_typed_but_not_left_survives_a_reload(
    world: Callable[..., World], page: Any
) -> None:
    here = world(template="direct-assessment")
    screen = Screen.begin(here, page)
    page.keyboard.type("64")
    page.reload()
    page.wait_for_selector(".question[data-save=saved]")
    screen.saved()
    assert here.values() == [64]
    screen.check_shown()


@pytest.mark.parametrize("width", [360, 1280])
def test_it_fits_the_screen_and_anchors_are_in_sight(
    world: Callable[..., World], new_page: Callable[..., Any], width: int
) -> None:
    page = new_page(viewport={"width": width, "height": 800})
    Screen.begin(world(), page)
    assert fits(page, width)
    assert page.locator("text=nothing is added >> visible=true").count() >= 1
    mark = page.locator(".original mark").bounding_box()
    page.keyboard.press("End")
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    after = page.locator(".original mark").bounding_box()
    assert after is not None and mark is not None
    assert 0 <= after["y"] < 400


def test_a_sheet_is_given_back_with_a_reason(world: Callable[..., World], page: Any) -> None:
    from annotation.models import Skip, Slot

    here = world(rows=different(2))
    screen = Screen.begin(here, page)
    first = screen.key
    screen.press("Digit5", "KeyS")
    page.wait_for_selector("#skip[open]")
    screen.press("Digit2")
    screen.next_after(first)
    assert "Given back" in page.inner_text("#hint")
    with here.site.database():
        assert Slot.objects.get(sheet__key=first).state == "free"
        assert [one.reason for one in Skip.objects.filter(sheet__key=first)] == ["offensive"]
    assert [row[2] for row in here.rows()] == [5]
    second = screen.key
    screen.press("KeyU")  # Taken back, with what was answered.
    page.wait_for_selector(f"form.sheet[data-sheet='{first}'] .question[data-save=saved]")
    with here.site.database():
        assert Slot.objects.get(sheet__key=first).state == "claimed"
        assert not Skip.objects.filter(sheet__key=first).exists()
    screen.settle()
    screen.press("KeyS", "Digit2")
    screen.next_after(first)
    assert screen.key == second
    screen.press("Digit1", "Digit2", "Digit3", "Digit4")
    page.wait_for_url(here.start)  # Nothing else is left: the sheet is not offered again.
    page.click("main form .button")
    page.wait_for_selector("text=nothing left for you")
    here.check_history()


def test_the_wheel_leaves_numbers_alone_and_a_slider_gives_them(
    world: Callable[..., World], page: Any
) -> None:
    """By wheel, mouse and arrow keys; a slider has no value before it is moved."""
    here = world(template="direct-assessment")
    screen = Screen.begin(here, page)
    page.keyboard.type("55")
    field, slider = page.locator("input[type=number]").first, page.locator(".analogue").first
    assert slider.get_attribute("aria-valuetext") is None
    field.hover()
    for _ in range(3):
        page.mouse.wheel(0, 100)
        page.wait_for_timeout(30)
    screen.press("ArrowDown")
    screen.saved()
    assert (field.input_value(), here.values()) == ("55", [55])
    page.keyboard.type("7")
    screen.press("Tab")  # To the slider: at the number it follows.
    other = page.locator(".analogue").nth(1)
    assert (other.input_value(), other.get_attribute("aria-valuetext")) == ("7", None)
    screen.press("ArrowRight", "ArrowRight")
    here.site.until(lambda: here.values() == [55, 9], "the arrows moved it")
    third = page.locator(".analogue").nth(2)
    assert third.get_attribute("aria-valuetext") == "no answer"
    box = third.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.8, box["y"] + box["height"] / 2)
    here.site.until(lambda: len(here.values()) == 3, "the mouse moved it")
    assert 75 <= here.values()[2] <= 85
    assert page.locator(".question").nth(3).get_attribute("data-save") is None
    screen.check_shown()
    here.check_history()


def test_the_second_half_of_a_double_click_rates_no_other_sheet(
    world: Callable[..., World], page: Any
) -> None:
    here = world()
    screen = Screen.begin(here, page)
    screen.ahead()
    first = screen.key
    screen.press("Digit1", "Digit1", "Digit1")
    page.mouse.wheel(0, 2000)
    page.wait_for_timeout(100)
    box = page.locator(".question").nth(3).locator("label.point").nth(1).bounding_box()
    # Where the next sheet has a point, too.
    page.evaluate(
        """([x, y]) => new MutationObserver(() => {
             const to = document.querySelector('.question label.point').getBoundingClientRect();
             document.querySelector('#sheet').style.translate = `${x - to.x}px ${y - to.y}px`;
           }).observe(document.getElementById('sheet'), {childList: true})""",
        [box["x"] + 5, box["y"] + 5],
    )
    page.mouse.click(box["x"] + 20, box["y"] + 20)
    page.wait_for_timeout(300)  # Digits are taken again by now.
    page.mouse.click(box["x"] + 20, box["y"] + 20, click_count=2)
    page.wait_for_selector("text=came too soon")
    screen.next_after(first)
    assert here.values() == [1, 1, 1, 2]
    page.wait_for_timeout(600)
    page.mouse.click(box["x"] + 20, box["y"] + 20)
    page.wait_for_selector(".question[data-save=saved]")
    here.check_history()
