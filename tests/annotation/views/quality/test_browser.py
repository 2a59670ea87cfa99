"""Practice and the pages of quality control in Chromium."""

import pytest

from annotation.models import Expected, Output, QualityAction, Substitution
from annotation.quality.expected import Band, text_add
from tests.annotation.acts import add_rule, plan
from tests.annotation.school import ask_practice
from tests.annotation.screen import Screen, different
from tests.axe import violations
from tests.browser import fits

pytestmark = pytest.mark.browser


def school(world):
    """MEANING 4 to 5 and GRAMMAR 5 are right; the test is required."""
    with world.campaign() as campaign:
        for part, many in (("practice", 2), ("test", 1)):
            for number in range(many):
                text_add(
                    campaign=campaign,
                    role="practice",
                    part=part,
                    sentence=f"The ship left at once, for the {number}. time.",
                    phrase="at once",
                    paraphrase=f"immediately {part}",
                    actor=None,
                    bands={
                        "MEANING": Band(4, 5, "Nothing is lost: both say “without delay”."),
                        "GRAMMAR": Band(5, 5, "The sentence is correct."),
                    },
                )
        ask_practice(campaign, tries=2)


def answer(page, place, digits):
    """Wait until a digit would answer a question of this text, and press some."""
    page.wait_for_selector(f"text={place}")
    page.wait_for_selector("fieldset:focus-within")
    page.keyboard.type(digits)


def test_practice_and_test_with_digits_alone(world, page):
    place = world()
    school(place)
    place.log_in(page.context)
    page.goto(place.start)
    page.click("main form .button")
    page.wait_for_url("**/practice/")
    page.click("text=Begin practice")
    for number in (1, 2):
        answer(page, f"Text {number} of 2", "2")
        page.wait_for_selector(".verdict:has-text('Not what we expect.')")
        assert "Nothing is lost" in page.inner_text("#verdict")
        page.keyboard.press("5")
        page.wait_for_selector(".verdict:has-text('Right.')")
        assert page.locator(".verdict").count() == 2
        assert violations(page) == [] and fits(page, 390)
        assert page.evaluate("document.activeElement.id") == "next"
        page.keyboard.press("Enter")
    page.wait_for_url("**/practice/")
    page.click("text=Begin the test")
    answer(page, "Text 1 of 1", "15")
    assert page.locator(".verdict").count() == 0
    assert violations(page) == []
    page.keyboard.press("Enter")
    page.wait_for_selector("text=1 of 2 right")
    page.wait_for_selector("text=1 try left")
    page.click("text=Try again")
    answer(page, "Text 1 of 1", "45\n")
    page.wait_for_selector("text=You are ready")
    assert violations(page) == []
    page.click("text=Begin")
    page.wait_for_url(f"**/rate/{place.slug}/")
    page.click("main form .button")
    page.wait_for_selector(".question.current")
    assert place.rows() == []


def test_a_warning_comes_between_two_sheets_and_the_work_goes_on(world, page):
    """Nothing that was typed is lost on the way."""
    place = world(rows=different(8))
    with place.campaign() as campaign:
        texts = Substitution.objects.filter(campaign=campaign)
        Output.objects.filter(substitution__in=texts).delete()
        texts.update(role="control")
        Expected.objects.bulk_create(
            Expected(substitution=text, scale=scale, low=5, high=5)
            for text in texts
            for scale in campaign.scales.all()
        )
        plan(campaign, delay_least=1, delay_most=1)
        add_rule(campaign, "control", "warn")
    screen = Screen.begin(place, page)
    sheets = 1
    while screen.complete(2):
        sheets += 1
    # One sheet later; the next one was ready, and what is decided follows the answer to a save.
    assert 2 <= sheets <= 5
    screen.wait("text=guidelines once more")
    page.click("text=I have read this: go on")
    page.wait_for_url(f"**/rate/{place.slug}/")
    page.click("main form .button")
    screen.wait(".question.current")
    assert len(place.values()) == 4 * sheets
    with place.campaign() as campaign:
        assert QualityAction.objects.get(campaign=campaign).read_at is not None
