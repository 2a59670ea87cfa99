"""Digits that are pressed before their sheet can be seen: each is stored on its row, or none is."""

import re
import time

import pytest

from tests.annotation.screen import SAVES, Screen, different
from tests.annotation.views.quality.test_browser import school
from tests.axe import violations_light_and_dark
from tests.browser import fits

pytestmark = pytest.mark.browser
CLAIMS = re.compile(r"/claim\?")


class Typist:
    """Presses keys at times of the page's own clock, which stands still in between."""

    def __init__(self, screen):
        self.screen, self.page = screen, screen.page
        screen.stand_still()

    def type(self, *keys, gap):
        """Each key `gap` ms after the one before."""
        for key in keys:
            self.wait(gap)
            self.screen.press(key)

    def wait(self, ms):
        self.page.clock.run_for(ms)

    def go_on(self):
        """Let time pass as usual, so that everything is sent."""
        self.page.clock.resume()


def digits(*values):
    return [f"Digit{value}" for value in values]


class Slow:
    """No sheet is claimed ahead, and what is handed in waits until the line is `free`.

    Requests to `saves` wait that contain the word `what`.
    """

    def __init__(self, page, saves=SAVES, what='"done"'):
        self.page, self.saves, self.what = page, saves, what
        self.waiting = []
        self.holds = True
        page.route(CLAIMS, lambda route: route.abort())
        page.route(saves, self.hold)

    def hold(self, route):
        if self.holds and self.what in (route.request.post_data or ""):
            self.waiting.append(route)
        else:
            route.continue_()

    def free(self):
        self.holds = False
        for route in self.waiting:
            route.continue_()
        self.page.unroute(CLAIMS)
        self.page.unroute(self.saves)


def hint(page):
    return str(page.inner_text("#hint"))


def type_blind(screen, values, rate):
    """Type at most so many digits a second, in an even rhythm, without a look at the page."""
    for value in values:
        screen.press(f"Digit{value}")
        time.sleep(1 / rate)


def check_stored(here, values):
    here.site.until(lambda: len(here.values()) >= len(values), "all are stored")
    assert here.values() == list(values)
    here.check_history()


@pytest.mark.parametrize("rate", [pytest.param(4, marks=pytest.mark.nightly), 15])
def test_a_blind_burst_is_stored_row_by_row(world, page, rate):
    here = world(rows=different(6))
    screen = Screen.begin(here, page)
    screen.ahead()
    values = [2, 4] * 11
    type_blind(screen, values, rate)
    check_stored(here, values)


def test_the_last_digit_pressed_twice_rates_no_other_sheet(world, page):
    here = world()
    screen = Screen.begin(here, page)
    screen.ahead()
    first = screen.key
    typist = Typist(screen)
    typist.type(*digits(5, 4, 3, 2), gap=900)
    typist.type("Digit2", gap=80)
    assert screen.key != first
    typist.wait(700)
    assert "came too soon" in hint(page)
    typist.type(*digits(1, 3), gap=400)
    typist.go_on()
    check_stored(here, [5, 4, 3, 2, 1, 3])


def test_a_double_press_within_a_burst_refuses_the_sheet(world, page):
    """Nobody knows to which rows the digits after it belong."""
    here = world()
    screen = Screen.begin(here, page)
    screen.ahead()
    first = screen.key
    typist = Typist(screen)
    typist.type(*digits(5, 4, 3, 2), gap=250)
    typist.type("Digit2", gap=60)
    typist.type(*digits(1, 3, 5, 4), gap=250)
    assert "none is stored" in hint(page)
    typist.go_on()
    page.wait_for_timeout(1300)
    assert violations_light_and_dark(page) == []
    screen.press(*digits(1, 5))
    check_stored(here, [5, 4, 3, 2, 1, 5])
    assert screen.key != first


def test_a_key_held_down_over_the_border_rates_once(world, page):
    here = world()
    screen = Screen.begin(here, page)
    screen.ahead()
    first = screen.key
    screen.press(*digits(5, 4, 3))
    for _ in range(10):
        page.keyboard.down("Digit2")
        page.wait_for_timeout(60)
    page.keyboard.up("Digit2")
    screen.next_after(first)
    assert hint(page) == ""
    check_stored(here, [5, 4, 3, 2])


def test_one_undo_takes_a_burst_back(world, page):
    """Also what follows it without a pause, but nothing that was given later."""
    here = world()
    screen = Screen.begin(here, page)
    screen.ahead()
    first = screen.key
    typist = Typist(screen)
    typist.type(*digits(5, 4, 3, 2, 1, 2, 3), gap=100)
    second = screen.key
    typist.wait(100)
    assert "before this sheet could be seen" in hint(page)
    typist.go_on()
    assert violations_light_and_dark(page) == []
    screen.press("KeyU")
    assert "Answers undone: 3." in hint(page)
    assert page.locator(".question").first.evaluate("one => one.classList.contains('current')")
    screen.press("Digit5")
    screen.saved()
    assert here.values() == [5, 4, 3, 2, 5, None, None]
    screen.press("KeyU", "KeyU")
    screen.next_after(second)
    assert screen.key == first
    assert page.locator(".question").nth(3).evaluate("one => one.classList.contains('current')")
    here.check_history()


