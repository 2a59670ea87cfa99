"""Every route of the API answers as the OpenAPI schema says, to whatever the schema allows and
refuses: schemathesis invents the requests."""

from contextlib import suppress

import pytest
import requests
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import resolve
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.core.transport import Response
from schemathesis.openapi import from_dict
from schemathesis.specs.openapi import checks

from annotation.accounts.tokens import token_make
from tests.factories import make_user
from tests.simulate import FULL
from tests.site.permissions.table import KEYS
from tests.site.permissions.world import make_world

# Once: answers have one form on both databases.
pytestmark = [pytest.mark.django_db, pytest.mark.nightly, pytest.mark.once, pytest.mark.simulation]
EXAMPLES = 5 if FULL else 3  # of each operation and mode
CHECKS = (
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
)
USERS = {"researcher": "dora", "annotator": "bob", "stranger": "charlie"}


def known_keys(world, path, names):
    """Keys of the world for the parameters of an address, where it has them."""
    blank = {name: world.arguments.get("item") if name != "slug" else "camp" for name in names}
    blank |= {name: world.arguments[name] for name in names if name in world.arguments}
    address = path.format(**blank)
    route = resolve(address).url_name or ""
    if "key" in names and route in KEYS:
        blank["key"] = world.arguments[KEYS[route]]
    return {name: str(value) for name, value in blank.items()}


def test_answers_conform_to_the_schema():
    world = make_world("camp")
    schema = from_dict(SchemaGenerator().get_schema(request=None, public=True))
    schema.config.update(base_url="http://testserver")
    clients = {role: client_with_token(name) for role, name in USERS.items()}
    wrong = {}
    for result in schema.get_all_operations():
        operation = result.ok()
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            ask(clients, world, operation, mode, wrong)
    assert not wrong, "\n\n".join(f"{name}: {why}" for name, why in wrong.items())


def client_with_token(name):
    text = token_make(user=make_user(name))[1]
    return Client(raise_request_exception=False, headers={"Authorization": f"Token {text}"})


def ask(
    clients,
    world,
    operation,
    mode,
    wrong,
):
    """Send each case as every role: to invent one takes longer than to send it."""

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode), real=st.integers(0, 3))
    def one(case, real):
        if real:
            names = set(case.path_parameters or ())
            case.path_parameters = known_keys(world, operation.path, names)
        for role, client in clients.items():
            cache.clear()  # throttles count there
            try:
                with transaction.atomic():
                    send(client, case)
                    transaction.set_rollback(True)
            except (Failure, FailureGroup, AssertionError) as error:
                wrong.setdefault(f"{role}: {operation.method} {operation.path}", str(error))

    with suppress(Unsatisfiable):  # Nothing is invalid where nothing is asked for.
        one()


def send(client, case):
    """Send the case by Django's client, and check the answer."""
    parts = case.as_transport_kwargs(base_url="http://testserver")
    arguments = ("method", "url", "headers", "params", "json", "data", "files", "cookies")
    prepared = requests.Request(
        **{name: parts[name] for name in arguments if name in parts}
    ).prepare()
    body = prepared.body or b""
    answer = client.generic(
        prepared.method,
        prepared.path_url,
        body if isinstance(body, bytes) else body.encode(),
        content_type=prepared.headers.get("Content-Type", "application/octet-stream"),
    )
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    assert answer.status_code < 500, (answer.status_code, prepared.path_url, body, content[:500])
    headers = {name.lower(): [value] for name, value in answer.items()}
    found = Response(answer.status_code, headers, content, prepared, elapsed=0, verify=False)
    case.validate_response(found, checks=list(CHECKS))
