"""Reading runs: their progress, and their scores as arrays."""

from django.urls import reverse

from scoring.metrics.registry import FAMILIES
from scoring.models import Resource
from scoring.runs.metric_choices import metric_get, metric_of, metrics_by_family
from scoring.runs.queries import newest_done_runs, run_columns
from tests.clients import client_of, text_of
from tests.factories import make_campaign, make_user
from tests.scoring.factories import finish, started
from tests.scoring.views.runs.metric_pages import page_of


def test_columns_are_aligned_with_the_units_asked_for():
    campaign = make_campaign(items=3, open_it=False)
    run = finish(started(campaign, "pinc"))
    assert newest_done_runs(campaign=campaign) == [run]
    ids = list(campaign.substitutions.order_by("-pk").values_list("pk", flat=True))
    column = run_columns(runs=[run], substitutions=[*ids, 10**9])[run.pk]
    stored = dict(run.scores.values_list("substitution_id", "value"))
    assert column[:-1].tolist() == [stored[pk] for pk in ids]
    assert column[-1] != column[-1]


# What the metrics say of themselves, and what this site lacks for them.


def test_a_file_makes_a_metric_ready():
    alice = make_user("alice")
    assert metric_get(name="weem4pg", user=alice).lacks == ("vectors",)
    Resource.objects.create(
        kind="vectors", name="v", sha256="0" * 64, size=1, path="x", created_by=alice
    )
    assert not metric_get(name="weem4pg", user=alice).ready  # it is being checked
    Resource.objects.update(status="ready")
    assert metric_get(name="weem4pg", user=alice).ready


def test_a_metric_that_cannot_be_loaded_stands_there_with_the_reason(foreign):
    make_campaign(items=1)
    foreign("gone", "no.such.module:Metric")
    assert not metric_get(name="gone", user=make_user("alice")).ready
    assert "cannot be loaded from no.such.module" in text_of(page_of("gone"))
    assert "cannot be loaded" in text_of(client_of("vera").get(reverse("metrics")))
    runs = text_of(client_of("dora").get(reverse("runs", args=["camp"])))
    assert "cannot be loaded" in runs


def test_the_metric_of_a_signature():
    assert metric_of("bleu|against:auto|scope:sentence") == "bleu"
    assert metric_of("external|name:bleu|file@00") == metric_of("") == ""


def test_metrics_are_in_the_order_of_families_and_titles():
    found = metrics_by_family(user=make_user("alice"))
    assert [family for family, _ in found] == [one for one in FAMILIES if one in dict(found)]
    for _, some in found:
        titles = [one.title.lower() for one in some]
        assert titles == sorted(titles)
