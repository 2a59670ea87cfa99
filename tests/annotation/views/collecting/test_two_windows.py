"""Several pages of one annotator: both values are shown, and nothing is saved twice."""

import pytest

from tests.annotation.screen import SAVES, Screen

pytestmark = pytest.mark.browser


@pytest.fixture
def stale(screen, new_page):
    """A page in another browser, where the value of the first has not arrived."""
    other = Screen.begin(screen.world, new_page())
    assert screen.key == other.key
    screen.digits("5")
    screen.saved(1)
    return other


def test_a_stale_page_is_told_and_shows_both_values(stale):
    stale.digits("2")
    stale.wait("#conflict[open]")
    text = stale.page.inner_text
    assert (text("#conflict-mine"), text("#conflict-stored")) == ("2", "5")
    assert ":" in text("#conflict-time")
    assert stale.values() == [5]
    stale.page.click("#conflict button:text('Keep the stored one')")
    stale.saved(1)
    assert stale.values() == [5]
    stale.check_shown()
    assert stale.unsent() == []


def test_an_undecided_conflict_stays_over_a_reload(stale):
    stale.digits("2")
    stale.wait("#conflict[open]")
    stale.page.reload()
    stale.wait("#conflict[open]")
    assert stale.page.inner_text("#conflict-mine") == "2"
    stale.press("Escape")
    stale.wait("#save-state[data-state=conflict]")
    stale.page.click("#attend")
    stale.page.click("#conflict button:text('Save mine')")
    stale.saved(1)
    assert stale.values() == [2]


def test_one_stale_answer_among_good_ones_is_asked_about(stale):
    stale.digits("2444")
    stale.wait("#conflict[open]")
    assert stale.values() == [5, 4, 4, 4]
    assert {row[5] for row in stale.world.rows()} == {"draft"}, "not handed in"
    stale.page.click("#conflict button:text('Save mine')")
    stale.world.check_counted([2, 4, 4, 4])


def test_tabs_of_one_browser_hear_of_each_other(screen, new_page):
    here = screen.world
    other = Screen(here, new_page(context=screen.page.context))
    other.page.goto(screen.page.url)
    other.wait(".question.current")
    other.settle()
    screen.digits("5")
    other.wait(".question[data-save=saved]")
    assert list(other.shown().values()) == ["5"]
    other.press("ArrowUp", "Digit3")
    other.saved()
    here.site.until(lambda: here.values() == [3], "the other tab's value is stored")
    screen.wait(".question >> nth=0 >> [value='3']:checked", "attached")

    # Both have answers waiting; each is sent once, by whichever tab comes first.
    here.proxy.set("cut")
    screen.digits("1")
    screen.wait("#save-state[data-state=waiting]")
    other.press("ArrowDown", "ArrowDown", "Digit2")
    here.proxy.set("open")
    here.site.until(lambda: len(here.rows()) == 3 and not screen.unsent(), "all is sent")
    for one in (screen, other):
        one.saved()
        one.check_shown()


def test_a_sheet_is_not_handed_in_while_an_answer_is_undecided(screen, new_page):
    """Also where the sheet was completed before the server refused the first answer."""
    here, other = screen.world, Screen.begin(screen.world, new_page())
    screen.digits("5")
    screen.saved(1)
    waiting = []
    other.page.route(SAVES, lambda route: waiting.append(route), times=1)
    other.digits("2")
    here.site.until(lambda: other.page.wait_for_timeout(20) or waiting, "the first one is sent")
    other.digits("444")
    waiting[0].continue_()
    other.wait("#conflict[open]")
    here.site.until(lambda: here.values() == [5, 4, 4, 4], "the others are stored")
    other.page.wait_for_timeout(500)
    assert {row[5] for row in here.rows()} == {"draft"}
    other.page.click("#conflict button:text('Save mine')")
    here.check_counted([2, 4, 4, 4])
