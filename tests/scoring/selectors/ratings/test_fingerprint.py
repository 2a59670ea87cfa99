"""What a report was made from, in a few index look-ups."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Annotator, ImportBatch, Judgment, Output, Slot, Substitution
from annotation.services.importing.take_back import import_take_back
from annotation.services.people.exclusions import exclusion_add
from scoring.models import Report
from scoring.selectors.ratings.fingerprint import OF_PEOPLE, fingerprint
from scoring.selectors.ratings.tables import Choice
from scoring.services.reports.compute import KINDS, report_get
from scoring.services.runs.start import run_start
from scoring.services.runs.work import run_work
from tests.factories import add_items, add_judgments, item_rows, make_annotator, make_campaign
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.views.site import login

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 1, 2, tzinfo=UTC)
PLACES: dict[str, dict[str, object]] = {
    "claimed": {"state": "claimed", "claimed_at": NOW, "lease_expires_at": NOW},
    "done": {"state": "done", "lease_expires_at": None, "done_at": NOW},
    "void": {"state": "void"},
}
JUDGED = {"item": "item-0", "paraphrase": "system 0 paraphrase 0", "annotator": "A",
          "scale": "MEANING", "value": 4}  # fmt: skip


def test_reports_are_kept_until_the_data_change() -> None:
    campaign = hand_campaign()
    client = login("vera")
    address = reverse("agreement", args=[campaign.slug])
    for _ in range(3):
        client.get(address)
    assert Report.objects.filter(kind="agreement").count() == 1
    before = client.get(address).context["scales"][0]["numbers"]["n_ratings"]
    exclusion_add(target=Annotator.objects.get(code="a"), reason="x", actor=None, free_slots=False)
    after = client.get(address).context["scales"][0]["numbers"]["n_ratings"]
    assert (before, after) == (7, 4)


def test_the_end_of_a_metric_makes_no_report_of_people_again() -> None:
    campaign = hand_campaign()
    for kind in ("agreement", "correlation"):
        report_get(campaign=campaign, kind=kind, actor=None)
    run = run_start(campaign=campaign, spec="pinc", actor=None)
    for _ in range(3):  # prepared, scored, finished
        run_work(run_pk=run.pk)
    for kind in ("agreement", "correlation"):
        report_get(campaign=campaign, kind=kind, actor=None)
    made = list(Report.objects.order_by("pk").values_list("kind", flat=True))
    assert (made.count("agreement"), made.count("correlation")) == (1, 2)
    assert set(KINDS) > OF_PEOPLE


def test_equal_numbers_of_texts_are_not_the_same_texts() -> None:
    campaign = make_campaign(items=2, open_it=False)
    before, states = fingerprint(campaign=campaign).text, []
    for word in ("one", "two"):
        add_items(campaign, [{**item_rows(1)[0], "paraphrase": word, "rank": 2}])
        states.append(fingerprint(campaign=campaign).text)
        newest = ImportBatch.objects.order_by("pk").last()
        assert newest is not None
        import_take_back(batch=newest, actor=None)
        assert fingerprint(campaign=campaign).text == before
    assert len({before, *states}) == 3


def test_a_text_or_an_output_more_is_another_state() -> None:
    """Also what no import made."""
    campaign = make_campaign(items=2, open_it=False)
    states = {fingerprint(campaign=campaign).text}
    item, system = campaign.items.get(position=0), campaign.systems.order_by("pk")[0]
    text = Substitution.objects.create(campaign=campaign, item=item, text="x", text_hash="x")
    states.add(fingerprint(campaign=campaign).text)
    Output.objects.create(system=system, item=item, rank=9, substitution=text)
    states.add(fingerprint(campaign=campaign).text)
    assert len(states) == 3


def test_every_state_of_a_place_and_an_answer_is_told() -> None:
    campaign = make_campaign(items=1, k=1)
    states = {fingerprint(campaign=campaign).text}
    for state in ("claimed", "done", "void"):
        Slot.objects.update(**PLACES[state], annotator=make_annotator(campaign, "bob"))
        states.add(fingerprint(campaign=campaign).text)
    assert len(states) == 4
    add_judgments(campaign, [JUDGED])
    Judgment.objects.update(slot=None)
    for status in Judgment.Status.values:
        Judgment.objects.update(status=status)
        states.add(fingerprint(campaign=campaign).text)
    assert len(states) == 4 + 3


def test_reports_of_people_read_no_scores() -> None:
    """What a fingerprint without runs leaves out, no query of theirs may read."""
    campaign = hand_campaign()
    for kind in sorted(OF_PEOPLE):
        with CaptureQueriesContext(connection) as asked:
            KINDS[kind](campaign=campaign, choice=Choice())
        read = " ".join(one["sql"] for one in asked.captured_queries)
        assert "scoring_run" not in read and "scoring_score" not in read, kind
