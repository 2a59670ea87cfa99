"""A person's line, and who may read their name."""

from datetime import timedelta

import pytest

from annotation.access import Rights
from annotation.board.page import ago_told, person_json, person_row
from annotation.board.queries import board_annotators
from annotation.people.exclusions import exclusion_add
from paraanno import clock
from tests.factories import make_annotator, make_campaign, make_user, rate_all

pytestmark = pytest.mark.django_db
RESEARCHER, VIEWER = Rights("researcher", False), Rights("viewer", False)
FIGURES = {
    "places": 10,
    "counted": 8,
    "judgments": 40,
    "judgments_counted": 32,
    "texts": 20,
    "seconds": 400,
    "recent_texts": 0,
    "recent_seconds": 0,
    "week": [0, 0, 0, 2, 4, 4, 0],
    "checks": 5,
    "failed": 2,
}


def row(campaign, rights, figures=None, agreed=None):
    [one] = board_annotators(campaign=campaign)
    return person_row(one, rights, clock.now(), figures, agreed)


def test_figures_are_said_with_their_units():
    campaign = make_campaign(items=1)
    make_annotator(campaign)
    found = row(campaign, RESEARCHER, FIGURES, [0.74, 0.66, 0.81, 30])
    assert (found.per_hour, found.seconds) == (90.0, 20.0)
    assert (found.checks, found.failed, found.n) == (5, 2, 30)
    assert found.agreement is not None and not found.agreement.hollow
    assert (found.agreement.shown, found.agreement.ends) == (".74", "[.66, .81]")
    assert found.spark.startswith("M1.0 23.0L") and "52.0 12.0" in found.spark
    empty = row(campaign, RESEARCHER)
    assert empty.places is None and empty.spark == "" and empty.agreement is None


def test_names_are_for_researchers_and_excluded_people_are_hollow():
    campaign = make_campaign(items=1)
    bob = make_annotator(campaign)
    rate_all(bob)
    assert row(campaign, RESEARCHER).name == "bob" and row(campaign, VIEWER).name == ""
    assert row(campaign, VIEWER).at_work and row(campaign, VIEWER).ago == "now"
    exclusion_add(target=bob, reason="was asleep", actor=make_user("alice"))
    out = row(campaign, RESEARCHER, FIGURES, [0.1, None, None, 3])
    assert (out.out, out.reason) == ("exclusion", "was asleep")
    assert out.agreement is not None and out.agreement.hollow
    [one] = board_annotators(campaign=campaign)
    agreement = {"MEANING": {"statistic": "r", "people": {str(bob.pk): [0.1, None, None, 3]}}}
    data = person_json(one, VIEWER, clock.now(), {"agreement": agreement})
    assert data["name"] == "" and data["excluded"] and data["figures"] is None
    assert data["agreement"] == {
        "MEANING": {"value": 0.1, "ci_low": None, "ci_high": None, "n": 3, "statistic": "r"}
    }


@pytest.mark.parametrize(
    ("minutes", "said"),
    [
        (0, "now"),
        (11, "11 min ago"),
        (60, "1 hour ago"),
        (2879, "47 hours ago"),
        (2880, "2 days ago"),
        (-5, "now"),
    ],
)
def test_how_long_ago(minutes, said):
    assert ago_told(timedelta(minutes=minutes)) == said
