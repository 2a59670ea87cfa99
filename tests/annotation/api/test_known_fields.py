"""Every writing route of the API refuses fields that its schema does not name, those below others
too."""

from uuid import uuid4

import pytest
from drf_spectacular.generators import SchemaGenerator

from tests.factories import make_admin, make_user
from tests.site.permissions.test_walk import Visitor, taken
from tests.site.permissions.world import make_world

# Once: nothing is asked of the database.
pytestmark = [pytest.mark.once, pytest.mark.slow]
WRONG = "no_such_field"


def parts(schema, named, place=()):
    """Yield where an object with named fields stands in a body: () is the body itself."""
    while "$ref" in schema or "allOf" in schema:
        schema = schema["allOf"][0] if "allOf" in schema else named[schema["$ref"].split("/")[-1]]
    if schema.get("type") == "array":
        yield from parts(schema["items"], named, (*place, 0))
    elif "properties" in schema:
        yield place
        for name, one in schema["properties"].items():
            yield from parts(one, named, (*place, name))


def body_of(place):
    """The smallest body with the wrong field at the place."""
    body = {WRONG: 1}
    for step in reversed(place):
        body = [body] if step == 0 else {step: body}
    return body


def cases():
    """Yield each writing method of each route, whether it takes forms alone, and the places."""
    schema = SchemaGenerator().get_schema(request=None, public=True)
    named = schema["components"]["schemas"]
    for route, method, _right in taken():
        if not route.api or method == "GET":
            continue
        path = "/" + route.text.replace("<", "{").replace(">", "}")
        for kind in ("slug", "uuid", "str", "int"):
            path = path.replace(f"{{{kind}:", "{")
        content = schema["paths"][path][method.lower()].get("requestBody", {}).get("content", {})
        kinds = [kind for kind in content if kind != "application/x-www-form-urlencoded"]
        form = kinds == ["multipart/form-data"]
        one = content[kinds[0]]["schema"] if kinds else {"properties": {}}
        places = list(parts(one, named))
        yield route, method, form, places[:1] if form else places


def test_a_field_that_no_schema_names_is_refused_by_its_name_and_nothing_is_done():
    make_admin("adam")
    make_user("charlie")
    world, visitor = make_world("camp"), Visitor("admin")
    below = 0
    for route, method, form, places in cases():
        assert places, route.name
        address = world.address(route.name, set(route.arguments))
        for place in places:
            body = body_of(place)
            answer = visitor.visit(method, address, body, json=not form)
            said = (route.name, method, place, answer.status_code, answer.content[:200])
            assert answer.status_code == 400 and answer.json()["code"] == "invalid", said
            name = ".".join(str(step) for step in (*place, WRONG))
            assert name in answer.json()["fields"], said
            assert f"{name}: There is no such field." in answer.json()["detail"], said
            assert not visitor.wrote - {"annotation_apitoken"}, said
            below += bool(place)
    assert below > 2, below


def test_the_fast_way_of_saving_a_sheet_takes_no_other_fields_either():
    world, visitor = make_world("camp"), Visitor("annotator")
    names = ("substitution", "scale")
    one = {name: str(world.arguments[name]) for name in names}
    one |= {"id": str(uuid4()), "base_version": 0, "value": 4}
    body = {"annotator": str(world.bob.key), "answers": [one]}
    address = world.address("api-sheet", {"sheet"})
    for wrong, place in (
        ({**body, "stat": "done"}, "stat"),
        ({**body, "answers": [{**one, "remark": "x"}]}, "answers.0.remark"),
    ):
        answer = visitor.visit("PUT", address, wrong, json=True)
        assert answer.status_code == 400 and place in answer.json()["fields"], answer.content
        assert not visitor.wrote
    assert visitor.visit("PUT", address, body, json=True).json()["answers"][0]["version"] == 1
