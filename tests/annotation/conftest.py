"""Campaigns that tests of several rooms of collection share."""

import pytest

from annotation.collecting import whole_sheet_api
from annotation.collecting.claiming import claim_next
from annotation.people.background import Given, Question, question_add
from tests.annotation.screen import Screen, World
from tests.factories import give_answers, make_annotator, make_campaign
from tests.proxy import Proxy


@pytest.fixture
def world(shared_site):
    """Make a campaign on the shared server: `world(names=("bob", "ben"), items=2)`.

    In the end its history is whole, and every rule holds.
    """
    proxy = Proxy(shared_site.port)
    made = []

    def make(**options):
        made.append(World(shared_site, proxy, **options))
        return made[-1]

    yield make
    proxy.close()
    for one in made:
        one.check_history()


@pytest.fixture
def screen(world, page):
    """Bob at his first sheet, with four questions."""
    return Screen.begin(world(), page)


@pytest.fixture
def begun_campaign():
    return make_campaign(items=3, k=1)


@pytest.fixture
def campaign():
    return make_campaign(items=1)


@pytest.fixture
def draft():
    return make_campaign(items=1, open_it=False)


@pytest.fixture
def place():
    campaign = make_campaign(items=1, k=2)
    bob = make_annotator(campaign, "bob")
    sheet = claim_next(annotator=bob)
    assert sheet is not None
    return bob, sheet


@pytest.fixture
def answered():
    """Two answer, one of them only one question; a third has not begun."""
    campaign = make_campaign(items=1)
    asked = [
        Question("How old are you?", "number", name="age"),
        Question("Which do you speak?", "choices", ["Czech", "Danish", "Dutch"], name="speaks"),
        Question("Anything else?", name="else"),
    ]
    age, speaks, other = (
        question_add(campaign=campaign, question=one, actor=None) for one in asked
    )
    for name, given in (
        ("bob", {age.key: Given(["40"]), speaks.key: Given(["Dutch", "Czech"])}),
        ("ben", {age.key: Given(declined=True), speaks.key: Given(["Dutch"])}),
    ):
        voice = make_annotator(campaign, name)
        give_answers(voice, {**given, other.key: Given([""])})
    make_annotator(campaign, "beth")
    return campaign


@pytest.fixture
def long_way(monkeypatch):
    """The sheets that were saved by the services."""
    taken = []
    by_parts = whole_sheet_api.sheet_save

    def noted(**given):
        taken.append(str(given["sheet_key"]))
        return by_parts(**given)

    monkeypatch.setattr(whole_sheet_api, "sheet_save", noted)
    return taken
