"""Without JavaScript the sheet is a form; and what axe says about the screen with it."""

import pytest

from tests.annotation.screen import Screen, different
from tests.axe import violations_light_and_dark

pytestmark = pytest.mark.browser


def rate(page, *values):
    for question, value in enumerate(values):
        page.locator(f".question >> nth={question} >> [type=radio][value='{value}']").check()


def send(page):
    """Send the form, and wait for the page that comes: it may have the same address."""
    with page.expect_navigation():
        page.click("main .send .button")


def test_a_campaign_is_rated_without_scripts(world, new_page):
    here = world(rows=different(2))
    page = new_page(java_script_enabled=False)
    here.log_in(page.context)
    page.goto(here.start)
    page.click("main form .button")
    page.wait_for_selector("form.sheet")
    first = page.url
    rate(page, 5, 4, 3)
    send(page)
    # The sheet comes back with what is missing; what was given is saved.
    assert page.url == first
    assert here.values() == [5, 4, 3]
    rate(page, 5, 4, 3, 2)
    send(page)
    assert page.url != first
    rate(page, 1, 2, 3)
    last = page.locator(".question").nth(3)
    last.locator("input[value=none]").check()
    last.locator("select").select_option(index=1)
    send(page)
    assert page.url == here.start
    assert here.values() == [5, 4, 3, 2, 1, 2, 3, None]
    assert {row[4:] for row in here.rows()} == {(1, "counted")}


def test_axe_finds_nothing(world, new_page):
    screen = Screen.begin(world(), new_page())
    page, here = screen.page, screen.world
    assert violations_light_and_dark(page) == []
    screen.press("Digit5", "KeyC", "Digit1")
    screen.wait(".question[data-save=saved] >> nth=1")
    assert violations_light_and_dark(page) == []
    for key, dialog in (("?", "help"), ("KeyC", "cannot")):
        screen.press(key)
        screen.wait(f"#{dialog}[open]")
        assert violations_light_and_dark(page) == []
        screen.press("Escape")
        screen.wait(f"#{dialog}:not([open])", "attached")
    here.log_out_everybody()
    screen.digits("1")
    screen.wait("#login[open]")
    assert violations_light_and_dark(page) == []
    here.log_in(page.context)
    page.goto(here.start)
    assert violations_light_and_dark(page) == []
