"""The metric runs of the demo: all that can be had, each once, and carried on after a kill."""

import pytest

from scoring import demo
from scoring.builds.work import builds_work
from scoring.demo import BUILDS, NAMES, SPECS, demo_resources, demo_runs_ask, demo_runs_make
from scoring.metrics.registry import FAMILIES, metric_class, names, parse_spec
from scoring.metrics.resources.neural_models import MINILM
from scoring.models import Build, Resource, Run
from scoring.resources.services import resource_remove
from scoring.runs import start
from scoring.work.workers import demo_mark
from tests.factories import make_campaign
from tests.scoring.builds import Killed


def metrics():
    return {parse_spec(spec).name for spec in SPECS}


def test_every_metric_is_there():
    assert metrics() == set(names())
    assert {metric_class(name).family for name in metrics()} == set(FAMILIES) - {"other"}


@pytest.fixture
def campaign(data_dir):
    return make_campaign(open_it=False, language="en")


def asked(campaign):
    demo_runs_ask(campaign=campaign)
    demo_runs_make(campaign_pk=campaign.pk)
    for _ in range(2):  # The regressor is built when what it is made of is there.
        builds_work()
        demo_runs_make(campaign_pk=campaign.pk)


def started():
    return sorted(Run.objects.values_list("metric", flat=True))


@pytest.mark.slow
def test_a_worker_that_is_killed_leaves_the_rest_to_the_next_and_nothing_comes_twice(
    campaign, monkeypatch
):
    def killed_at_the_third(*_, **__):
        if Run.objects.count() == 3:
            raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(start, "notify_workers", killed_at_the_third)
        with pytest.raises(Killed):
            asked(campaign)
    assert Run.objects.count() == 2 and demo_mark().exists()
    demo_runs_make(campaign_pk=campaign.pk)
    # Those on resources that are being built come when they are there.
    assert "paraeval" not in started() and "bleu" in started() and demo_mark().exists()
    assert Build.objects.count() == 4
    assert builds_work() == 4
    demo_runs_make(campaign_pk=campaign.pk)
    assert "pivot_f1" in started() and "pem_style" not in started() and demo_mark().exists()
    assert builds_work() == 1
    demo_runs_make(campaign_pk=campaign.pk)
    assert {one.status for one in Build.objects.all()} == {"done"}
    # Some need an encoder.
    neural = {name for name in metrics() if metric_class(name).family == "neural"}
    assert set(started()) >= metrics() - (set() if MINILM.installed else neural)
    pairs = list(Run.objects.values_list("metric", "scope"))
    assert len(pairs) == len(set(pairs)) and {scope for _, scope in pairs} == {"sentence", "phrase"}
    assert not demo_mark().exists()
    assert all(one.name.startswith("DEMO ONLY") for one in Resource.objects.all())
    assert sorted(Resource.objects.values_list("kind", flat=True)) == [
        *["corpus"] * 4,
        "counts",
        "lm",
        "nbest",
        "regressor",
        "synonyms",
        "table",
        "texts",
        "translations",
        "vectors",
    ]

    runs = started()
    demo_runs_make(campaign_pk=campaign.pk)  # A message that came late: nobody asks any more.
    Run.objects.update(status="cancelled", finished_at="2026-01-01T00:00Z")
    asked(campaign)
    assert started() == runs and Resource.objects.count() == 13
    for resource in Resource.objects.all():
        resource_remove(resource=resource, actor=None)
    demo_runs_make(campaign_pk=campaign.pk)
    assert not Resource.objects.exists()


@pytest.mark.slow
@pytest.mark.once  # The same statements as above.
def test_what_is_refused_is_not_tried_for_ever(campaign, monkeypatch, caplog):
    monkeypatch.setattr(demo, "DEMO_RUNS", (("bleu", "sentence"),))
    monkeypatch.setattr(demo, "demo_resources", lambda **_: ({}, set()))
    campaign.substitutions.all().delete()
    demo_runs_ask(campaign=campaign)
    demo_runs_make(campaign_pk=campaign.pk)
    assert not Run.objects.exists() and not demo_mark().exists()
    assert "import items first" in caplog.text


# The resources of the demo: builds of its own texts, and what happens where one fails.


@pytest.mark.slow
def test_a_build_that_fails_is_gone_without(data_dir, caplog):
    campaign = make_campaign(open_it=False, language="en")
    keys, awaited = demo_resources(campaign=campaign)
    assert (set(keys), awaited) == ({"counts", "nbest", "synonyms"}, set(BUILDS))
    Build.objects.filter(recipe="vectors").update(
        status="failed", error="no memory", finished_at="2026-01-01T00:00Z"
    )
    assert builds_work() == 3
    assert demo_resources(campaign=campaign)[1] == {"regressor"}
    assert builds_work() == 1
    keys, awaited = demo_resources(campaign=campaign)
    assert (set(BUILDS) - set(keys), awaited) == ({"vectors"}, set())
    assert "goes without vectors" in caplog.text
    assert Build.objects.count() == 5
    table = Resource.objects.get(key=keys["table"])
    assert table.name == NAMES["table"] and table.meta["phrases"] > 1000
