"""From the invitation to the first sheet and out again, in Chromium."""

import pytest

from annotation.campaigns.services import guideline_add
from tests.annotation.views.collecting.screen import Screen
from tests.axe import violations

pytestmark = pytest.mark.browser
GUIDELINE = (
    "# How\n\nSlowly.\n\n## Doubt\n\nThe lower.\n\n## Texts\n\nAny.\n\n## MEANING 5\n\nbegan to"
)


def test_guidelines_are_one_key_away(world, page):
    here = world()
    with here.campaign() as campaign:
        guideline_add(campaign=campaign, text=GUIDELINE, actor=None)
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
