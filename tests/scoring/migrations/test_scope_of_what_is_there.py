"""Rows of a version in which resources and builds were everybody's get their scopes. Each night: a
migration that was released is changed no more."""

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from scoring.models import Build, Resource

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly]
BEFORE = [("annotation", "0031_substitution_in_role"), ("scoring", "0015_build_campaign")]


@pytest.fixture
def old():
    """The models of before, and the tables; afterwards the newest again."""
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes()
    executor.migrate(BEFORE)
    yield executor.loader.project_state(BEFORE).apps, lambda: upgrade(newest)
    upgrade(newest)


def upgrade(newest):
    MigrationExecutor(connection).migrate(newest)


class Site:
    """Two campaigns and their people, and what they had made."""

    def __init__(self, apps):
        self.of = apps.get_model
        users = get_user_model().objects
        self.users = {name: users.create_user(name).pk for name in ("alice", "dora", "rosa")}
        self.campaigns = {}
        for slug, members in (("one", "alice dora"), ("other", "rosa")):
            campaign = self.of("annotation", "Campaign").objects.create(slug=slug, name=slug)
            self.campaigns[slug] = campaign
            for name in members.split():
                self.of("annotation", "Membership").objects.create(
                    campaign=campaign, user_id=self.users[name], role="researcher"
                )

    def resource(self, name, kind="texts", owner="alice", file="a.csv"):
        return self.of("scoring", "Resource").objects.create(
            name=name,
            kind=kind,
            sha256=name,
            size=1,
            status="ready",
            path=name,
            file_name=file,
            created_by_id=self.users.get(owner),
        )

    def build(self, name, made=None, campaign=None, owner="alice", **inputs):
        rows = self.of("scoring", "Build").objects
        build = rows.create(
            recipe="extrinsic",
            name=name,
            options_hash=name,
            signature=name,
            resource=made,
            status="done" if made else "failed",
            error="" if made else "x",
            finished_at=timezone.now(),
            created_by_id=self.users[owner],
            campaign=self.campaigns.get(campaign),
        )
        for role, one in inputs.items():
            self.of("scoring", "BuildInput").objects.create(build=build, role=role, resource=one)
        return build

    def run(self, slug, resource):
        self.of("scoring", "Run").objects.create(
            campaign=self.campaigns[slug],
            metric="m",
            label="m",
            signature="s",
            options_hash=resource.name,
            options={"nbest": str(resource.key)},
        )


def there(model, name):
    """Where the rows of that name are now: scope, campaign, bound, owner."""
    columns = ("scope", "campaign__slug", "bound", "created_by__username")
    return sorted(model.objects.filter(name=name).values_list(*columns), key=str)


def test_rows_get_the_scope_of_where_they_came_from(old):
    apps, upgrade = old
    site = Site(apps)
    for name in ("vectors", "lm"):
        site.resource(name, kind=name, owner="rosa")
    site.resource("by command", owner=None)
    site.resource("sent", owner="dora")
    texts = site.resource("own", file="texts.jsonl")
    report = site.resource("report", kind="extrinsic")
    site.build("evaluation", report, "one", texts=texts)
    # By Rosa, of the texts of a campaign in which she has no role; and mixed with her own.
    site.build("taken", site.resource("stolen", owner="rosa"), owner="rosa", texts=texts)
    hers = site.resource("hers", owner="rosa", file="texts.jsonl")
    site.build("her evaluation", site.resource("her report"), "other", owner="rosa", texts=hers)
    site.build("mix", site.resource("mixed", owner="rosa"), owner="rosa", a=texts, b=hers)
    site.build("failed", owner="dora")
    # Two campaigns with the same texts, and so the same report.
    twin, both = site.resource("twin", file="texts.jsonl"), site.resource("both")
    site.build("first", both, "one", texts=twin)
    site.build("copy", both, "other", owner="rosa", texts=twin)
    nbest = site.resource("nbest", kind="nbest", owner="alice")
    foreign = site.resource("foreign", kind="nbest", owner="rosa")
    drawn = site.resource("drawn", kind="test_set")
    site.build("draw", drawn)
    site.of("annotation", "ImportBatch").objects.create(
        campaign=site.campaigns["one"],
        what="items",
        file_name="f",
        sha256="0" * 64,
        rows=1,
        provenance={"signature": "draw"},
    )
    for one in (nbest, foreign):
        site.run("one", one)
    site.of("annotation", "SiteTemplate").objects.create(name="t", label="T", text="x")
    site.of("annotation", "SiteTemplate").objects.create(name="u", label="U", text="x")
    keys = {one.name: one.key for one in (report, foreign)}
    upgrade()

    of_one = ("campaign", "one", True, "alice")
    for name, expected in {
        "vectors": [("site", None, False, "rosa")],
        "by command": [("site", None, False, None)],
        "sent": [("mine", None, False, "dora")],
        "own": [of_one],
        "report": [of_one],
        "twin": [of_one, ("campaign", "other", True, "alice")],
        "both": [of_one, ("campaign", "other", True, "alice")],
        "stolen": [("campaign", "one", True, "rosa")],
        "hers": [("campaign", "other", True, "rosa")],
        "mixed": [("mine", None, True, None)],
        "nbest": [("campaign", "one", False, "alice")],
        "foreign": [("campaign", "one", False, "rosa"), ("mine", None, False, "rosa")],
        "drawn": [("campaign", "one", False, "alice")],
    }.items():
        assert there(Resource, name) == expected, name
    for name, expected in {
        "evaluation": of_one,
        "taken": ("campaign", "one", True, "rosa"),
        "mix": ("mine", None, True, None),
        "failed": ("mine", None, False, "dora"),
        "copy": ("campaign", "other", True, "rosa"),
        "draw": ("campaign", "one", False, "alice"),
    }.items():
        assert there(Build, name) == [expected], name
    assert Build.objects.get(name="copy").resource.campaign.slug == "other"
    assert Build.objects.get(name="copy").inputs.get().resource.campaign.slug == "other"
    assert Build.objects.filter(own_texts=True).count() == 4
    # Runs name what they named.
    for name, key in keys.items():
        assert Resource.objects.get(key=key).campaign.slug == "one", name
