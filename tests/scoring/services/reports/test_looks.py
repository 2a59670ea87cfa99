"""How often comparisons were looked at while judgments arrived."""

import json

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotation.campaigns.services import threshold_set
from annotation.models import Judgment
from scoring.models import Look, Report
from scoring.ratings.choice import Choice
from tests.factories import add_judgments
from tests.scoring.selectors.ratings.hand import exclude
from tests.scoring.services.reports.files import report_of


def looks(campaign, kind="results", **choice):
    view = report_of(campaign, kind, choice=Choice.from_json(choice))
    assert view.fresh
    return view.result.get("looks")


def another(campaign):
    """A judgment more."""
    code = f"d{Judgment.objects.count()}"
    row = {"item": "i1", "paraphrase": "two", "annotator": code, "scale": "MEANING", "value": 3}
    add_judgments(campaign, [row])


@pytest.mark.slow
def test_every_state_counts_once(capsys, hand):
    assert (looks(hand)["states"], looks(hand)["told"]) == (1, None)
    assert looks(hand, systems=["S0", "S1"])["states"] == 1
    assert looks(hand, "results-gold", method="median")["states"] == 1
    another(hand)
    call_command("results", hand.slug, json=True)
    assert json.loads(capsys.readouterr().out)["looks"]["states"] == 2
    Report.objects.all().delete()
    assert looks(hand, "results-gold")["states"] == looks(hand)["states"] == 2
    another(hand)
    found = looks(hand)
    assert found["states"] == 3 and "3 states" in found["told"]
    call_command("results", hand.slug)
    assert found["told"] in capsys.readouterr().out
    # One as of a day tells the number, and is no look at what is there now.
    another(hand)
    assert looks(hand, as_of=f"{timezone.now():%Y-%m-%d}")["states"] == 3
    assert looks(hand, "agreement") is None


def test_exclusions_and_thresholds_make_states_and_names_make_none(hand):
    looks(hand)
    hand.systems.filter(label="S0").update(label="S9")
    assert looks(hand)["states"] == 1
    exclude(hand.annotators.get(code="a"))
    assert looks(hand)["states"] == 2
    threshold_set(scale=hand.scales.get(name="MEANING"), threshold=2, actor=None)
    assert looks(hand)["states"] == 3


def test_what_compares_nothing_is_no_look(hand):
    assert looks(hand, systems=["S0"]) is None
    assert looks(hand, "correlation") is None  # No metric.
    assert not Look.objects.exists()


def test_looks_before_they_were_counted_are_unknown(hand):
    """A site that is older than the count has rows without a state."""
    Look.objects.create(campaign=hand, about="results", state="")
    found = looks(hand)
    assert (found["states"], found["unknown_before"]) == (1, True)
    assert "not known" in found["told"]