def test_a_sheet_that_a_burst_filled_is_taken_back_as_a_whole(world, page):
    here = world()
    screen = Screen.begin(here, page)
    screen.ahead()
    screen.press(*digits(5, 4, 3, 2))
    second = screen.key
    screen.press(*digits(1, 2, 3, 4))
    page.wait_for_selector(f"form.sheet:not([data-sheet='{second}'])")
    page.wait_for_selector("#hint:text('the last sheet')")
    screen.next_after(second)
    check_stored(here, [5, 4, 3, 2, 1, 2, 3, 4])
    screen.press("KeyU")
    page.wait_for_selector(f"form.sheet[data-sheet='{second}']")
    page.wait_for_selector("#hint:text('Answers undone: 4.')")
    screen.saved()
    assert here.values() == [5, 4, 3, 2, None, None, None, None]
    here.check_history()


def test_digits_wait_for_a_sheet_that_is_loading(world, page):
    here = world(rows=different(4))
    line = Slow(page)
    screen = Screen.begin(here, page)
    values = [5, 4, 3, 2, 1, 2, 3, 4, 5]
    type_blind(screen, values, 15)
    assert "your keys wait" in hint(page)
    here.site.until(lambda: page.wait_for_timeout(20) or line.waiting, "it is handed in")
    line.free()
    check_stored(here, values)


def test_a_sheet_that_comes_long_after_its_digits_takes_none(world, page):
    here = world()
    line = Slow(page)
    screen = Screen.begin(here, page)
    first = screen.key
    screen.press(*digits(5, 4, 3, 2, 1, 2))
    page.wait_for_selector("#hint:text('ignored until it is there')")
    screen.press("Digit3")
    line.free()
    page.wait_for_selector("#hint:text('none is stored')")
    screen.next_after(first)
    page.wait_for_timeout(1300)
    screen.press(*digits(4, 5))
    check_stored(here, [5, 4, 3, 2, 4, 5])


def test_a_burst_with_a_digit_that_is_not_on_the_scale(world, page):
    here = world()
    screen = Screen.begin(here, page)
    screen.ahead()
    typist = Typist(screen)
    typist.type(*digits(5, 4, 3, 2, 1, 9, 3), gap=80)
    typist.wait(100)
    assert "9 is not on the scale GRAMMAR. Keys right after it were ignored" in hint(page)
    typist.wait(1300)
    typist.type(*digits(1, 9), gap=300)
    assert hint(page) == "9 is not on the scale GRAMMAR."
    typist.type("Digit2", gap=200)  # Too quick for a second thought.
    assert "ignored" in hint(page)
    typist.wait(1300)
    typist.type("Digit2", gap=100)
    typist.go_on()
    check_stored(here, [5, 4, 3, 2, 1, 2])


def test_numbers_are_typed_across_the_border(world, page):
    here = world(template="direct-assessment", rows=different(3))
    screen = Screen.begin(here, page)
    screen.ahead()
    first = screen.key
    questions = screen.questions
    keys = [
        key for number in range(questions + 2) for key in (f"Digit{number + 1}", "Digit7", "Enter")
    ]
    typist = Typist(screen)
    typist.type(*keys, gap=60)
    typist.wait(300)
    typist.go_on()
    check_stored(here, [10 * (number + 1) + 7 for number in range(questions + 2)])
    assert screen.key != first


def test_digits_after_the_last_answer_wait_for_the_confirmation(world, page):
    """Where a sheet stays until it is confirmed, a burst changes nothing on it."""
    here = world()
    screen = Screen.begin(here, page)
    page.evaluate(
        """() => {
          const { annotator } = document.getElementById("rate").dataset;
          localStorage.setItem(`prefs:${annotator}`, JSON.stringify({ confirm: true }));
        }"""
    )
    page.reload()
    page.wait_for_selector(".question.current")
    screen.settle()
    typist = Typist(screen)
    typist.type(*digits(5, 4, 3, 2, 1, 5), gap=100)
    assert "Keys right after it were ignored" in hint(page)
    typist.type("Digit1", gap=1500)  # A second thought.
    typist.go_on()
    screen.saved()
    check_stored(here, [5, 4, 3, 1])


def test_taps_within_the_guard_are_refused_until_a_pause(world, new_page):
    here = world()
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    screen = Screen.begin(here, page)
    screen.ahead()
    first = screen.key
    screen.press(*digits(5, 4, 3))
    typist = Typist(screen)
    point = page.locator(".question.current .point").nth(1)
    point.tap()
    assert screen.key != first
    for _ in range(5):
        typist.wait(150)
        point.tap()
    assert "came too soon" in hint(page)
    assert fits(page, 390)
    typist.wait(700)
    point.tap()
    typist.go_on()
    check_stored(here, [5, 4, 3, 2, 2])


def test_practice_takes_what_is_typed_ahead(world, page):
    """Answers are sent one by one there; the keys for the next one wait."""
    here = world()
    school(here)
    here.log_in(page.context)
    page.goto(f"{here.start}practice/")
    page.click("text=Begin practice")
    page.wait_for_selector("fieldset:focus-within")
    line = Slow(page, saves=re.compile(r"/practice/[^/]+/$"), what="value")
    screen = Screen(here, page)
    screen.press(*digits(4, 5, 5))
    here.site.until(lambda: page.wait_for_timeout(20) or line.waiting, "the first one is sent")
    line.free()
    page.wait_for_selector(".verdict >> nth=1")
    assert page.locator(".verdict:has-text('Right.')").count() == 2
    page.wait_for_selector("#hint:text('ignored')")
    assert violations_light_and_dark(page) == []
