"""What of collecting needs somebody: alarms, people, and how they are shown."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse

from annotation.access import Rights
from annotation.board.alarms import alarm_need, alarm_shown
from annotation.board.needs import collecting_needs
from annotation.board.page import ago_told, person_json, person_row
from annotation.board.queries import board_annotators
from annotation.models import BoardAlarm, Letter, QualityAction, QualityRule, Remark, Sheet
from annotation.people.exclusions import exclusion_add
from annotation.sheets.progress import WorkCourse, work_course
from paraanno import clock
from tests.clients import client_of
from tests.factories import add_judgments, make_annotator, make_campaign, make_user, rate_all

pytestmark = pytest.mark.django_db


def said(campaign, course=None):
    found = collecting_needs({campaign: course or work_course(campaign=campaign)})
    return [f"{need.sentence} ({need.fact})" for _campaign, need in found]


def test_an_open_campaign_without_work_asks_for_people():
    assert said(make_campaign()) == ["Nobody has judged here yet (the campaign is open)"]
    assert said(make_campaign("draft", open_it=False)) == []


def test_imported_judgments_are_not_passed_over_in_silence():
    campaign = make_campaign()
    text = campaign.substitutions.select_related("item").first()
    row = {"item": "item-0", "paraphrase": text.text, "scale": "MEANING", "value": 3}
    add_judgments(campaign, [{**row, "annotator": code} for code in ("a", "b")])
    assert work_course(campaign=campaign).imported == 2
    assert said(campaign) == ["Nobody has judged here yet (2 judgments were imported)"]


def test_all_places_done_and_work_that_stands_still():
    campaign = make_campaign(items=1, k=1)
    rate_all(make_annotator(campaign))
    assert said(campaign) == ["All assignments are done (the campaign can be closed)"]
    now = clock.now()
    still = WorkCourse(now, 10, 4, ((now - timedelta(days=9), 4),))
    assert said(campaign, still) == ["Nobody has judged for 8 days (6 assignments are left)"]


def test_paused_people_and_new_remarks():
    campaign = make_campaign()
    annotator = make_annotator(campaign)
    rate_all(annotator, at_most=1)
    now = clock.now()
    rule = QualityRule.objects.create(
        campaign=campaign,
        check_name="straight",
        least=1,
        share=0.5,
        act=QualityRule.Act.PAUSE,
    )
    action = QualityAction.objects.create(
        campaign=campaign,
        annotator=annotator,
        rule=rule,
        decided_at=now,
        due_at_done=1,
        taken_at=now,
    )
    sheet = Sheet.objects.filter(campaign=campaign)[0]
    for text, ago in (("Odd.", 1), ("Old.", 30), ("", 1)):
        Remark.objects.create(
            campaign=campaign,
            annotator=annotator,
            sheet=sheet,
            text=text,
            request_id=uuid4(),
            at=now - timedelta(days=ago),
        )
    first, last = said(campaign)
    assert first == f"1 person is paused by a rule ({annotator.code})"
    assert last.startswith("1 remark of the last 7 days (newest: ")
    action.lifted_at = now
    action.save()
    assert len(said(campaign)) == 1


FACTS = {
    "quiet": {"since": "2026-11-20T10:00:00+00:00", "left": 1090},
    "fast": {"seconds": 1.5, "texts": 12, "least": 3.0},
    "falling": {"value": 0.58, "low": 0.4, "high": 0.66, "n": 40, "before": 0.67},
    "expired": {"places": 9, "times": 2},
}


def alarm(kind, **fields):
    return BoardAlarm(kind=kind, facts=FACTS[kind], began_at=clock.now(), **fields)


def test_what_is_said():
    bob = make_annotator(make_campaign(items=1))
    told = [
        alarm_need(one)
        for one in (
            alarm("quiet"),
            alarm("fast", annotator=bob),
            alarm("falling", about="GRAMMAR"),
            alarm("expired"),
        )
    ]
    assert [f"{need.sentence} ({need.fact})" for need in told] == [
        "Nobody has judged since 2026-11-20 10:00 (1,090 assignments are left)",
        f"{bob.code} is too fast (1.5 s per text, 12 texts in 24 hours; the limit is 3 s)",
        "Agreement on GRAMMAR falls (alpha of the newest 40 texts: .58 [.40, .66]; before: .67)",
        "9 assignments expire again and again (lost 2 times or more, and not done)",
    ]
    assert [need.urgency for need in told] == ["soon", "now", "soon", "soon"]


def test_how_far_the_sending_is(campaign):
    found = alarm("expired", campaign=campaign)
    found.save()
    assert alarm_shown(found).sent == ""
    found.hook = "failed"
    now = clock.now()
    for status, closed in (("sent", now), ("waiting", None)):
        Letter.objects.create(
            kind="alarm",
            campaign=campaign,
            alarm=found,
            to="a@example.org",
            subject="Look",
            status=status,
            closed_at=closed,
        )
    assert alarm_shown(found).sent == "by e-mail: waiting; to the webhook: Could not be sent"


def test_alarms_stand_in_what_needs_somebody(campaign):
    for kind in ("quiet", "expired"):
        alarm(kind, campaign=campaign).save()
    needs = collecting_needs({campaign: work_course(campaign=campaign)})
    said = [need.sentence for _campaign, need in needs]
    # Not once more that nobody judges.
    assert said == [
        "9 assignments expire again and again",
        "Nobody has judged since 2026-11-20 10:00",
    ]


def test_pages_lead_to_what_an_alarm_speaks_of(campaign):
    bob = make_annotator(campaign)
    alarm("fast", campaign=campaign, annotator=bob).save()
    alarm("falling", campaign=campaign, about="GRAMMAR 2").save()
    record = f'href="{reverse("quality-record", args=[campaign.slug, bob.key])}"'
    time = f'href="{reverse("agreement", args=[campaign.slug])}#time-GRAMMAR%202"'
    for address in ("/", f"/c/{campaign.slug}/", f"/c/{campaign.slug}/board/"):
        page = client_of("alice").get(address).content.decode()
        assert record in page and time in page, address


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


def test_figures_are_said_with_their_units(campaign):
    make_annotator(campaign)
    found = row(campaign, RESEARCHER, FIGURES, [0.74, 0.66, 0.81, 30])
    assert (found.per_hour, found.seconds) == (90.0, 20.0)
    assert (found.checks, found.failed, found.n) == (5, 2, 30)
    assert found.agreement is not None and not found.agreement.hollow
    assert (found.agreement.shown, found.agreement.ends) == (".74", "[.66, .81]")
    assert found.spark.startswith("M1.0 23.0L") and "52.0 12.0" in found.spark
    empty = row(campaign, RESEARCHER)
    assert empty.places is None and empty.spark == "" and empty.agreement is None


def test_names_are_for_researchers_and_excluded_people_are_hollow(campaign):
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
