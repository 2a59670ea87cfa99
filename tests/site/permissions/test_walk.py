"""Every address of the site by every method as every role, against the table."""

import re
from http.cookies import SimpleCookie
from uuid import UUID, uuid4

import pytest
from django.contrib import admin
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from annotation.models import Panel
from scoring.correlation import more_views
from tests.clients import confirm
from tests.draws import draw_few
from tests.factories import make_admin, make_user
from tests.site.permissions.checks import DONE, REFUSED, check, to_login
from tests.site.permissions.rights import (
    ANNOTATOR_OF_BODY,
    CROWD,
    METHODS,
    MINE,
    PARTICIPANT,
    ROLES,
)
from tests.site.permissions.table import CONFIRMED, KEYS, TABLE
from tests.site.permissions.world import (
    ABOUT_A_RUN,
    all_routes,
    make_world,
)
from tests.site.permissions.writes import SESSION, WRITES_ON_GET

USERS = {
    "owner": "alice",
    "researcher": "dora",
    "viewer": "vera",
    "annotator": "bob",
    "stranger": "charlie",
    "admin": "adam",
}
# Who may do everything asks PostgreSQL all that the others do.
TWICE = ("admin",)
# Who has all rights, and who has none, in a campaign that is there, and who has none anywhere.
LOOK_FOR_NOTHING = ("admin", "stranger", "nobody")
# In `make test`; the others in `make test-all`, but for the owner: what owners may, the
# administrator is asked, and what they may not, no researcher may.
QUICK, NIGHTLY = ("annotator", "researcher"), ("owner",)


def enter(client, panel):
    client.get(reverse("panel-enter", args=[panel.token]), {panel.parameter: "one"})


def marks(role):
    once = [] if role in TWICE else [pytest.mark.once]
    late = pytest.mark.nightly if role in NIGHTLY else pytest.mark.slow
    return once if role in QUICK else [*once, late]


ROLES_BY_ROUND = [pytest.param(role, marks=marks(role)) for role in ROLES]
WRITES = re.compile(r'^\s*(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM) "(\w+)"')

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(monkeypatch):
    draw_few(monkeypatch)
    monkeypatch.setattr(more_views, "draw", lambda figure, form: b"")
    make_user("charlie")
    make_admin("adam")
    return make_world("camp")


class Visitor:
    """A role in the browser. What a request writes is taken back, so that every one meets the
    same world."""

    def __init__(self, role, *, confirmed=True):
        self.role = role
        self.client = Client(raise_request_exception=True)
        if role in USERS:
            self.client.force_login(make_user(USERS[role]))
            if confirmed:
                confirm(self.client, make_user(USERS[role]))
        elif role == CROWD:
            enter(self.client, Panel.objects.earliest("pk"))
        self.cookies = self.client.cookies.output(header="", sep=";")
        self.wrote = set()
        self.body = b""

    def visit(self, method, address, body, json):
        cache.clear()  # throttles count there
        self.client.cookies = SimpleCookie(self.cookies)
        options = {}
        if method != "GET":
            options = {"content_type": "application/json"} if json else {}
            if json or method == "POST":
                options["data"] = body or {}
        self.wrote = set()
        with connection.execute_wrapper(self.note), transaction.atomic():
            answer = getattr(self.client, method.lower())(address, **options)
            self.body = b"".join(answer.streaming_content) if answer.streaming else answer.content
            transaction.set_rollback(True)
        return answer

    def note(self, run, sql, *rest):
        found = WRITES.match(sql)
        if found and found[1] not in SESSION:
            self.wrote.add(found[1])
        return run(sql, *rest)

    def go(self, world, route, method):
        address = world.address(route.name, set(route.arguments))
        return self.visit(method, address, world.body(route.name), route.api)

    def check_written(self, route, method, answer):
        """Who reads or is refused writes nothing."""
        if method == "GET" or answer.status_code in REFUSED:
            allowed = WRITES_ON_GET.get(route.name, set())
            assert self.wrote <= allowed, (route.name, self.role, method, self.wrote)


def taken():
    """The methods that each route takes, and the right that it asks for."""
    for route in all_routes():
        for method, right in TABLE[route.name].items():
            yield route, method, right


@pytest.mark.once  # Nothing is asked of the database.
def test_the_table_names_every_route_and_no_other():
    names = [route.name for route in all_routes()]
    assert len(names) == len(set(names))
    assert set(names) == set(TABLE)


@pytest.mark.parametrize("role", ROLES_BY_ROUND)
def test_a_role_meets_what_the_table_says(role, world):
    """One world for all of it: to make one takes as long as dozens of requests."""
    visitor = Visitor(role)
    every_route_by_its_methods(visitor, world)
    if connection.vendor != "sqlite":
        return  # The rest asks it little.
    every_route_says_its_methods(visitor, world)
    the_administration_is_for_staff(visitor)
    if role in LOOK_FOR_NOTHING:
        a_campaign_that_is_not_there(visitor, world)
    if role == "admin":
        no_route_takes_other_methods(visitor, world)


def every_route_by_its_methods(visitor, world):
    for route, method, right in taken():
        if method != "GET" and connection.vendor != "sqlite":
            continue  # What is written there, tests of services ask.
        answer = visitor.go(world, route, method)
        check(answer, route, visitor.role, right, method)
        visitor.check_written(route, method, answer)


