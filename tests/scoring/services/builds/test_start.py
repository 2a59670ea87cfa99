"""Builds: asking for one, and cancelling it."""

from uuid import uuid4

import pytest

from annotation.errors import Conflict, DomainError, Invalid
from annotation.models import AuditEntry
from scoring.builds.services import build_cancel, build_start
from scoring.builds.work import builds_work
from scoring.models import Build
from scoring.resources.services import resource_remove
from tests.factories import make_user
from tests.scoring.builds import asked, corpus, made


def test_the_same_is_made_once_until_it_is_gone(tmp_path):
    source = corpus(tmp_path)
    build = asked(source)
    assert (build.status, build.options) == ("queued", {"order": "3", "prune": "none"})
    assert build.name == "Language model, some text.txt"
    assert f"text@{source.sha256}" in build.signature
    assert asked(source) == build
    assert asked(source, order=2) != build
    made(build)
    assert asked(source) == build
    resource_remove(resource=build.resource, actor=None)
    assert asked(source) != build
    assert list(AuditEntry.objects.filter(verb="build resource").values_list("actor__username"))


def test_what_cannot_be_built_is_refused(tmp_path, settings):
    source = corpus(tmp_path)
    for recipe, inputs, order, problem in (
        ("nothing", {"text": source.key}, 3, "There is no recipe called nothing"),
        ("lm", {"text": source.key}, 9, "lm: order=9 is not allowed"),
        ("lm", {}, 3, "lm: needs the inputs text"),
        ("lm", {"text": uuid4()}, 3, "no such resource"),
        ("lm", {"text": "no key"}, 3, "no such resource"),
        ("lm", {"other": source.key}, 3, "can be other of lm"),
    ):
        with pytest.raises(DomainError, match=problem):
            build_start(recipe=recipe, inputs=inputs, options={"order": order}, actor=None)
    settings.BUILD_MAX_WORDS = 10
    with pytest.raises(Invalid, match="raise PARAANNO_BUILD_MAX_WORDS"):
        asked(source)
    settings.BUILD_MAX_WORDS = 10_000
    settings.RESOURCES_PER_USER = 1  # The corpus.
    with pytest.raises(Invalid, match="as many as one login may"):
        asked(source)
    assert not Build.objects.exists()


def test_an_input_stays_while_it_is_read_and_cancelling_lets_it_go(tmp_path):
    source = corpus(tmp_path)
    build = asked(source)
    with pytest.raises(Conflict, match="is being made from it"):
        resource_remove(resource=source, actor=None)
    build_cancel(build=build, actor=make_user("alice"))
    build.refresh_from_db()
    assert (build.status, build.finished_at is not None) == ("cancelled", True)
    with pytest.raises(Conflict, match="has ended"):
        build_cancel(build=build, actor=None)
    assert builds_work() == 0
    resource_remove(resource=source, actor=None)
    assert build.inputs.get().resource is None
