"""The pages in Korean, in Chromium: nothing that axe objects to, nothing too wide for a phone."""

import pytest

from tests.scoring.views.shown import settled
from tests.site.visiting import faults, log_in_to_demo

pytestmark = pytest.mark.browser


def wrong(page):
    """What is wrong with the page that is open."""
    settled(page)
    korean = page.get_attribute("html", "lang") == "ko"
    return faults(page) + ([] if korean else [f"{page.url} is not marked as Korean"])


def test_an_annotator_works_in_korean(shared_demo, new_page):
    page = new_page(locale="ko-KR", viewport={"width": 390, "height": 844})
    page.goto(f"{shared_demo.url}/accounts/login/")
    found = wrong(page)
    log_in_to_demo(page, shared_demo, "annotator")
    found += wrong(page)
    page.goto(f"{shared_demo.url}/rate/demo/")
    found += wrong(page)
    page.click("main form .button")
    page.wait_for_selector(".question.current")
    # As high as the sheet: axe takes what lies under the foot, until it is scrolled, for too small.
    page.set_viewport_size({"width": 320, "height": 2400})
    found += wrong(page)
    page.wait_for_selector("form.sheet:not([data-fresh])")
    page.keyboard.press("Digit4")
    page.wait_for_selector(".question[data-save=saved]")
    page.wait_for_selector("#save-state:text('저장됨')")
    page.keyboard.press("u")
    page.wait_for_selector("#hint:text('되돌렸습니다.')")
    page.goto(f"{shared_demo.url}/rate/demo/own/")
    assert page.inner_text("h1") == "내 작업"
    found += wrong(page)
    assert found == []
