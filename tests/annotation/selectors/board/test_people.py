"""The figures of people and texts, against counting by hand."""

from datetime import timedelta

from annotation.board.figures import people_figures, text_figures
from annotation.people.exclusions import exclusion_add
from paraanno import clock
from tests.annotation.boards import hasty, older, paced
from tests.factories import make_annotator, make_campaign, rate_all


def test_work_and_active_time_of_excluded_people_too():
    campaign = make_campaign(items=4, systems=2, k=2)
    bob = make_annotator(campaign)
    rate_all(bob, at_most=2)
    paced(bob, 20.0)
    exclusion_add(target=bob, reason="was asleep", actor=None)
    figures = people_figures(campaign=campaign, now=clock.now())
    [(pk, one)] = figures.items()
    texts = one["texts"]
    assert pk == str(bob.pk) and texts in (3, 4)  # Every third item has one text of both systems.
    assert (one["places"], one["counted"]) == (2, 0)
    assert (one["judgments"], one["judgments_counted"]) == (2 * texts, 0)
    assert one["seconds"] == one["recent_seconds"] == 20 * texts
    assert one["week"] == [0, 0, 0, 0, 0, 0, 2] and one["recent_texts"] == texts


def test_the_last_day_is_told_apart():
    campaign, bob = hasty()
    older(campaign, timedelta(hours=50))
    one = people_figures(campaign=campaign, now=clock.now())[str(bob.pk)]
    assert one["recent_texts"] == one["recent_seconds"] == 0 and one["texts"] > 10
    assert one["week"][-3] == one["places"] == 8


def test_texts_are_complete_when_all_places_of_their_sheet_are_done():
    campaign = make_campaign(items=4, systems=2, k=2)
    assert text_figures(campaign=campaign) == {"all": 7, "complete": 0, "begun": 0}
    rate_all(make_annotator(campaign))
    assert text_figures(campaign=campaign) == {"all": 7, "complete": 0, "begun": 7}
    rate_all(make_annotator(campaign, "ben"))
    assert text_figures(campaign=campaign) == {"all": 7, "complete": 7, "begun": 7}
