"""Resources: who sees and uses them, and what their page shows."""

import os

import pytest

from annotation.access import place_of, seen_by, seen_in
from annotation.errors import NotFound
from annotation.models import Ownership
from scoring.builds.queries import build_get
from scoring.models import Build, Resource, WorkerBeat
from scoring.resources.queries import resource_get
from scoring.work import workers
from tests.clients import client_of
from tests.factories import give_role, make_admin, make_campaign, make_user

HERE, THERE = "camp", "other"


def test_the_memory_of_workers_is_noted_and_shown_to_administrators(owner):
    workers.beat(queues=[])
    workers.beat(queues=[])
    [memory] = WorkerBeat.objects.values_list("memory", flat=True)
    mine = next(row for row in memory if row["pid"] == os.getpid())
    assert 2**20 < mine["pss"] <= mine["rss"]
    for client, shown in ((client_of("adam"), True), (owner, False)):
        page = client.get("/resources/").content.decode()
        assert ("Proportional share (PSS)" in page) == shown


@pytest.fixture
def campaigns():
    """Alice owns both; Bob annotates the first and researches in the second, where Rosa owns."""
    found = {slug: make_campaign(slug, items=1, open_it=False) for slug in (HERE, THERE)}
    for name, role in (("bob", "researcher"), ("rosa", "owner"), ("dora", None), ("vera", None)):
        user = make_user(name)
        give_role(found[THERE], user, role)
    return found


@pytest.fixture
def made(campaigns):
    """A resource and a build of each place."""
    places = {
        "site": Ownership("site"),
        HERE: place_of(None, campaigns[HERE]),
        THERE: place_of(None, campaigns[THERE]),
        "Dora's": place_of(make_user("dora"), None),
        "Bob's": place_of(make_user("bob"), None),
    }
    for name, place in places.items():
        given = {"name": name, **place.fields(), "created_by_id": place.owner_id}
        Resource.objects.create(kind="lm", sha256="a" * 64, size=1, **given)
        Build.objects.create(recipe="lm", options_hash=name, **given)
    return campaigns


SEES = {
    "alice": {"site", HERE, THERE},
    "dora": {"site", HERE, "Dora's"},
    "vera": {"site"},
    "bob": {"site", THERE, "Bob's"},
    "rosa": {"site", THERE},
    "adam": {"site", HERE, THERE, "Dora's", "Bob's"},
}
# For the campaign that is not theirs, nobody uses what is another's.
USES_THERE = {
    "alice": {"site", THERE},
    "bob": {"site", THERE, "Bob's"},
    "rosa": {"site", THERE},
    "adam": {"site", THERE},
}


@pytest.mark.parametrize("model", [Resource, Build])
def test_each_sees_their_own_their_campaigns_and_the_sites(made, model):
    make_admin()

    def names(wanted):
        return set(model.objects.filter(wanted).values_list("name", flat=True))

    for name, expected in SEES.items():
        assert names(seen_by(user=make_user(name))) == expected, name
    for name, expected in USES_THERE.items():
        user = make_user(name)
        assert names(seen_in(user=user, campaign=made[THERE])) == expected, name


def test_what_is_out_of_scope_is_not_there(made):
    bob = make_user("bob")
    for model, get in ((Resource, resource_get), (Build, build_get)):
        for one in model.objects.all():
            if one.name in SEES["bob"]:
                assert get(user=bob, key=one.key) == one
            else:
                with pytest.raises(NotFound):
                    get(user=bob, key=one.key)
    of_here, alice = Build.objects.get(name=HERE), make_user("alice")
    assert build_get(user=alice, key=of_here.key, campaign=made[HERE]) == of_here
    with pytest.raises(NotFound):
        build_get(user=alice, key=of_here.key, campaign=made[THERE])
