"""Builds by the API."""

from uuid import uuid4

import pytest
from drf_spectacular.generators import SchemaGenerator

from annotation.models import Campaign
from scoring.builds.work import builds_work
from scoring.models import Build
from tests.factories import make_campaign
from tests.scoring.services.builds.parts import corpus
from tests.scoring.services.builds.test_generated import built, made_vectors

pytestmark = pytest.mark.usefixtures("data_dir")


@pytest.fixture
def alice(login):
    make_campaign(items=2, open_it=False)
    return login("alice")


def test_the_api_starts_watches_and_cancels(alice, tmp_path):
    inputs = {"text": str(corpus(tmp_path).key)}

    def post(**changes):
        return alice.post("/api/v1/builds", {"recipe": "lm", "inputs": inputs, **changes})

    answer = post(name="Mine", options={"order": "2"})
    build = answer.json()
    address = f"/api/v1/builds/{build['key']}"
    assert (answer.status_code, build["status"], build["name"]) == (202, "queued", "Mine")
    assert (build["inputs"], build["options"]) == (inputs, {"order": "2", "prune": "none"})
    again = post(options={"order": "2"})
    assert (again.status_code, again.json()["key"]) == (200, build["key"])
    builds_work()
    build = alice.get(address).json()
    assert (build["status"], build["stage"], build["number"]) == ("done", "store", 2)
    made = alice.get(f"/api/v1/resources/{build['resource']}").json()
    assert (made["kind"], made["name"], made["meta"]["order"]) == ("lm", "Mine", 2)
    assert alice.get("/api/v1/builds").json()["results"] == [build]
    file = alice.get(f"/api/v1/resources/{build['resource']}/file")
    assert b"".join(file.streaming_content).startswith(b"\\data\\")
    assert file["Content-Disposition"] == 'attachment; filename="lm.arpa"'
    uploaded = alice.get(f"/api/v1/resources/{inputs['text']}/file")
    assert uploaded.status_code == 404 and "not built here" in uploaded.json()["detail"]
    assert alice.delete(address).status_code == 409
    other = f"/api/v1/builds/{post().json()['key']}"
    assert alice.delete(other).status_code == 204
    assert alice.get(other).json()["status"] == "cancelled"
    for changes, problem in (
        ({"recipe": "none"}, "There is no recipe called none"),
        ({"options": {"colour": "red"}}, "unknown option colour"),
    ):
        refused = post(**changes)
        assert refused.status_code == 400 and problem in refused.json()["detail"]
    assert post(inputs={"text": str(uuid4())}).status_code == 404
    assert Build.objects.count() == 2


def test_what_was_built_is_imported_into_a_campaign(alice, tmp_path):
    campaign = Campaign.objects.get()
    build = built(campaign, made_vectors(tmp_path))

    def post(key, **body):
        return alice.post("/api/v1/campaigns/camp/imports/built", {"build": str(key), **body})

    dry = post(build.key, dry_run=True)
    assert (dry.status_code, dry.json()["counts"]["substitutions"]) == (200, 6)
    done = post(build.key)
    assert (done.status_code, done.json()["counts"]) == (201, dry.json()["counts"])
    assert campaign.items.filter(sentence="A good film.").exists()
    other = Build.objects.create(recipe="lm", name="M", options_hash="x")
    for key in (other.key, uuid4()):
        assert post(key).status_code == 404


def test_the_reference_names_all_recipes_and_kinds():
    schemas = SchemaGenerator().get_schema(request=None, public=True)["components"]["schemas"]
    for schema, name, some in (
        ("BuildIn", "recipe", {"corpus", "lm", "pem_style", "test_set"}),
        ("ResourceIn", "kind", {"vectors", "texts", "parses"}),
    ):
        assert some <= set(schemas[schema]["properties"][name]["description"].split(", "))
