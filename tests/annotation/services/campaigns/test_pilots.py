"""A pilot: a few texts, real people, and its judgments, which may count in the campaign."""

import pytest

from annotation.campaigns.pilots import pilot_end, pilot_leave_out, pilot_start, pilot_take_over
from annotation.campaigns.queries import counted_twice, obstacle, pilot_counts
from annotation.campaigns.scales import scale_change, scale_remove
from annotation.campaigns.services import threshold_set
from annotation.errors import Conflict, Invalid
from annotation.models import Annotator, AuditEntry, Exclusion, Judgment
from annotation.people.exclusions import annotator_return, annotator_withdraw
from paraanno.common.panel_links import ScaleTemplate
from scoring.ratings.tables import ratings_get
from tests.annotation.services.campaigns.test_copying import watched
from tests.factories import (
    exclude,
    make_annotator,
    make_campaign,
    make_user,
    new_campaign,
    open_campaign,
    rate_all,
)


def taken_over(pilot):
    return pilot_take_over(pilot=pilot, actor=None)


def piloted(campaign):
    bob = make_user("bob")
    return pilot_start(campaign=campaign, texts=3, people=[bob.pk], actor=make_user("alice"))


def test_people_judge_some_texts_and_the_draft_stays_free():
    campaign = make_campaign(items=5, open_it=False)
    pilot = piloted(campaign)
    assert (pilot.slug, pilot.status, pilot.pilot) == ("camp-pilot", "open", True)
    assert (pilot.items.count(), pilot.annotators_per_sheet) == (3, 1)
    roles = dict(pilot.memberships.values_list("user__username", "role"))
    assert roles == {"alice": "owner", "dora": "researcher", "vera": "viewer", "bob": "annotator"}
    rate_all(make_annotator(pilot))
    assert Judgment.objects.filter(campaign=pilot, status="counted").exists()
    assert not Judgment.objects.filter(campaign=campaign).exists()
    campaign.refresh_from_db()
    assert campaign.status == "draft"
    scale_remove(scale=campaign.scales.get(name="GRAMMAR"), actor=None)


def test_practice_comes_along_once():
    campaign = watched()
    pilot = piloted(campaign)
    assert pilot.practice_texts.count() == 1
    assert set(pilot.substitutions.values_list("role", flat=True)) >= {"output", "practice"}


def test_what_cannot_be_tried():
    campaign = make_campaign(open_it=False)
    empty = new_campaign("empty")
    with pytest.raises(Invalid, match="import items first"):
        piloted(empty)
    pilot = piloted(campaign)
    with pytest.raises(Conflict, match="under way"):
        piloted(campaign)
    with pytest.raises(Invalid, match="a pilot already"):
        piloted(pilot)
    with pytest.raises(Invalid, match="1 to 100"):
        pilot_start(campaign=campaign, texts=0, people=[], actor=None)
    with pytest.raises(Invalid, match="no pilot"):
        pilot_end(pilot=campaign, actor=None)


def judged(campaign, texts=3, *people):
    users = [make_user(name) for name in people or ("bob",)]
    pilot = pilot_start(
        campaign=campaign, texts=texts, people=[one.pk for one in users], actor=None
    )
    for one in users:
        rate_all(make_annotator(pilot, one.username))
    return pilot_end(pilot=pilot, actor=None)


def values_of(campaign):
    return {(one.substitution.text, one.scale.name): one.value for one in campaign.judgments.all()}


def counted(campaign):
    return sum(table.n_ratings for table in ratings_get(campaign=campaign).tables.values())


def test_they_count_marked_and_are_left_out_and_taken_in_again():
    campaign = make_campaign(items=4, open_it=False)
    pilot = judged(campaign)
    given = values_of(pilot)
    assert pilot_counts(pilot=pilot) is None and counted(campaign) == 0
    assert taken_over(pilot) == len(given)
    assert values_of(campaign) == given and counted(campaign) == len(given)
    [voice] = Annotator.objects.filter(campaign=campaign, origin="pilot")
    assert (voice.code, voice.user) == ("camp-pilot-A01", None)
    with pytest.raises(Conflict, match="count already"):
        taken_over(pilot)
    assert pilot_leave_out(pilot=pilot, actor=None) == 1
    assert counted(campaign) == 0 and campaign.judgments.count() == len(given)
    assert Exclusion.objects.get(annotator=voice).reason.startswith("The judgments of the pilot")
    with pytest.raises(Invalid, match="do not count"):
        pilot_leave_out(pilot=pilot, actor=None)
    assert taken_over(pilot) == counted(campaign) == len(given)
    log = AuditEntry.objects.filter(campaign=campaign, verb__contains="pilot").order_by("pk")
    verbs = [one.verb.split()[0] for one in log]
    assert verbs[-3:] == ["take", "leave", "take"]


def test_why_they_stay_behind(rows_by_hand):
    campaign = make_campaign(items=3, open_it=False)
    pilot = pilot_start(campaign=campaign, texts=3, people=[], actor=None)
    assert "end it first" in obstacle(pilot=pilot, source=campaign)
    pilot = pilot_end(pilot=pilot, actor=None)
    assert "no judgments" in obstacle(pilot=pilot, source=campaign)
    pilot = judged(campaign)
    threshold_set(scale=campaign.scales.get(name="MEANING"), threshold=2.0, actor=None)
    assert obstacle(pilot=pilot, source=campaign) == ""
    [text, *_] = pilot.substitutions.all()
    campaign.substitutions.filter(text=text.text).update(text_hash="0" * 64)
    with pytest.raises(Invalid, match="1 judged texts are not in the campaign"):
        taken_over(pilot)
    row = campaign.scales.get(name="GRAMMAR")
    scale_change(scale=row, template=ScaleTemplate("GRAMMAR", "Else?"), actor=None)
    with pytest.raises(Invalid, match="GRAMMAR has been changed since: question, points"):
        taken_over(pilot)
    with pytest.raises(Invalid, match="no pilot"):
        taken_over(campaign)
    assert not Judgment.objects.filter(campaign=campaign).exists()


def test_nobody_counts_twice_unnoticed():
    """Bob judged everything in the campaign before, Beth judges after; Carl is excluded."""
    campaign = make_campaign(items=2, k=3, open_it=False)
    beth, _carl = make_annotator(campaign, "beth"), make_annotator(campaign, "carl")
    pilot = judged(campaign, 2, "bob", "beth", "carl")
    exclude(pilot.annotators.get(user__username="carl"))
    campaign = open_campaign(campaign)
    rate_all(make_annotator(campaign))
    taken_over(pilot)
    voices = campaign.annotators.filter(origin="pilot").values_list("code", flat=True)
    assert list(voices) == [f"camp-pilot-{beth.code}"]
    assert counted_twice(pilot=pilot) == 0
    rate_all(make_annotator(campaign, "beth"))
    again = campaign.judgments.filter(annotator__user__username="beth")
    assert counted_twice(pilot=pilot) == again.count()


def test_who_withdraws_takes_their_pilot_along():
    campaign = make_campaign(items=2, open_it=False)
    pilot = judged(campaign)
    taken_over(pilot)
    campaign = open_campaign(campaign)
    bob = make_annotator(campaign)
    assert counted(campaign) > 0
    annotator_withdraw(annotator=bob, judgments="remove")
    assert counted(campaign) == 0
    with pytest.raises(Conflict):
        taken_over(pilot)
    annotator_return(annotator=bob, actor=None)
    assert counted(campaign) > 0
    annotator_withdraw(annotator=bob, judgments="remove", erase=True)
    assert not Annotator.objects.filter(campaign=campaign).exclude(from_pilot=None).exists()
