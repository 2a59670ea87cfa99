"""Rating in Chromium with the keyboard alone; the database says what was saved."""

import pytest

from annotation.models import Skip, Slot
from tests.annotation.screen import Screen, different

pytestmark = pytest.mark.browser


@pytest.fixture
def numbers(world, page):
    """Scales from 0 to 100."""
    return Screen.begin(world(template="direct-assessment"), page)


def back_at(screen, sheet):
    """Wait for the sheet, whose last answer was taken back."""
    screen.wait(f"form.sheet[data-sheet='{sheet}']")
    screen.saved()
    screen.wait(".question:not([data-save=saved])")


def test_the_keyboard_alone_rates_a_campaign(world, page):
    here = world(rows=different(2))
    screen = Screen.begin(here, page)
    loads = []
    page.on("load", lambda _: loads.append(page.url))
    first = screen.key
    screen.press("Digit5", "Digit4", "Shift+Numpad3", "Digit2")
    screen.next_after(first)
    page.wait_for_url(f"**/{screen.key}/")
    screen.wait("#progress:text('1 done, 1 left')")
    assert loads == []
    screen.digits("1234")
    page.wait_for_url(here.start)
    screen.wait("text=Thank you!")
    here.check_counted([5, 4, 3, 2, 1, 2, 3, 4])
    assert screen.unsent() == []


def test_the_page_counts_what_is_done_and_seldom_asks(world, page):
    screen = Screen.begin(world(rows=different(32)), page)
    asked = []
    page.on("request", lambda one: "progress/own" in one.url and asked.append(one.url))
    for number in (1, 2, 3):
        last = screen.key
        screen.finish("1234")
        screen.wait(f"#progress:text('{number} done, {32 - number} left')")
        assert page.text_content("#texts-done") == str(2 * number)
    page.wait_for_timeout(1500)
    assert asked == []
    screen.press("u")
    back_at(screen, last)
    screen.wait("#progress:text('2 done, 30 left')")  # The sheet is open again: the server knows.
    screen.digits("4")
    screen.wait("#progress:text('3 done, 29 left')")
    page.wait_for_timeout(1500)
    screen.wait("#progress:text('3 done, 29 left')")
    assert page.text_content("#texts-done") == "6"


def test_arrows_and_tab_move_and_only_a_digit_or_space_rates(screen):
    boxes = screen.page.locator(".question").element_handles()

    def at(*keys):
        screen.press(*keys)
        return [box.evaluate("box => box.matches('.current')") for box in boxes].index(True)

    assert at("ArrowDown", "ArrowDown") == 2
    assert at("ArrowUp") == 1
    assert at("Tab") == 2
    assert at("Shift+Tab") == 1
    screen.press("ArrowRight", "ArrowRight")
    assert screen.values() == []
    assert screen.page.evaluate("document.activeElement.value") == "3"
    screen.press("Space")
    screen.saved(1)
    assert screen.values() == [3]
    assert at() == 2
    screen.check_shown()


def test_undo_goes_back_over_the_border_and_the_sheet_reopens(screen):
    first = screen.key
    screen.press("Digit5", "Digit2", "KeyU")
    screen.wait("text=Undone.")
    screen.finish("431")
    second = screen.key
    assert screen.values() == [5, 4, 3, 1]

    screen.press("KeyU")
    back_at(screen, first)
    assert screen.values() == [5, 4, 3, None]
    with screen.world.campaign():
        assert Slot.objects.get(sheet__key=first).state == "claimed"

    screen.finish("2")
    assert screen.key == second
    assert screen.values() == [5, 4, 3, 2]
    assert max(row[4] for row in screen.world.rows()) == 3  # given, cleared, given again


def test_a_held_key_and_a_double_click_rate_once(screen):
    for _ in range(5):
        screen.page.keyboard.down("Digit4")  # From the second on these are repetitions.
    screen.page.keyboard.up("Digit4")
    screen.saved(1)
    screen.page.locator(".question").nth(1).locator("[value='2']").dblclick()
    screen.saved(2)
    assert [row[2:] for row in screen.world.rows()] == [(4, "", 1, "draft"), (2, "", 1, "draft")]


def test_keys_with_modifiers_and_in_texts_and_dialogs_are_left_alone(screen):
    screen.press("?")
    screen.wait("#help[open]")
    screen.press("Digit3", "Escape")
    screen.wait("#help:not([open])", "attached")
    screen.press("Control+Digit3", "Alt+Digit3", "Meta+Digit3")
    screen.press("KeyC", "Tab")
    screen.page.keyboard.type("my own 5 words")
    screen.press("Enter")
    screen.saved(1)
    screen.press("KeyC", "Digit2")
    screen.saved(2)
    reasons = {row[2:4] for row in screen.world.rows()}
    assert reasons == {(None, "my own 5 words"), (None, "broken text")}
    screen.check_shown()


