"""Whose the resources and builds are that were everybody's (docs/decisions.md, Whose what is made is).

What came from texts of a campaign, by however many builds, is that campaign's. What holds texts of
systems without that it is known of which campaign, is its owner's, or that campaign's which alone
uses it. All else stays the site's.
"""

from collections import defaultdict
from uuid import uuid4

from django.db import migrations

# What a research group would not show to another; vectors, tables and models stay the site's.
TEXTUAL = {"texts", "nbest", "test_set", "extrinsic"}
OF_BUILDS = {"near_words": "texts", "test_set": "test_set", "extrinsic": "extrinsic"}
OWN_FILE = "texts.jsonl"  # As the work called the own texts that it wrote.


class Site:
    """What is there, read once."""

    def __init__(self, apps):
        def of(app, name):
            return apps.get_model(app, name).objects

        self.resources = of("scoring", "Resource")
        self.builds = of("scoring", "Build")
        self.inputs = of("scoring", "BuildInput")
        self.rows = {one.pk: one for one in self.resources.all()}
        self.made = {one.pk: one for one in self.builds.order_by("pk")}
        self.read = defaultdict(dict)
        for build, role, resource in self.inputs.filter(resource__isnull=False).values_list(
            "build", "role", "resource"
        ):
            self.read[build][role] = resource
        self.keepers = defaultdict(set)
        members = of("annotation", "Membership").filter(role__in=["owner", "researcher"])
        for campaign, user in members.values_list("campaign", "user"):
            self.keepers[campaign].add(user)
        self.named = defaultdict(set)
        for campaign, options in of("scoring", "Run").values_list("campaign", "options"):
            for value in options.values():
                self.named[str(value)].add(campaign)
        self.imported = defaultdict(set)
        batches = of("annotation", "ImportBatch").values_list("campaign", "provenance")
        for campaign, about in batches.iterator():
            if isinstance(about, dict) and about.get("signature"):
                self.imported[about["signature"]].add(campaign)


def put(apps, schema_editor):
    site = Site(apps)
    of_build, claims = claimed(site)
    places = {pk: places_of(site, row, claims.get(pk, set())) for pk, row in site.rows.items()}
    copies = {}
    for pk, wanted in places.items():
        for number, place in enumerate(wanted):
            copies[pk, place] = stand(site, site.rows[pk], place, first=not number)
    for build in site.made.values():
        put_build(site, build, of_build.get(build.pk), places, copies)


def claimed(site):
    """The campaign of each build of a campaign's texts, or a frozen set of several if it mixes them;
    and those of each resource. Again until nothing more follows."""
    of_build, claims, before = {}, defaultdict(set), None
    while before != (before := (len(of_build), sum(map(len, claims.values())))):
        for build in site.made.values():
            found = campaign_of(site, build, claims)
            if found is None:
                continue
            of_build[build.pk] = found
            if build.campaign_id and (texts := site.read[build.pk].get("texts")):
                claims[texts].add(build.campaign_id)
            if build.resource_id:
                claims[build.resource_id].add(found)
    return of_build, claims


def campaign_of(site, build, claims):
    if build.campaign_id:
        return build.campaign_id
    sets = [claims[one] for one in site.read[build.pk].values() if claims.get(one)]
    if not sets:
        return None
    common = {one for one in set.intersection(*sets) if not mixed(one)}
    if not common:
        return frozenset().union(*(one if mixed(one) else {one} for one in set.union(*sets)))
    return min(common, key=lambda one: (build.created_by_id not in site.keepers[one], one))


def mixed(campaign):
    return isinstance(campaign, frozenset)


def places_of(site, row, claims):
    """Where the row stands: (scope, campaign, bound, owner). The first keeps its key."""
    owner = row.created_by_id
    if all_of := [one for found in claims if mixed(found) for one in found]:
        knows = all(owner in site.keepers[one] for one in all_of)
        return [("mine", None, True, owner if knows else None)]
    named = site.named[str(row.key)]
    bound = [("campaign", one, True, owner) for one in sorted(claims, key=lambda c: c not in named)]
    # Own texts that somebody had sent as a file before stay theirs too.
    sent = row.kind == "texts" and row.file_name != OWN_FILE and not built(site, row)
    if bound and not sent:
        return bound
    free = free_places(site, row, named)
    return [*(one for one in free if one[1] is None or one[1] not in claims), *bound]


def free_places(site, row, named):
    owner = row.created_by_id
    if row.kind not in TEXTUAL or owner is None:
        return [("site", None, False, owner)]
    for build in site.made.values():
        if build.resource_id == row.pk:
            named = named | site.imported[build.signature]
    if len(named) != 1:
        return [("mine", None, False, owner)]
    [campaign] = named
    places = [("campaign", campaign, False, owner)]
    if owner not in site.keepers[campaign]:
        places.append(("mine", None, False, owner))
    return places


def built(site, row):
    return any(one.resource_id == row.pk for one in site.made.values())


def stand(site, row, place, first):
    """The primary key of the row in that place: itself, or a copy of the same content."""
    scope, campaign, bound, owner = place
    values = {"scope": scope, "campaign_id": campaign, "bound": bound, "created_by_id": owner}
    if first:
        site.resources.filter(pk=row.pk).update(**values)
        return row.pk
    if row.status != "ready":
        return None
    fields = {one.attname: getattr(row, one.attname) for one in row._meta.concrete_fields}
    for name in ("id", "key", "created_at"):
        fields.pop(name)
    return site.resources.create(key=uuid4(), **{**fields, **values}).pk


def put_build(site, build, campaign, places, copies):
    """The place of a build is that of what it made; what failed is its owner's."""
    own = build.campaign_id is not None
    claimed_by_one = campaign is not None and not mixed(campaign)
    values = {"scope": "mine", "campaign_id": None, "bound": mixed(campaign)}
    if mixed(campaign) and build.resource_id:
        values["created_by_id"] = places[build.resource_id][0][3]
    if claimed_by_one:
        values = {"scope": "campaign", "campaign_id": campaign, "bound": True}
    elif campaign is None and build.resource_id:
        scope, of, bound, _owner = places[build.resource_id][0]
        values = {"scope": scope, "campaign_id": of, "bound": bound}
    resource = build.resource_id
    if claimed_by_one:
        resource = in_campaign(build.resource_id, campaign, copies)
        for role, one in site.read[build.pk].items():
            mine = in_campaign(one, campaign, copies)
            if mine != one:
                site.inputs.filter(build=build.pk, role=role).update(resource=mine)
    site.builds.filter(pk=build.pk).update(**values, own_texts=own, resource=resource)


def in_campaign(resource, campaign, copies):
    """The row of the same content that is the campaign's, if there is one."""
    for (pk, place), copy in copies.items():
        if pk == resource and place[1] == campaign and copy is not None:
            return copy
    return resource


class Migration(migrations.Migration):
    dependencies = [("scoring", "0016_scope")]

    operations = [migrations.RunPython(put, migrations.RunPython.noop)]
