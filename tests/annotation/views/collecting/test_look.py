"""The rating screen as each annotator likes it: layout, marks, keys; remarks; the next sheet."""

import pytest

from annotation.models import Remark
from tests.annotation.screen import Screen, rows_about
from tests.axe import violations_light_and_dark

pytestmark = pytest.mark.browser

SENTENCE = "He will `` take into account '' the german 's view , and I do n't mind ( much ) ."
PHRASE = "take into account"


def open_view(screen):
    screen.press("KeyV")
    screen.wait("#view[open]")


def close_view(screen):
    screen.press("Escape")
    screen.wait("#view:not([open])", "attached")


def visible(screen, selector):
    return int(screen.page.locator(f"{selector}:visible").count())


def test_sentences_as_people_write_them_with_what_differs(world, page):
    rows = rows_about([SENTENCE], PHRASE, "take it into account", "the city 's account")
    screen = Screen.begin(world(rows=rows), page)
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
    screen.wait(".question.current")
    assert page.inner_text(".original .sentence") == joined
    assert page.locator(".differs").count() == 0


def test_one_at_a_time(screen):
    open_view(screen)
    screen.page.check("[data-pref=layout][value=single]")
    close_view(screen)
    assert visible(screen, ".substitution") == 1
    assert screen.page.inner_text(".where:visible") == "1 of 2"
    screen.digits("54")
    screen.wait(".where:visible:text('2 of 2')")
    assert visible(screen, ".substitution") == 1
    screen.finish("32")
    assert visible(screen, ".substitution") == 1
    assert screen.values() == [5, 4, 3, 2]


def test_keys_can_be_changed_and_switched_off(screen):
    page = screen.page
    open_view(screen)
    page.click("[data-remap='value:5']")
    screen.press("KeyU")
    assert page.inner_text("[data-remap='value:5']") == "u"
    assert page.inner_text("[data-remap=undo]") == "5"
    close_view(screen)
    assert page.locator("kbd[data-action='value:5']:visible").first.inner_text() == "u"
    screen.press("KeyU")
    screen.saved(1)
    screen.press("Shift+Numpad4")
    screen.saved(2)
    assert screen.values() == [5, 4]
    screen.press("Digit5")
    screen.wait("text=Undone.")
    screen.saved()
    assert screen.values() == [5, None]

    open_view(screen)
    page.click("#keys-reset")
    page.uncheck("[data-pref=single]")
    close_view(screen)
    assert visible(screen, "kbd[data-action]") == 0
    screen.press("Digit1", "KeyS", "KeyC")
    assert page.locator("dialog[open]").count() == 0
    screen.press("ArrowRight", "Space")
    screen.saved()
    assert screen.values() == [5, 2]


def test_a_flag_and_a_comment_reach_the_researcher(screen):
    page, proxy = screen.page, screen.world.proxy
    proxy.set("cut")
    screen.press("KeyF")
    page.fill("#remark-text", "5 words are missing")
    page.check("#remark-flag")
    page.click("#remark [value=yes]")
    screen.wait("#remark-error:has-text('No connection')")
    proxy.set("open")
    page.click("#remark [value=yes]")
    screen.wait("text=Your remark is saved.")
    screen.wait(".substitution.here[data-flagged=yes]")
    page.reload()
    screen.wait(".question.current")
    screen.press("KeyF")
    assert page.input_value("#remark-text") == "5 words are missing"
    page.check("#remark [name=about][value=sheet]")
    assert page.input_value("#remark-text") == ""
    with screen.world.campaign() as campaign:
        remark = Remark.objects.get(campaign=campaign)
        assert (remark.flagged, remark.text) == (True, "5 words are missing")
        assert remark.substitution is not None
    assert screen.values() == []


def test_a_korean_input_method_changes_nothing(screen):
    """It tells other letters, or none at all; the places of the keys stay."""

    def press(code, key, **more):
        screen.page.evaluate(
            """event => document.activeElement.dispatchEvent(new KeyboardEvent("keydown",
               {bubbles: true, cancelable: true, ...event}))""",
            {"code": code, "key": key, **more},
        )

    press("Digit4", "Process", keyCode=229)
    press("Digit3", "3")
    screen.saved(2)
    assert screen.values() == [4, 3]
    press("KeyU", "ㅕ")
    screen.wait("text=Undone.")
    press("KeyC", "Process", keyCode=229)
    screen.wait("#cannot[open]")
    screen.press("Escape")
    # While letters are put together the keys belong to the input method.
    press("Digit5", "5", isComposing=True)
    screen.saved()
    assert screen.values() == [4, None]


def test_a_remark_that_was_typed_is_not_lost(screen):
    """Escape keeps it, also over a reload; the sheet asks for it before it is handed in."""
    page, first = screen.page, screen.key
    screen.press("KeyF")
    page.keyboard.type("odd word")
    screen.press("Escape")
    screen.wait("#hint:text('as a draft')")
    page.reload()
    screen.wait(".question.current")
    screen.settle()
    screen.digits("5432")
    screen.wait("#remark[open] #remark-error:text('not saved yet')")
    assert page.input_value("#remark-text") == "odd word"
    assert violations_light_and_dark(page) == []
    screen.press("Escape")
    assert screen.key == first
    page.click("#next")
    screen.wait("#remark[open]")
    page.keyboard.type(" here")
    screen.press("Control+Enter")
    screen.next_after(first)
    with screen.world.campaign() as campaign:
        assert [one.text for one in Remark.objects.filter(campaign=campaign)] == ["odd word here"]
    second = screen.key
    screen.press("KeyF")
    page.keyboard.type("no")
    page.click("#remark-drop")
    screen.finish("5432")
    assert screen.key != second
    with screen.world.campaign() as campaign:
        assert Remark.objects.filter(campaign=campaign).count() == 1


FILL = """() => {
  for (let n = 2 ** 22; n >= 1; n /= 2) {
    try {
      for (let i = 0; ; i += 1) localStorage.setItem(`${n} ${i}`, "x".repeat(n));
    } catch {
      // Less has room yet.
    }
  }
}"""


def test_a_remark_for_which_the_device_has_no_room_stays_in_the_page(screen):
    page, first = screen.page, screen.key
    page.evaluate(FILL)
    screen.press("KeyF")
    page.keyboard.type("odd word")
    screen.press("Escape")
    screen.wait("#hint:text('until this page is closed')")
    screen.digits("5432")
    screen.wait("#remark[open] #remark-error:text('not saved yet')")
    assert page.input_value("#remark-text") == "odd word"
    screen.press("Control+Enter")
    screen.next_after(first)
    with screen.world.campaign() as campaign:
        assert [one.text for one in Remark.objects.filter(campaign=campaign)] == ["odd word"]
