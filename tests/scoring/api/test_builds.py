"""Builds by the API."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from annotation.models import Campaign
from scoring.models import Build
from scoring.services.builds.work import builds_work
from tests.scoring.services.builds.parts import corpus
from tests.scoring.services.builds.test_generated import built, made_vectors

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]


def test_the_api_starts_watches_and_cancels(owner: Client, tmp_path: Path) -> None:
    source = corpus(tmp_path)

    def post(**changes: Any) -> Any:
        body = {"recipe": "lm", "inputs": {"text": str(source.key)}, **changes}
        return owner.post("/api/v1/builds", body, content_type="application/json")

    answer = post(name="Mine", options={"order": "2"})
    said = answer.json()
    assert (answer.status_code, said["status"], said["name"]) == (202, "queued", "Mine")
    assert said["inputs"] == {"text": str(source.key)}
    assert said["options"] == {"order": "2", "prune": "none"}
    again = post(options={"order": "2"})
    assert (again.status_code, again.json()["key"]) == (200, said["key"])
    builds_work()
    found = owner.get(f"/api/v1/builds/{said['key']}").json()
    assert (found["status"], found["stage"], found["number"]) == ("done", "store", 2)
    made = owner.get(f"/api/v1/resources/{found['resource']}").json()
    assert (made["kind"], made["name"], made["meta"]["order"]) == ("lm", "Mine", 2)
    assert owner.get("/api/v1/builds").json()["results"] == [found]
    assert owner.delete(f"/api/v1/builds/{said['key']}").status_code == 409

    other = post().json()["key"]
    assert owner.delete(f"/api/v1/builds/{other}").status_code == 204
    assert owner.get(f"/api/v1/builds/{other}").json()["status"] == "cancelled"
    for changes, problem in (
        ({"recipe": "none"}, "There is no recipe called none"),
        ({"inputs": {"text": str(uuid4())}}, "There is no resource"),
        ({"options": {"colour": "red"}}, "unknown option colour"),
    ):
        refused = post(**changes)
        assert refused.status_code == 400
        assert refused.json()["detail"].startswith(problem) or problem in refused.json()["detail"]
    assert Build.objects.count() == 2


def test_what_was_built_is_imported_into_a_campaign(owner: Client, tmp_path: Path) -> None:
    campaign = Campaign.objects.get(slug="lab")
    build = built(campaign, made_vectors(tmp_path))

    def post(**body: Any) -> Any:
        address = "/api/v1/campaigns/lab/imports/built"
        return owner.post(address, body, content_type="application/json")

    dry = post(build=str(build.key), dry_run=True)
    assert (dry.status_code, dry.json()["counts"]["substitutions"]) == (200, 6)
    done = post(build=str(build.key))
    assert (done.status_code, done.json()["counts"]) == (201, dry.json()["counts"])
    assert campaign.items.filter(sentence="A good film.").exists()
    other = Build.objects.create(recipe="lm", name="M", options_hash="x")
    assert post(build=str(other.key)).status_code == 404
    assert post(build=str(uuid4())).status_code == 404


def test_the_reference_names_all_recipes_and_kinds() -> None:
    schemas = SchemaGenerator().get_schema(request=None, public=True)["components"]["schemas"]
    told = schemas["BuildIn"]["properties"]["recipe"]["description"]
    assert {"corpus", "lm", "pem_style", "test_set"} <= set(told.split(", "))
    told = schemas["ResourceIn"]["properties"]["kind"]["description"]
    assert {"vectors", "texts", "parses"} <= set(told.split(", "))
