"""Each kind of alarm is a sentence, a fact in numbers, and a way."""

import pytest
from django.urls import reverse

from annotation.board.alarms import alarm_need, alarm_shown
from annotation.board.needs import collecting_needs
from annotation.models import BoardAlarm, Letter
from annotation.sheets.progress import work_course
from paraanno import clock
from tests.clients import client_of
from tests.factories import make_annotator, make_campaign

pytestmark = pytest.mark.django_db
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


def test_how_far_the_sending_is():
    campaign = make_campaign(items=1)
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


def test_alarms_stand_in_what_needs_somebody():
    campaign = make_campaign(items=1)
    for kind in ("quiet", "expired"):
        alarm(kind, campaign=campaign).save()
    needs = collecting_needs({campaign: work_course(campaign=campaign)})
    said = [need.sentence for _campaign, need in needs]
    # Not once more that nobody judges.
    assert said == [
        "9 assignments expire again and again",
        "Nobody has judged since 2026-11-20 10:00",
    ]


def test_pages_lead_to_what_an_alarm_speaks_of():
    campaign = make_campaign(items=1)
    bob = make_annotator(campaign)
    alarm("fast", campaign=campaign, annotator=bob).save()
    alarm("falling", campaign=campaign, about="GRAMMAR 2").save()
    record = f'href="{reverse("quality-record", args=[campaign.slug, bob.key])}"'
    time = f'href="{reverse("agreement", args=[campaign.slug])}#time-GRAMMAR%202"'
    for address in ("/", f"/c/{campaign.slug}/", f"/c/{campaign.slug}/board/"):
        page = client_of("alice").get(address).content.decode()
        assert record in page and time in page, address
