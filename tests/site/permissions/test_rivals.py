"""What one campaign has made, asked for as every role of another: by page, by route, and as an
input of the other's own forms. No answer shows a name of a system, and no form takes a key."""

from pathlib import Path
from uuid import UUID

import pytest
from django.conf import settings

from annotation.access import creation_grant, place_of
from annotation.models import SavedTemplate, System
from scoring.models import Build, Resource, Run
from tests.draws import draw_few
from tests.factories import give_role, make_user
from tests.site.permissions.rights import ANNOTATOR_OF_BODY, PARTICIPANT
from tests.site.permissions.table import KEYS, TABLE
from tests.site.permissions.test_walk import USERS, Visitor
from tests.site.permissions.world import all_routes, make_world

# Once: an administrator asks PostgreSQL all of it (test_walk.py).
pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.once]
SECRET = "Zeppelin"  # In the name of each system, and of what was made of them.
RIVALS = {"owner": "rosa", "researcher": "rick", "viewer": "vic", "annotator": "ann"}
BOTH = "annotates in one, researches in the other"
MADE = {"resource", "rating", "build", "test_set", "generated", "evaluation"}
KINDS = ("texts", "vectors", "corpus", "table")


@pytest.fixture
def worlds(monkeypatch):
    """One campaign with secrets, and another with rivals in each role; one of them annotates in the
    first."""
    draw_few(monkeypatch)
    one, other = make_world("camp"), make_world("other")
    for role, name in {**RIVALS, BOTH: "anna"}.items():
        user = make_user(name)
        monkeypatch.setitem(USERS, role if role == BOTH else f"rival {role}", name)
        give_role(other.campaign, user, "researcher" if role == BOTH else role)
        if role in (BOTH, "owner"):
            creation_grant(user=user)
    anna = make_user("anna")
    give_role(one.campaign, anna, "annotator")
    hide(one.campaign)
    return one, other


def hide(campaign):
    """Give everything of the campaign that has a name the name of a system."""
    for system in System.objects.filter(campaign=campaign):
        System.objects.filter(pk=system.pk).update(label=f"{SECRET} {system.label}")
    alice = make_user("alice")
    for kind in KINDS:
        path = f"resources/secret-{kind}"
        Path(settings.DATA_DIR, path).mkdir(parents=True, exist_ok=True)
        Resource.objects.get_or_create(
            kind=kind,
            sha256=f"secret-{kind}",
            size=1,
            status="ready",
            path=path,
            created_by=alice,
            **place_of(alice, campaign).fields(),
        )
    Resource.objects.filter(campaign=campaign).update(name=SECRET, file_name=f"{SECRET}.csv")
    builds = Build.objects.filter(campaign=campaign)
    builds.update(name=SECRET, options={"systems": SECRET}, signature=SECRET, stage=SECRET)
    lm = builds.get(recipe="lm")
    Build.objects.create(
        recipe="extrinsic",
        name=SECRET,
        options_hash="failed",
        status="failed",
        campaign=campaign,
        scope="campaign",
        bound=True,
        error=f"there is no column {SECRET}",
        created_by=alice,
        finished_at=lm.created_at,
        options={"systems": SECRET},
    )
    Run.objects.filter(campaign=campaign).update(label=SECRET)
    SavedTemplate.objects.filter(campaign=campaign).update(label=SECRET)


def silent(visitor, answer, about):
    """No answer names a system or a key of the campaign; all of a file counts."""
    assert SECRET.encode() not in visitor.body, about
    assert SECRET not in str(answer.headers), about


VISITORS = [
    (BOTH, "rival owner"),
    *(
        pytest.param([f"rival {one}"], marks=pytest.mark.nightly)
        for one in ("researcher", "viewer", "annotator")
    ),
]


@pytest.mark.parametrize("roles", VISITORS, ids=" and ".join)
def test_a_rival_learns_nothing(roles, worlds):
    """One pair of worlds for all of it: to make them takes as long as a hundred requests."""
    one, other = worlds
    for role in roles:
        visitor = Visitor(role)
        if role != "rival owner":  # Whose own pages are those of a researcher and some more.
            no_page_and_no_route_names_a_system(visitor, other)
        what_one_campaign_has_is_not_there(visitor, one, other)
        if role in (BOTH, "rival owner"):
            no_form_takes_what_is_not_theirs(visitor, one)
        if role == "rival owner":
            names_that_are_asked_for_tell_nothing(visitor, one)


@pytest.mark.nightly
def test_no_page_of_an_owner_names_a_system_of_others(worlds):
    no_page_and_no_route_names_a_system(Visitor("rival owner"), worlds[1])