def every_route_says_its_methods(visitor, world):
    for route in all_routes():
        if route.api:
            answer = visitor.go(world, route, "OPTIONS")
            assert answer.status_code in {200, 401, 403, 404}, (route.name, answer.status_code)
            assert not visitor.wrote, route.name


@pytest.mark.once
def test_a_browser_that_was_left_open_changes_nothing_that_has_to_be_confirmed(world):
    left = {role: Visitor(role, confirmed=False) for role in ("admin", "owner")}
    for route, method, right in taken():
        if route.name in CONFIRMED and method != "GET":
            visitor = left["owner" if right == MINE else "admin"]
            body = {"typed": world.campaign.slug}
            address = world.address(route.name, set(route.arguments))
            answer = visitor.visit(method, address, body, route.api)
            assert answer.status_code == 403, (route.name, method)
            asked = answer.json()["code"] if route.api else answer.context["form"].prefix
            assert asked == "confirm", (route.name, method)
            assert not visitor.wrote, route.name


@pytest.mark.nightly
@pytest.mark.parametrize("role", ["nobody", "owner", "annotator", "stranger"])
def test_nobody_sends_other_methods(role, world):
    no_route_takes_other_methods(Visitor(role), world)


def no_route_takes_other_methods(visitor, world):
    """Of who may do everything, so that a method which is there answers; at night of the others."""
    role = visitor.role
    for route in all_routes():
        for method in set(METHODS) - set(TABLE[route.name]):
            answer = visitor.go(world, route, method)
            about = (route.name, role, method, answer.status_code)
            refused = {405} if role == "admin" else REFUSED
            assert answer.status_code in refused or (
                role == "nobody" and to_login(answer, route)
            ), about
            visitor.check_written(route, method, answer)


@pytest.mark.slow
def test_objects_of_another_campaign_are_not_found(world):
    """Not even for who may do everything in both; members of both: test_rivals.py."""
    other = make_world("other")
    visitor = Visitor("admin")
    checked = 0
    for route, method, right in taken():
        foreign = route.arguments - {"slug", "token", "kind", "user", "name", "form", "what"}
        named = bool(foreign) or route.name in ABOUT_A_RUN
        if not named or "slug" not in route.arguments:
            continue
        address = other.address(route.name, set(route.arguments), slug=world.campaign.slug)
        answer = visitor.visit(method, address, {}, route.api)
        # Who is in no team of the task is told that first.
        hidden = 403 if right == PARTICIPANT else 404
        assert answer.status_code == hidden, (route.name, method, answer.status_code)
        checked += 1
    assert checked > 15
    members_of_another_campaign_alone_get_no_role(world)
    answers_stay_in_their_campaign(world, other)


def members_of_another_campaign_alone_get_no_role(world):
    stranger = make_user("charlie")
    address = world.address("role", {"slug", "user"}, user=stranger.pk)
    assert Visitor("owner").visit("POST", address, {"role": "viewer"}, False).status_code == 404


def answers_stay_in_their_campaign(world, other):
    visitor = Visitor("annotator")
    names = {"sheet", "substitution", "scale"}
    own = world.address("api-judgment", names)
    body = world.body("api-judgment")
    assert visitor.visit("PUT", own, body, True).status_code == 200
    for name in names:
        mixed = world.address("api-judgment", names, **{name: other.arguments[name]})
        assert visitor.visit("PUT", mixed, body, True).status_code == 404, name


def a_campaign_that_is_not_there(visitor, world):
    """Nobody can tell it from a campaign of others."""
    for route, method, _ in taken():
        if "slug" in route.arguments:
            address = world.address(route.name, set(route.arguments), slug="nothing")
            answer = visitor.visit(method, address, {}, route.api)
            hidden = (
                to_login(answer, route) if visitor.role == "nobody" else answer.status_code == 404
            )
            assert hidden, (route.name, method, answer.status_code)


@pytest.mark.slow
def test_keys_that_are_no_keys_are_not_found(world):
    visitor = Visitor("owner")
    keys = [name for name, value in world.arguments.items() if isinstance(value, UUID)]
    for route, method, right in taken():
        if {"key", *keys} & route.arguments:
            strange = {key: uuid4() for key in {*KEYS.values(), *keys}}
            address = world.address(route.name, set(route.arguments), **strange)
            answer = visitor.visit(method, address, world.body(route.name), route.api)
            hidden = 403 if right in (ANNOTATOR_OF_BODY, PARTICIPANT) else 404
            assert answer.status_code == hidden, (route.name, method, answer.status_code)


def the_administration_is_for_staff(visitor):
    addresses = [reverse("admin:index")]
    for model in admin.site._registry:
        start = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        addresses += [reverse(f"{start}_changelist"), reverse(f"{start}_add")]
        first = model._default_manager.first()
        if first is not None:
            acts = ("change", "delete", "history")
            addresses += [reverse(f"{start}_{one}", args=[first.pk]) for one in acts]
    assert len(addresses) > 5
    for address in addresses:
        for method in ("GET", "POST"):
            answer = visitor.visit(method, address, {}, False)
            if visitor.role == "admin":
                assert answer.status_code in DONE | {403}, (address, method)
            elif visitor.role == CROWD:
                assert answer.status_code == 403 and not visitor.wrote, (address, method)
            else:
                assert answer.status_code == 302, (address, method)
                assert "login" in answer["Location"], (address, method)
                assert not visitor.wrote, (address, method)