def test_a_scale_of_many_values_takes_typed_numbers(numbers):
    first = numbers.key
    numbers.digits("75\n101\n")
    assert numbers.page.inner_text("#hint") != ""
    numbers.press("Backspace", "Backspace", "Backspace")
    numbers.digits("0\n100")
    numbers.press("ArrowDown")
    numbers.finish("33\n")
    assert numbers.values() == [75, 0, 100, 33]
    numbers.press("KeyU")
    back_at(numbers, first)
    assert numbers.values() == [75, 0, 100, None]


def test_a_number_that_was_typed_but_not_left_survives_a_reload(numbers):
    numbers.digits("64")
    numbers.page.reload()
    numbers.saved(1)
    assert numbers.values() == [64]
    numbers.check_shown()


def test_a_sheet_is_given_back_with_a_reason(world, page):
    here = world(rows=different(2))
    screen = Screen.begin(here, page)
    first = screen.key

    def standing():
        with here.campaign():
            skips = Skip.objects.filter(sheet__key=first)
            return Slot.objects.get(sheet__key=first).state, [one.reason for one in skips]

    screen.press("Digit5", "KeyS")
    screen.wait("#skip[open]")
    screen.finish("2")
    assert "Given back" in page.inner_text("#hint")
    assert standing() == ("free", ["offensive"])
    assert screen.world.rows()[0][2] == 5
    second = screen.key
    screen.press("KeyU")  # Taken back, with what was answered.
    screen.wait(f"form.sheet[data-sheet='{first}'] .question[data-save=saved]")
    assert standing() == ("claimed", [])
    screen.settle()
    screen.press("KeyS")
    screen.finish("2")
    assert screen.key == second
    screen.digits("1234")
    page.wait_for_url(here.start)  # Nothing else is left: the sheet is not offered again.
    page.click("main form .button")
    screen.wait("text=nothing left for you")


def test_the_wheel_leaves_numbers_alone_and_a_slider_gives_them(numbers):
    """By wheel, mouse and arrow keys; a slider has no value before it is moved."""
    page = numbers.page
    numbers.digits("55")
    field = page.locator("input[type=number]").first
    first, other, third = page.locator(".analogue").all()[:3]
    assert first.get_attribute("aria-valuetext") is None
    field.hover()
    for _ in range(3):
        page.mouse.wheel(0, 100)
        page.wait_for_timeout(30)
    numbers.press("ArrowDown")
    numbers.saved()
    assert (field.input_value(), numbers.values()) == ("55", [55])
    numbers.digits("7")
    numbers.press("Tab")  # To the slider: at the number it follows.
    assert (other.input_value(), other.get_attribute("aria-valuetext")) == ("7", None)
    numbers.press("ArrowRight", "ArrowRight")
    numbers.world.site.until(lambda: numbers.values() == [55, 9], "the arrows moved it")
    assert third.get_attribute("aria-valuetext") == "no answer"
    box = third.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.8, box["y"] + box["height"] / 2)
    numbers.world.site.until(lambda: len(numbers.values()) == 3, "the mouse moved it")
    assert 75 <= numbers.values()[2] <= 85
    assert page.locator(".question").nth(3).get_attribute("data-save") is None
    numbers.check_shown()


def test_the_second_half_of_a_double_click_rates_no_other_sheet(screen):
    page = screen.page
    screen.ahead()
    first = screen.key
    screen.digits("111")
    page.mouse.wheel(0, 2000)
    page.wait_for_timeout(100)
    box = page.locator(".question").nth(3).locator("label.point").nth(1).bounding_box()
    x, y = box["x"] + 20, box["y"] + 20
    # Where the next sheet has a point, too.
    page.evaluate(
        """([x, y]) => new MutationObserver(() => {
             const to = document.querySelector('.question label.point').getBoundingClientRect();
             document.querySelector('#sheet').style.translate = `${x - to.x}px ${y - to.y}px`;
           }).observe(document.getElementById('sheet'), {childList: true})""",
        [x - 15, y - 15],
    )
    page.mouse.click(x, y)
    page.wait_for_timeout(300)  # Digits are taken again by now.
    page.mouse.click(x, y, click_count=2)
    screen.wait("text=came too soon")
    screen.next_after(first)
    assert screen.values() == [1, 1, 1, 2]
    page.wait_for_timeout(600)
    page.mouse.click(x, y)
    screen.saved(1)
