"""Practice and the pages of quality control in Chromium."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import override_settings

from tests.annotation.views.collecting.screen import HASHER, Screen, World, different
from tests.axe import violations, violations_light_and_dark
from tests.browser import fits

pytestmark = pytest.mark.browser


def school(world: World, *, practice: int = 2, test: int = 1) -> None:
    """MEANING 4 to 5 and GRAMMAR 5 are right; the test is required."""
    from annotation.models import Campaign
    from annotation.services.quality.imports import text_add
    from annotation.services.quality.practice import practice_set
    from annotation.services.quality.rules import Band

    with world.site.database():
        campaign = Campaign.objects.get(slug=world.slug)
        for part, many in (("practice", practice), ("test", test)):
            for number in range(many):
                text_add(
                    campaign=campaign, role="practice", part=part,
                    sentence=f"The ship left at once, for the {number}. time.",
                    phrase="at once", paraphrase=f"immediately {part}", actor=None,
                    bands={
                        "MEANING": Band(4, 5, "Nothing is lost: both say “without delay”."),
                        "GRAMMAR": Band(5, 5, "The sentence is correct."),
                    },
                )  # fmt: skip
        practice_set(campaign=campaign, required=True, share=1, tries=2, tolerance={}, actor=None)


def press(page: Any, digit: int) -> None:
    page.keyboard.press(f"Digit{digit}")


def asked(page: Any, place: str) -> None:
    """Wait until a digit would answer a question of this text."""
    page.wait_for_selector(f"text={place}")
    page.wait_for_selector("fieldset:focus-within")


def test_practice_and_test_with_digits_alone(
    world: Callable[..., World], new_page: Callable[..., Any]
) -> None:
    place = world()
    school(place)
    page = new_page()
    place.log_in(page.context)
    page.goto(place.start)
    page.click("main form .button")
    page.wait_for_url("**/practice/")
    page.click("text=Begin practice")
    for number in (1, 2):
        asked(page, f"Text {number} of 2")
        press(page, 2)
        page.wait_for_selector(".verdict:has-text('Not what we expect.')")
        assert "Nothing is lost" in page.inner_text("#verdict")
        press(page, 5)
        page.wait_for_selector(".verdict:has-text('Right.')")
        assert page.locator(".verdict").count() == 2
        assert violations(page) == []
        assert page.evaluate("document.activeElement.id") == "next"
        page.keyboard.press("Enter")
    page.wait_for_url("**/practice/")
    page.click("text=Begin the test")
    asked(page, "Text 1 of 1")
    press(page, 1)
    press(page, 5)
    assert page.locator(".verdict").count() == 0
    assert violations(page) == []
    page.keyboard.press("Enter")
    page.wait_for_selector("text=1 of 2 right")
    page.wait_for_selector("text=1 try left")
    page.click("text=Try again")
    asked(page, "Text 1 of 1")
    press(page, 4)
    press(page, 5)
    page.keyboard.press("Enter")
    page.wait_for_selector("text=You are ready")
    assert violations(page) == []
    page.click("text=Begin")
    page.wait_for_url(f"**/rate/{place.slug}/")
    page.click("main form .button")
    page.wait_for_selector(".question.current")
    assert place.rows() == []


def test_practice_by_touch_on_a_phone(
    world: Callable[..., World], new_page: Callable[..., Any]
) -> None:
    place = world()
    school(place, practice=1)
    page = new_page(viewport={"width": 390, "height": 800}, has_touch=True)
    place.log_in(page.context)
    page.goto(f"{place.start}practice/")
    page.tap("text=Begin practice")
    asked(page, "Text 1 of 1")
    page.tap(".asked:first-child .point:nth-child(2)")
    page.wait_for_selector(".verdict")
    assert fits(page, 390)
    assert page.locator(".verdict").count() == 1


def test_a_warning_comes_between_two_sheets_and_the_work_goes_on(
    world: Callable[..., World], new_page: Callable[..., Any]
) -> None:
    """Nothing that was typed is lost on the way."""
    from annotation.models import Campaign, Expected, Output, QualityAction, Substitution
    from annotation.services.quality.rules import plan_set, rule_add

    place = world(rows=different(6))
    with place.site.database():
        campaign = Campaign.objects.get(slug=place.slug)
        texts = Substitution.objects.filter(campaign=campaign)
        Output.objects.filter(substitution__in=texts).delete()
        texts.update(role="control")
        Expected.objects.bulk_create(
            Expected(substitution=text, scale=scale, low=5, high=5)
            for text in texts
            for scale in campaign.scales.all()
        )
        plan_set(campaign=campaign, actor=None, changes={"delay_least": 1, "delay_most": 1})
        rule_add(campaign=campaign, check="control", least=1, share=1, act="warn", actor=None)
    screen = Screen.begin(place, new_page())
    sheets = 1
    while screen.complete(2):
        sheets += 1
    assert 2 <= sheets <= 3, "one sheet later, or two where the next one was ready"
    screen.page.wait_for_selector("text=guidelines once more")
    screen.page.click("text=I have read this: go on")
    screen.page.wait_for_url(f"**/rate/{place.slug}/")
    screen.page.click("main form .button")
    screen.page.wait_for_selector(".question.current")
    assert len(place.values()) == 4 * sheets
    with place.site.database():
        assert QualityAction.objects.get(campaign__slug=place.slug).read_at is not None
    place.check_history()


def test_axe_on_records_and_notices(
    world: Callable[..., World], new_page: Callable[..., Any]
) -> None:
    from annotation.models import Annotator, Campaign
    from annotation.services.people.membership import membership_set
    from annotation.services.quality.copies import copies_make
    from annotation.services.quality.rules import plan_set, rule_add
    from tests.annotation.services.quality.acts import work
    from tests.factories import make_user

    place = world(names=("bob", "rita"), k=2)
    with place.site.database(), override_settings(PASSWORD_HASHERS=HASHER):
        campaign = Campaign.objects.get(slug=place.slug)
        copies_make(campaign=campaign, items=3, seed=1, actor=None)
        membership_set(campaign=campaign, user=make_user("rita"), role="researcher", actor=None)
        plan_set(campaign=campaign, actor=None, changes={"delay_least": 1, "delay_most": 1})
        for act in ("warn", "pause"):
            rule_add(campaign=campaign, check="copy", least=1, share=0.1, act=act, actor=None)
        bob = Annotator.objects.select_related("campaign").get(
            campaign=campaign, user__username="bob"
        )
        work(bob, lambda text, scale: 1)
        key = bob.key
    page = new_page()
    place.log_in(page.context)
    page.goto(place.start + "notice/")
    page.wait_for_selector("text=Your work is paused")
    assert violations_light_and_dark(page) == []
    page = new_page()
    place.log_in(page.context, "rita")
    base = f"{place.proxy.url}/c/{place.slug}/"
    wrong = []
    for path in (f"people/{key}/", "quality/", "quality/controls/", "practice/", "people/"):
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(base + path)
        wrong += [f"{path} {line}" for line in violations_light_and_dark(page)]
        widths = (1280, 390, 320)
        wrong += [f"{path} scrolls sideways at {one}" for one in widths if not fits(page, one)]
    assert not wrong, "\n".join(wrong)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{base}people/{key}/")
    page.locator("button:has-text('Lift')").first.click()
    page.wait_for_selector("text=Lifted")
