"""What of collecting needs somebody."""

from datetime import timedelta
from uuid import uuid4

import pytest

from annotation.board.needs import collecting_needs
from annotation.models import QualityAction, QualityRule, Remark, Sheet
from annotation.sheets.progress import WorkCourse, work_course
from paraanno import clock
from tests.factories import add_judgments, make_annotator, make_campaign, rate_all

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
