"""Thumbs, screen readers, large letters, writing from right to left."""

import pytest

from tests import axe
from tests.annotation.screen import Screen, rows_about

pytestmark = pytest.mark.browser
PHONE = {"width": 390, "height": 844}
# What of the current question and of both marks lies between the bars.
IN_SIGHT = """() => {
  const [bar, pair, original, foot] = [".bar", "#pair", ".original", "#foot"].map(
    (one) => document.querySelector(one));
  const above = [bar, pair, original].filter((one) => getComputedStyle(one).position === "sticky");
  const top = Math.max(...above.map((one) => one.getBoundingClientRect().bottom)) - 1;
  const bottom = foot.getBoundingClientRect().top + 1;
  const seen = (from) => ({ top: a, bottom: b }) => a >= from - 1 && b <= bottom;
  const boxes = (css, from) => [...document.querySelectorAll(css)]
    .map((one) => one.getBoundingClientRect()).filter((one) => one.height).map(seen(from));
  const marks = boxes("#pair mark", 0);
  return [...boxes(".question.current .points label", top),
    ...(marks.length ? marks
      : [...boxes(".original mark", 0), ...boxes(".here .sentence mark", top)])];
}"""

# What of the page is no target for a thumb.
SMALL = """() => [...document.querySelectorAll('main a, main button, main summary, label.point')]
  .filter((one) => one.checkVisibility())
  .map((one) => [one.textContent.trim(), one.getBoundingClientRect()])
  .filter(([, box]) => box.height < 44 || box.width < 24).map(([text]) => text)"""


def long(items):
    """Texts of 300 words with the phrase in the middle."""
    around = "The clerk of the court wrote down what each of them had said about it. " * 10
    sentence = f"{around}The pilot made no secret of his doubts. {around}"
    sentences = [f"{sentence}{item}" for item in range(items)]
    return rows_about(sentences, "made no secret of", "spoke openly of", "was open about")


def fits(page):
    return bool(
        page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
    )


def test_touch_alone_rates_a_campaign(world, new_page):
    """Every question is in sight whole; with the option a sheet leaves by its button alone."""
    here = world(rows=long(3))
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True)
    here.log_in(page.context)
    page.goto(here.start)
    page.tap("main form .button")
    page.wait_for_selector(".question.current")
    screen = Screen(here, page)
    page.tap("#menu summary")
    page.wait_for_selector("#menu[open]")
    assert page.evaluate(SMALL) == [] and fits(page)
    page.tap("#menu [data-act=view]")
    page.check("[data-pref=confirm]")
    page.tap("#view form button")
    given = []
    for sheet in range(3):
        key = screen.key
        screen.settle()
        for place in range(screen.questions):
            assert page.evaluate(IN_SIGHT) == [True] * 8
            value = 1 + len(given) % 5
            given.append(value)
            point = page.locator(".question").nth(place).locator(f"label:has([value='{value}'])")
            point.tap()
            if place < screen.questions - 1:  # What the finger did moves the page.
                screen.wait(f".question >> nth={place} >> :checked", "attached")
        screen.wait("text=Complete")
        if not sheet:  # Taken back and given again.
            page.tap("#undo")
            screen.wait("text=Undone.")
            assert page.locator(".question.current input:checked").count() == 0
            page.locator(".question.current label.point").nth(value - 1).tap()
            screen.wait("text=Complete")
        assert screen.key == key
        page.tap("#next")
        page.wait_for_function(
            "key => document.querySelector('form.sheet')?.dataset.sheet !== key", arg=key
        )
        if not sheet:
            back = page.locator("#back").bounding_box()
            assert min(back["width"], back["height"]) >= 44
    page.wait_for_url(here.start)
    here.check_counted(given)


def test_names_and_states_for_screen_readers(screen):
    page, proxy = screen.page, screen.world.proxy
    first = page.locator(".question").first
    screen.digits("4")
    screen.saved()
    tree = first.aria_snapshot()
    for line in ('- group "MEANING"', '- radio "4 Added" [checked]', '- radio "c Cannot judge"'):
        assert line in tree
    # What is judged belongs to the group's description: first what is replaced by what.
    described = first.get_attribute("aria-describedby").split()
    pair, sentence, *_ = (page.text_content(f"[id='{one}']") for one in described)
    assert "is replaced by" in pair and "Sentence" in sentence
    assert page.locator(".bar [role=status]").all_text_contents() == [""]
    assert page.locator("#hint").get_attribute("aria-live") == "polite"
    for _ in range(20):  # The column is reached by Tab.
        screen.press("Tab")
        if reached := page.evaluate("document.activeElement.matches('.anchors')"):
            break
    assert reached
    proxy.set("cut")
    screen.digits("4")
    screen.wait("#announce:text('Waiting: 1')", "attached")
    proxy.set("open")
    screen.wait("#announce:text('Saved')", "attached")
    screen.digits("444")
    screen.wait("#announce:text('New sheet. Texts: 2.')", "attached")


def test_at_twice_the_size_nothing_is_cut_off(world, new_page):
    """1280 pixels at 200 % are 640; at 400 % 320 (WCAG 1.4.10)."""
    for width, height in ((640, 400), (320, 512)):
        page = new_page(viewport={"width": width, "height": height}, device_scale_factor=2)
        screen = Screen.begin(world(rows=long(2)), page)
        assert fits(page)
        first = screen.key
        for digit in "5432":
            assert page.evaluate(IN_SIGHT) == [True] * 8
            screen.digits(digit)
        screen.next_after(first)
        page.click(".original .more")
        assert "wrote down what each" in page.inner_text(".original .sentence")[:60]
        assert page.locator(".original mark").evaluate(
            "one => one.getBoundingClientRect().bottom < innerHeight"
        )
        assert fits(page)
        assert screen.values() == [5, 4, 3, 2]
        assert axe.violations(page) == []


def test_right_to_left(world, page):
    sentence, phrase = "قال الوزير إن الاجتماع سيبدأ غدا في المدينة", "سيبدأ غدا"
    here = world(rows=rows_about([sentence], phrase, "ينطلق غدا", "سيعقد يوم غد"))
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
    screen.digits("5432")
    page.wait_for_url(here.start)
    assert here.values() == [5, 4, 3, 2]


def test_wishes_of_the_system(world, new_page):
    page = new_page(reduced_motion="reduce", forced_colors="active")
    screen = Screen.begin(world(), page)
    screen.digits("4")
    screen.saved()
    assert page.evaluate("document.getAnimations().length") == 0
    chosen = page.locator(".question").first.locator("input:checked + span")
    other = page.locator(".question").nth(1).locator(".point span").first
    look = "one => { const s = getComputedStyle(one); return s.backgroundColor + s.borderColor; }"
    assert chosen.evaluate(look) != other.evaluate(look)
