"""What a report was made from, in a few index look-ups."""

import shutil
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.campaigns.services import threshold_set
from annotation.collecting.claiming import claim_next
from annotation.importing.take_back import import_take_back
from annotation.models import ImportBatch, Judgment, Slot
from annotation.people.exclusions import exclusion_add
from paraanno import clock
from scoring.gold.report import results_for
from scoring.models import Report
from scoring.ratings.choice import OF_PEOPLE, Choice, fingerprint, made_with, report_sources
from scoring.ratings.tables import ratings_get
from scoring.reports.compute import KINDS
from tests import HOME
from tests.factories import (
    add_items,
    add_judgments,
    hand_in,
    item_rows,
    judgment_row,
    make_annotator,
    make_campaign,
    rate_sheet,
    save_answer,
    take_in,
)
from tests.scoring.factories import finish, judged, report_of, started
from tests.scoring.hand import by_text, exclude

NOW = datetime(2026, 1, 2, tzinfo=UTC)
PLACES = [
    {"state": "claimed", "claimed_at": NOW, "lease_expires_at": NOW},
    {"state": "done", "lease_expires_at": None, "done_at": NOW},
    {"state": "void"},
]
JUDGED = judgment_row("item-0", "system 0 paraphrase 0", "A", 4)


SCORING = HOME / "scoring"
# What a report calls beside the code that makes it: metrics have versions of their own.
BESIDE = tuple(f"scoring/{name}" for name in ("metrics", "models", "runs", "work", "jobs.py"))


def state(campaign):
    return fingerprint(campaign=campaign).text


@pytest.mark.slow
def test_reports_are_kept_until_the_data_change(hand):
    first, again = report_of(hand), report_of(hand)
    assert first == again
    exclude(hand.annotators.get(code="a"))
    changed = report_of(hand)
    assert [view.result["scales"]["MEANING"]["n_ratings"] for view in (first, changed)] == [7, 4]


def test_the_end_of_a_metric_makes_no_report_of_people_again(hand):
    kinds = ("agreement", "correlation")
    for kind in kinds:
        report_of(hand, kind)
    finish(started(hand, "pinc"))
    for kind in kinds:
        report_of(hand, kind)
    assert [Report.objects.filter(kind=kind).count() for kind in kinds] == [1, 2]
    assert set(KINDS) > OF_PEOPLE


def test_equal_numbers_of_texts_are_not_the_same_and_a_text_or_an_output_more_is_a_state():
    """Also what no import made."""
    campaign = make_campaign(items=2, open_it=False)
    before = state(campaign)
    states = {before}
    for word in ("one", "two"):
        add_items(campaign, [{**item_rows(1)[0], "paraphrase": word, "rank": 2}])
        states.add(state(campaign))
        import_take_back(batch=ImportBatch.objects.latest("pk"), actor=None)
        assert state(campaign) == before
    item, system = campaign.items.get(position=0), campaign.systems.first()
    text = campaign.substitutions.create(item=item, text="x", text_hash="x")
    states.add(state(campaign))
    system.outputs.create(item=item, rank=9, substitution=text)
    states.add(state(campaign))
    assert len(states) == 5


def test_every_state_of_a_place_and_an_answer_counts():
    campaign = make_campaign(items=1, k=1)
    bob = make_annotator(campaign, "bob")
    states = {state(campaign)}
    for place in PLACES:
        Slot.objects.update(annotator=bob, **place)
        states.add(state(campaign))
    assert len(states) == 1 + 3
    add_judgments(campaign, [JUDGED])
    Judgment.objects.update(slot=None)
    for status in Judgment.Status.values:
        Judgment.objects.update(status=status)
        states.add(state(campaign))
    Judgment.objects.update(value=2)
    states.add(state(campaign))
    assert len(states) == 4 + 3 + 1


@pytest.mark.slow
def test_reports_of_people_read_no_scores(hand):
    """What a fingerprint without runs leaves out, no query of theirs may read."""
    for kind in sorted(OF_PEOPLE):
        with CaptureQueriesContext(connection) as asked:
            KINDS[kind](campaign=hand, choice=Choice())
        read = " ".join(one["sql"] for one in asked.captured_queries)
        assert "scoring_run" not in read and "scoring_score" not in read, kind


def test_other_code_makes_reports_again(tmp_path):
    app = tmp_path / "scoring"
    for path in report_sources(SCORING):
        copy = app / path.relative_to(SCORING)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    assert made_with(app) == made_with()
    made_with.cache_clear()
    formula = app / "stats" / "agreement" / "kappa.py"
    formula.write_text(formula.read_text("utf-8").replace("1", "2"), "utf-8")
    assert made_with(app) != made_with(SCORING)
    made_with.cache_clear()


@pytest.mark.slow
def test_all_code_that_a_report_runs_is_in_its_digest():
    campaign = judged(items=6)
    finish(started(campaign, "pinc"))
    ran = set()
    sys.setprofile(lambda frame, event, arg: ran.add(frame.f_code.co_filename))
    try:
        for kind in ("agreement", "results", "gold", "annotators", "correlation"):
            KINDS[kind](campaign=campaign, choice=Choice())
    finally:
        sys.setprofile(None)
    ours = {Path(name) for name in ran if Path(name).is_relative_to(SCORING)}
    assert len(ours) > 20
    left = {
        str(path.relative_to(HOME))
        for path in ours - set(report_sources(SCORING))
        if not str(path.relative_to(HOME)).startswith(BESIDE)
    }
    assert left == set()


# Statistics as of a moment of the past are those that were shown then.


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
        hand_in(annotator, sheet, now=diary.at)
        diary.note(f"{annotator.code}: submitted")
    for version, (value, what) in enumerate(
        ((1, "revised"), (None, "cleared, which opens the sheet again"), (5, "a draft again")), 1
    ):
        text = sheets[0].entries.first().substitution
        scale = campaign.scales.first()
        save_answer(annotators[0], sheets[0], text, scale, value, version, now=diary.at)
        diary.note(what)
    hand_in(annotators[0], sheets[0], now=diary.at)
    diary.note("submitted again")
    out = exclusion_add(target=annotators[1], reason="careless", actor=None)
    diary.note("excluded")
    take_in(out)
    diary.note("taken back")
    out = exclusion_add(target=sheets[0].item.phrase, reason="broken", actor=None)
    diary.note("a phrase excluded")
    take_in(out)
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
