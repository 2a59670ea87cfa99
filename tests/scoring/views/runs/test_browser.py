"""From the list of metrics to a run, and from somebody's own scores to a metric, in Chromium."""

import json

import pytest

from tests.axe import violations
from tests.scoring.views.shown import show
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
    page.wait_for_selector("#runs li[data-status=done]", timeout=120_000)
    page.click("#runs summary >> nth=0")
    page.click("#runs a:has-text('Open the run') >> nth=0")
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


def test_without_scripts_on_a_phone(demo, new_page):
    page, campaign = open_as_admin(
        demo, new_page, viewport={"width": 360, "height": 800}, java_script_enabled=False
    )
    page.goto(f"{campaign}runs/")
    page.check("#m-jaccard")
    page.click("#pick-jaccard summary")
    page.wait_for_selector("[name='jaccard.against']")
    page.click("form .button:text-is('Start')")
    page.wait_for_selector("text=1 metric was started.")
    row = page.locator("#runs li", has_text="jaccard")
    demo.until(
        lambda: page.reload() and row.first.get_attribute("data-status") == "done", "it is scored"
    )


def test_scores_of_an_own_metric_are_there_at_once(demo, new_page):
    with demo.database():
        from annotation.models import Substitution

        found = Substitution.objects.filter(role="output", campaign__slug="demo")
        lines = [
            {
                "phrase": one.item.phrase.text,
                "sentence": one.item.sentence,
                "start": one.item.start,
                "end": one.item.end,
                "paraphrase": one.text,
                "score": len(one.text),
            }
            for one in found.select_related("item__phrase")
        ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    page, campaign = open_as_admin(demo, new_page)
    page.goto(f"{campaign}runs/")
    page.click("text=Scores of your own metric")

    def send(content):
        file = {"name": "length.jsonl", "mimeType": "text/plain", "buffer": content.encode()}
        page.set_input_files("input[type=file]", file)
        page.check("text=Lower is better >> nth=0")
        page.click("main form .button")

    send(text.replace(f'"score": {lines[0]["score"]}', '"score": "long"', 1))
    page.wait_for_selector("text=Nothing was imported")
    page.wait_for_selector("#report tbody tr:has-text(\"'long' is not a number\")")
    assert violations(page) == []
    send(text)
    page.wait_for_selector("text=Imported: length.")
    page.wait_for_load_state()
    assert page.inner_text("h1") == "length" and "lower is better" in page.inner_text("main")
    show(page, f"{campaign}correlation/")
    assert "length" in page.inner_text("main table")
