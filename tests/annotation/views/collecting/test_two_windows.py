"""Several pages of one annotator: both values are shown, and nothing is saved twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.annotation.views.collecting.screen import Screen, World

pytestmark = pytest.mark.browser
Worlds = Callable[..., World]
Pages = Callable[..., Any]


@pytest.mark.parametrize(("choice", "stored"), [("Save mine", [2]), ("Keep the stored one", [5])])
def test_a_stale_page_is_told_and_shows_both_values(
    world: Worlds, new_page: Pages, choice: str, stored: list[float]
) -> None:
    here = world()
    one = Screen.begin(here, new_page())
    other = Screen.begin(here, new_page())
    assert one.key == other.key
    one.press("Digit5")
    one.page.wait_for_selector(".question[data-save=saved]")
    other.press("Digit2")
    other.page.wait_for_selector("#conflict[open]")
    assert other.page.inner_text("#conflict-mine") == "2"
    assert other.page.inner_text("#conflict-stored") == "5"
    assert ":" in other.page.inner_text("#conflict-time")
    assert here.values() == [5]
    other.page.click(f"#conflict button:text('{choice}')")
    other.page.wait_for_selector(".question[data-save=saved]")
    other.saved()
    assert here.values() == stored
    other.check_shown()
    assert other.unsent() == []
    here.check_history()


def test_an_undecided_conflict_stays_over_a_reload(world: Worlds, new_page: Pages) -> None:
    here = world()
    one, other = Screen.begin(here, new_page()), Screen.begin(here, new_page())
    one.press("Digit5")
    one.page.wait_for_selector(".question[data-save=saved]")
    other.press("Digit2")
    other.page.wait_for_selector("#conflict[open]")
    other.page.reload()
    other.page.wait_for_selector("#conflict[open]")
    assert other.page.inner_text("#conflict-mine") == "2"
    other.press("Escape")
    other.page.wait_for_selector("#save-state[data-state=conflict]")
    other.page.click("#attend")
    other.page.click("#conflict button:text('Save mine')")
    other.page.wait_for_selector(".question[data-save=saved]")
    other.saved()
    assert here.values() == [2]


def test_tabs_of_one_browser_hear_of_each_other(world: Worlds, new_page: Pages) -> None:
    here = world()
    one = Screen.begin(here, new_page())
    other = Screen(here, new_page(context=one.page.context))
    other.page.goto(one.page.url)
    other.page.wait_for_selector(".question.current")
    other.settle()
    one.press("Digit5")
    other.page.wait_for_selector(".question[data-save=saved]")
    assert list(other.shown().values()) == ["5"]
    other.press("ArrowUp", "Digit3")
    other.saved()
    here.site.until(lambda: here.values() == [3], "the other tab's value is stored")
    one.page.wait_for_selector(".question >> nth=0 >> [value='3']:checked", state="attached")

    # Both have answers waiting; each is sent once, by whichever tab comes first.
    here.proxy.set("cut")
    one.press("Digit1")
    one.page.wait_for_selector("#save-state[data-state=waiting]")
    other.press("ArrowDown", "ArrowDown", "Digit2")
    here.proxy.set("open")
    here.site.until(lambda: len(here.rows()) == 3 and not one.unsent(), "all is sent")
    for screen in (one, other):
        screen.saved()
        screen.check_shown()
    here.check_history()