def no_page_and_no_route_names_a_system(visitor, other):
    seen = 0
    for route in all_routes():
        if "GET" in TABLE[route.name]:
            answer = visitor.go(other, route, "GET")
            silent(visitor, answer, (visitor.role, route.name))
            seen += answer.status_code == 200
    assert seen > (10 if "annotator" in visitor.role else 30)


def what_one_campaign_has_is_not_there(visitor, one, other):
    role, slug, asked = visitor.role, {"slug": other.campaign.slug}, 0
    of_one = {name for name, value in one.arguments.items() if isinstance(value, UUID)}
    own = {"own_token", "own_session", "restore"}  # Of Alice, as the walk knows.
    for route in all_routes():
        named = (route.arguments | {KEYS.get(route.name, "")}) & (of_one | {"template"})
        if not named or named <= own:
            continue
        for method, right in TABLE[route.name].items():
            given = slug if "slug" in route.arguments else {}
            address = one.address(route.name, set(route.arguments), **given)
            answer = visitor.visit(method, address, one.body(route.name), route.api)
            about = (role, route.name, method, answer.status_code)
            silent(visitor, answer, about)
            strict = role == "rival owner" or (role == BOTH and named & MADE)
            hidden = {404} if strict else {403, 404}
            if right in (ANNOTATOR_OF_BODY, PARTICIPANT):
                hidden |= {403}
            assert answer.status_code in hidden, about
            asked += 1
    assert asked > 80


def keys_of(campaign):
    return {
        one.kind: str(one.key)
        for one in Resource.objects.filter(campaign=campaign, sha256__startswith="secret")
    }


def inputs(one, key):
    """Forms and routes of the other campaign, with what the first one has as their input."""
    texts = {"source": key["texts"], "vectors": key["vectors"]}
    evaluation = {"option-original": "a", "option-systems": "b", "option-label": "c"}
    again = {
        name: f"/c/other/{at}/?again={one.arguments[name]}"
        for name, at in (("generated", "import/paraphrases"), ("evaluation", "extrinsic"))
    }
    return [
        ("GET", again["generated"], None),
        ("GET", again["evaluation"], None),
        ("POST", "/c/other/import/paraphrases/", texts),
        ("POST", "/c/other/import/paraphrases/", {**texts, "option-column": "no such"}),
        ("POST", "/c/other/extrinsic/", {**texts, **evaluation}),
        (
            "POST",
            "/c/other/import/test-set/",
            {"input-sentences": key["corpus"], "input-phrases": key["table"]},
        ),
        ("POST", "/builds/", {"recipe": "lm", "input-text": key["corpus"]}),
        ("POST", "/builds/", {"recipe": "lm", "input-text": key["corpus"], "scope": "site"}),
        ("POST", "/c/other/runs/", {"metric": "wmd", "wmd.vectors": key["vectors"]}),
        ("API", "/api/v1/builds", {"recipe": "lm", "inputs": {"text": key["corpus"]}}),
        (
            "API",
            "/api/v1/builds",
            {
                "recipe": "near_words",
                "options": {"column": "no such"},
                "inputs": {"texts": key["texts"], "vectors": key["vectors"]},
            },
        ),
        ("API", "/api/v1/campaigns/other/runs", {"metric": f"wmd:vectors={key['vectors']}"}),
        *(
            ("API", "/api/v1/campaigns/other/imports/built", {"build": str(one.arguments[name])})
            for name in ("test_set", "generated", "build")
        ),
    ]


def no_form_takes_what_is_not_theirs(visitor, one):
    counted = [Build, Run, Resource]
    before = [model.objects.count() for model in counted]
    for method, address, body in inputs(one, keys_of(one.campaign)):
        answer = visitor.visit(method.replace("API", "POST"), address, body, method == "API")
        about = (visitor.role, method, address, body, answer.status_code)
        silent(visitor, answer, about)
        assert answer.status_code == 404, about
    assert [model.objects.count() for model in counted] == before


def names_that_are_asked_for_tell_nothing(visitor, one):
    """A label that is a key, a template by its name, another campaign as a scope."""
    key = keys_of(one.campaign)["vectors"]
    for address, body, code in (
        ("/api/v1/campaigns/other/runs", {"metric": f"bleu:as={key}"}, 201),
        ("/api/v1/campaigns", {"slug": "new", "template": "site-camp"}, 400),
        ("/api/v1/builds", {"recipe": "lm", "inputs": {}, "scope": "campaign:camp"}, 404),
        ("/api/v1/templates", {"name": "site-camp", "template": "guidelines: x"}, 201),
    ):
        answer = visitor.visit("POST", address, body, True)
        silent(visitor, answer, (address, answer.status_code))
        assert answer.status_code == code, (address, answer.content)
