"""The resources of the demo: builds of its own texts, and what happens where one fails."""

import pytest

from scoring.builds.work import builds_work
from scoring.demo import BUILDS, NAMES, demo_resources
from scoring.models import Build, Resource
from tests.factories import make_campaign


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
