"""From the invitation to the first sheet and out again, in Chromium."""

import pytest

from annotation.campaigns.services import guideline_add
from annotation.models import BackgroundAnswer
from annotation.people.background import Question, consent_text_add, question_add
from tests.annotation.views.collecting.screen import Screen
from tests.axe import violations
from tests.browser import fits

pytestmark = pytest.mark.browser
GUIDELINE = (
    "# How\n\nSlowly.\n\n## Doubt\n\nThe lower.\n\n## Texts\n\nAny.\n\n## MEANING 5\n\nbegan to"
)


def set_up(world):
    with world.campaign() as campaign:
        consent_text_add(campaign=campaign, text="# The study\n\n- one\n- two", actor=None)
        guideline_add(campaign=campaign, text=GUIDELINE, actor=None)
        for question in (
            Question("How old are you?", "number", required=True),
            Question("Where from?"),
            Question("Which?", "choice", ["this", "that"], required=True),
            Question("Which ones?", "choices", ["this", "that"]),
        ):
            question_add(campaign=campaign, question=question, actor=None)


def backgrounds(world):
    with world.campaign() as campaign:
        rows = BackgroundAnswer.objects.filter(question__campaign=campaign)
        return list(rows.order_by("question__position").values_list("value", "declined"))


def test_in_by_consent_and_answers_and_out_again(world, new_page):
    here = world()
    set_up(here)
    page = new_page(viewport={"width": 390, "height": 800}, color_scheme="dark")
    wrong = []

    def look():
        wrong.extend(violations(page))

    here.log_in(page.context)
    page.goto(here.start)
    page.click("main form .button")
    page.wait_for_url("**/consent/")
    look()
    page.click("text=I have read this and agree")
    page.wait_for_url("**/background/")
    page.click("text=Save and go on")
    page.wait_for_selector(".errors >> nth=1")
    page.wait_for_load_state()
    assert page.locator(".errors").count() == 2
    look()
    assert fits(page, 390)
    assert backgrounds(here) == []
    page.get_by_role("textbox", name="How old are you?").fill("40")
    choice = page.get_by_role("group", name="Which?")
    choice.get_by_text("that", exact=True).click()
    choice.get_by_text("I would rather not say", exact=True).click()
    page.get_by_role("group", name="Which ones?").get_by_label("that").check()
    page.click("text=Save and go on")
    page.wait_for_url(here.start)
    assert backgrounds(here) == [(40, False), (None, False), (None, True), (["that"], False)]
    page.click("main form .button")
    page.wait_for_selector("form.sheet")

    page.goto(f"{here.start}own/")
    page.click("text=Withdraw from this campaign")
    page.wait_for_url("**/withdraw/")
    page.get_by_text("is left out of every statistic").click()
    page.click("main form .button")
    page.wait_for_selector("#unsure")
    page.wait_for_selector("input[value=remove]:checked", state="attached")
    look()
    page.get_by_text("Yes, I want to withdraw.").click()
    page.click("main form .button")
    page.wait_for_selector(".banner.success")
    assert page.goto(here.start).status == 404
    assert wrong == []


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
