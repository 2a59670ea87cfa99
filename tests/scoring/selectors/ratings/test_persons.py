"""Nobody counts twice: judgments of a pilot in the campaign, beside those of the same people."""

import csv
from types import SimpleNamespace

import numpy as np
import pytest

from annotation.campaigns.pilots import pilot_end, pilot_start, pilot_take_over
from annotation.campaigns.services import campaign_open
from annotation.verify import verify
from scoring.ratings.tables import one_answer_each
from tests.clients import client_of
from tests.factories import make_annotator, make_campaign, make_user, rate_all
from tests.scoring.services.reports.files import written


def piloted(campaign, *names):
    """A pilot of everything, judged by these people, whose judgments count in the campaign."""
    people = [make_user(name).pk for name in names]
    pilot = pilot_start(campaign=campaign, texts=2, people=people, actor=None)
    for name in names:
        rate_all(make_annotator(pilot, name))
    pilot_take_over(pilot=pilot_end(pilot=pilot, actor=None), actor=None)


def page(campaign, name):
    return client_of("alice").get(f"/c/{campaign.slug}/{name}/").context


def numbers(campaign):
    """Ratings and annotators of the agreement on a page."""
    scale = page(campaign, "agreement")["scales"][0]["numbers"]
    return scale["n_ratings"], scale["n_annotators"]


@pytest.mark.slow
def test_who_judged_in_the_pilot_and_in_the_campaign_counts_once():
    campaign = make_campaign(items=2, k=3, open_it=False)
    piloted(campaign, "bob", "beth")
    texts = campaign.substitutions.count()
    assert numbers(campaign) == (2 * texts, 2)
    campaign = campaign_open(campaign=campaign, actor=None)
    rate_all(make_annotator(campaign, "bob"))
    # Bob's later answers and Beth's of the pilot: two judges, and not three.
    assert numbers(campaign) == (2 * texts, 2)
    header, *rows = csv.reader(written(campaign, "matrix", scale="MEANING").decode().splitlines())
    voices = [at for at, name in enumerate(header) if "A0" in name]
    assert [sum(row[at] != "" for at in voices) for row in rows] == [2] * texts
    systems = page(campaign, "results")["found"]["systems"].values()
    assert sum(one["scales"]["MEANING"]["n"] for one in systems) >= 2 * texts
    assert verify(campaign=campaign) == []


def test_two_pilots_of_the_same_people_count_once():
    campaign = make_campaign(items=2, k=3, open_it=False)
    piloted(campaign, "bob", "beth")
    piloted(campaign, "bob")
    assert numbers(campaign) == (2 * campaign.substitutions.count(), 2)


def test_repeats_of_one_voice_stay():
    """A hidden repeat in a pilot is the same judge again, not a second one."""
    people = [
        SimpleNamespace(pk=1, user_id=7, from_pilot_id=None),
        SimpleNamespace(pk=2, user_id=7, from_pilot_id=99),
        SimpleNamespace(pk=3, user_id=8, from_pilot_id=98),
    ]
    given = [(0, 1, 1), (1, 1, 1), (1, 2, 1), (1, 2, 1), (2, 1, 1), (1, 1, 2)]
    rows = np.array(given, dtype=[("annotator", int), ("unit", int), ("scale", int)])
    assert [tuple(row) for row in one_answer_each(rows, people)] == [
        one for one in given if one != (1, 1, 1)
    ]
