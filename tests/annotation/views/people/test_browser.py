"""From the invitation to the first sheet and out again, in Chromium."""

import re

import pytest

from annotation.panels.services import panel_create
from tests.annotation.screen import Screen
from tests.axe import violations
from tests.browser import fits
from tests.factories import add_guideline

pytestmark = pytest.mark.browser
GUIDELINE = (
    "# How\n\nSlowly.\n\n## Doubt\n\nThe lower.\n\n## Texts\n\nAny.\n\n## MEANING 5\n\nbegan to"
)


def test_guidelines_are_one_key_away(world, page):
    here = world()
    with here.campaign() as campaign:
        add_guideline(campaign, GUIDELINE)
    screen = Screen.begin(here, page)
    address = page.url
    screen.press("KeyG")
    screen.wait("#guidelines[open] [data-part]")
    assert violations(page) == []
    page.fill("#g-query", "lower")
    assert page.locator("#guidelines [data-part]:visible").count() == 1
    page.fill("#g-query", "")
    page.click("#guidelines .contents a >> nth=0")
    assert page.url == address
    # They stay beside the item: over answers and a reload, until they are closed.
    screen.digits("5")
    screen.saved()
    page.reload()
    screen.wait("#guidelines[open] [data-part]")
    screen.wait(".question[data-save=saved]")
    screen.press("KeyG")
    screen.wait("#guidelines:not([open])", "attached")
    assert screen.values() == [5]


CODE = "C1K7-VH2P"


def test_the_code_appears_once_every_answer_has_arrived(world, new_page):
    here = world()
    with here.campaign() as campaign:
        panel = panel_create(
            campaign=campaign,
            actor=None,
            name="Crowd",
            sheets_per_person=1,
            codes={"complete": CODE},
            return_url="https://example.org/?cc={code}",
        )
    link = f"{here.proxy.url}/p/{panel.token}"
    page = new_page(viewport={"width": 390, "height": 800})
    page.goto(f"{link}?PROLIFIC_PID=one")
    page.click("main form .button")
    page.wait_for_selector(".question.current")
    screen = Screen(here, page)
    screen.settle()
    page.context.route("**/api/v1/**", lambda route: route.abort())
    for n in range(4):
        page.wait_for_timeout(400)  # A press sooner after the one before is ignored.
        screen.digits("4")
        screen.wait(f".question[data-save=waiting] >> nth={n}")
    waiting = page.context.new_page()
    waiting.goto(f"{link}/end")
    waiting.wait_for_selector("text=have not reached us yet")
    assert CODE not in waiting.content()
    waiting.close()
    page.context.unroute("**/api/v1/**")
    page.wait_for_url(re.compile(r"/end$"))
    assert page.inner_text("#code") == CODE
    assert page.get_attribute("main .end a.button", "href") == f"https://example.org/?cc={CODE}"
    assert violations(page) == []
    assert fits(page, 320)
