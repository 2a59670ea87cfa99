"""Statistics as of a moment of the past are those that were shown then."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.campaigns.services import threshold_set
from annotation.collecting.claiming import claim_next
from annotation.collecting.saving import Answer, judgment_save, sheet_submit
from annotation.people.exclusions import exclusion_add, exclusion_lift
from paraanno import clock
from scoring.gold.report import results_for
from scoring.ratings.choice import Choice
from scoring.ratings.tables import ratings_get
from tests.factories import add_items, add_judgments, make_annotator, make_campaign, rate_sheet
from tests.scoring.selectors.ratings.hand import by_text


def shown(campaign, at=None):
    """Every number that a page could show: the ratings by text and annotator, and the results."""
    choice = Choice(as_of=at.isoformat()) if at else Choice()
    ratings = ratings_get(campaign=campaign, choice=choice)
    results = results_for(campaign=campaign, choice=choice)
    return (
        {scale: by_text(ratings, scale) for scale in ratings.tables},
        results["thresholds"],
        results["systems"],
        results["phrases_excluded"],
    )


class Diary:
    """What was shown after each act, and when; acts happen an hour apart."""

    def __init__(self, campaign):
        self.campaign = campaign
        self.at = timezone.now() + timedelta(hours=1)  # After the import, which has its own time.
        self.days = []

    def note(self, what):
        self.days.append((what, self.at + timedelta(minutes=30), shown(self.campaign)))
        self.at += timedelta(hours=1)

    def check(self):
        assert len({str(seen) for _what, _at, seen in self.days}) > 4
        for what, at, seen in self.days:
            assert shown(self.campaign, at) == seen, what


@pytest.mark.slow
def test_every_state_of_a_campaign_can_be_shown_again(monkeypatch):
    campaign = make_campaign(items=3, k=2)
    diary = Diary(campaign)
    monkeypatch.setattr(timezone, "now", lambda: diary.at)
    monkeypatch.setattr(clock, "now", lambda: diary.at)
    annotators = [make_annotator(campaign, name) for name in ("bob", "bea")]
    diary.note("nothing was judged")
    sheets = []
    for number, annotator in enumerate(annotators):
        sheet = claim_next(annotator=annotator)
        sheets.append(sheet)
        rate_sheet(annotator, sheet, value=3 + number, submit=False, now=diary.at)
        diary.note(f"{annotator.code}: a draft")
        sheet_submit(annotator=annotator, sheet_key=sheet.key, now=diary.at)
        diary.note(f"{annotator.code}: submitted")
    for version, (value, what) in enumerate(
        ((1, "revised"), (None, "cleared, which opens the sheet again"), (5, "a draft again")), 1
    ):
        judgment_save(
            annotator=annotators[0],
            sheet_key=sheets[0].key,
            answer=Answer(value),
            now=diary.at,
            substitution_key=sheets[0].entries.first().substitution.key,
            request_id=None,
            scale_key=campaign.scales.first().key,
            base_version=version,
        )
        diary.note(what)
    sheet_submit(annotator=annotators[0], sheet_key=sheets[0].key, now=diary.at)
    diary.note("submitted again")
    out = exclusion_add(target=annotators[1], reason="careless", actor=None)
    diary.note("excluded")
    exclusion_lift(exclusion=out, actor=None)
    diary.note("taken back")
    out = exclusion_add(target=sheets[0].item.phrase, reason="broken", actor=None)
    diary.note("a phrase excluded")
    exclusion_lift(exclusion=out, actor=None)
    threshold_set(scale=campaign.scales.get(name="MEANING"), threshold=5, actor=None)
    diary.note("another threshold")
    campaign.refresh_from_db()
    diary.check()


def test_what_was_imported_counts_from_its_import_on():
    campaign = make_campaign(items=1, systems=1)
    before = timezone.now()
    row = {"item": "item-0", "paraphrase": "system 0 paraphrase 0", "annotator": "x", "value": 2}
    add_judgments(campaign, [{**row, "scale": scale} for scale in ("MEANING", "GRAMMAR")])
    assert shown(campaign, before)[0]["MEANING"] == {}
    assert shown(campaign, timezone.now()) == shown(campaign)


def test_texts_that_came_later_were_not_there():
    campaign = make_campaign(items=2)
    moment, before = timezone.now(), shown(campaign)
    row = {"phrase": "late", "sentence": "It came late.", "paraphrase": "x", "system": "S0"}
    add_items(campaign, [row])
    assert shown(campaign) != before == shown(campaign, moment)


def test_a_day_is_taken_to_its_end():
    moment = Choice.from_json({"as_of": "2026-03-01"}).moment
    assert moment.isoformat() == "2026-03-02T00:00:00+00:00"
