"""From the list of metrics to a run, in Chromium."""

import pytest

from tests.axe import violations
from tests.scoring.views.test_browser import open_as_admin

pytestmark = pytest.mark.browser


def test_from_a_wrong_option_to_a_done_run_and_the_page_of_its_metric(demo, new_page):
    page, campaign = open_as_admin(demo, new_page)
    page.goto(f"{campaign}runs/")
    page.click("nav a:text-is('Words and characters')")
    page.wait_for_selector("#m-bleu:checked", state="attached")
    page.wait_for_load_state()
    assert not page.is_checked("#m-apem")
    page.click("nav a:text-is('None')")
    page.wait_for_selector("#m-bleu:not(:checked)", state="attached")
    page.wait_for_load_state()
    assert page.locator("input[name=metric]:checked").count() == 0
    # By the keyboard alone.
    page.focus("#m-pinc")
    page.keyboard.press("Space")
    page.focus("#pick-pinc summary")
    page.keyboard.press("Enter")
    page.focus("[name='pinc.max_n']")
    page.keyboard.type("99")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Nothing was started.")
    page.wait_for_selector("text=use a whole number from 1 to 9")
    page.wait_for_selector("#m-pinc:checked", state="attached")
    assert violations(page) == []
    page.fill("[name='pinc.max_n']", "2")
    page.fill("#label", "novelty")
    page.click("form .button:text-is('Start')")
    page.wait_for_selector("text=1 metric was started.")
    row = "#runs li[data-status=done]:has-text('novelty')"
    page.wait_for_selector(row, timeout=120_000)
    page.click(f"{row} >> summary >> nth=0")
    page.click(f"{row} >> a:has-text('Open the run')")
    page.wait_for_selector("h1:text-is('novelty')")
    page.wait_for_selector("main pre:has-text('max_n:2')")
    assert violations(page) == []
    page.click("text=What pinc measures")
    page.wait_for_url("**/metrics/pinc/")
    assert page.inner_text("h1") == "PINC"
    page.click("summary:has-text('blind spots')")
    page.wait_for_selector("h2:text-is('Blind spots')")
    page.click(".crumbs a")
    page.wait_for_selector("h1:text-is('Metrics')")
