"""The texts of a campaign as the input of a build, written by the process that builds."""

import json

import pytest

from scoring.archives.services import campaign_delete
from scoring.builds import work
from scoring.builds.services import own_options
from scoring.builds.work import builds_work
from scoring.models import Build, Resource
from tests.factories import make_campaign, make_user
from tests.scoring.builds import evaluation_asked, made
from tests.scoring.services.builds.test_extrinsic import ASKED, add_reviews, columns


@pytest.fixture
def campaign(tmp_path):
    campaign = make_campaign(items=1, systems=1, open_it=False)
    add_reviews(campaign, tmp_path)
    return campaign


@pytest.fixture
def build(campaign):
    return evaluation_asked(campaign, ASKED)[0]


def test_nothing_is_written_before_the_work_begins(campaign, build, monkeypatch):
    assert not Resource.objects.exists() and not build.inputs.exists()
    assert evaluation_asked(campaign, ASKED) == (build, False), "a double click makes one"
    stages = []
    first = work._Progress.__call__

    def telling(self, stage, number, share):
        stages.append((stage, number))
        first(self, stage, number, share)

    monkeypatch.setattr(work._Progress, "__call__", telling)
    made(build)
    assert (build.status, build.sentence, build.name) == ("done", "", "Extrinsic evaluation, Camp")
    order = list(dict.fromkeys(stages))
    assert order[0] == ("texts", 1) and order[-1] == ("report", len(order))
    texts = build.inputs.get(role="texts").resource
    assert (texts.name, texts.meta["rows"]) == (campaign.name, 60)
    assert texts.created_by == make_user("alice") and texts.sha256 in build.signature


def test_the_same_texts_are_evaluated_once(campaign, build):
    report = made(build).resource.stored / "report.json"
    written = report.stat().st_mtime_ns
    again, new = evaluation_asked(campaign, ASKED)
    assert new and made(again).resource == build.resource
    assert report.stat().st_mtime_ns == written
    changed = campaign.items.filter(sentence=columns()["text"][0])
    assert changed.update(attributes={"label": "pos", "new": "1"}) == 1
    other = made(evaluation_asked(campaign, ASKED)[0])
    assert other.inputs.get(role="texts").resource != build.inputs.get(role="texts").resource


def test_a_build_of_the_same_that_waits_stands_in_nobodys_way(campaign, build):
    same = Build.objects.filter(pk=made(build).pk)
    same.update(status="queued", finished_at=None, own_texts=False)
    again = evaluation_asked(campaign, ASKED)[0]
    same.update(status="running")
    assert made(again).status == "done" and again.resource == build.resource
    assert again.options_hash != build.options_hash and again.signature == build.signature


def test_texts_that_are_no_table_are_refused_by_the_name_of_the_campaign(campaign, build):
    campaign.items.update(attributes={"id": "7", "label": "pos"})
    assert made(build).status == "failed"
    assert build.error.startswith("Camp:2: column 'id'")
    assert not build.folder.exists()


@pytest.mark.usefixtures("build")
def test_a_campaign_that_was_deleted_has_no_builds(campaign):
    campaign_delete(campaign=campaign, actor=None, typed=campaign.slug)
    assert builds_work() == 0 and not Build.objects.exists()


def test_the_campaigns_own_systems_and_class_are_proposed(campaign):
    asked = {name: value for name, value in ASKED.items() if name != "systems"}
    build, _new = evaluation_asked(campaign, asked)
    assert (build.options["systems"], build.options["label"]) == ("PG1", "label")
    assert build.options["original"] == "text"
    report = json.loads((made(build).resource.stored / "report.json").read_text())
    assert report["columns"] == ["text", "PG1"]
    assert set(report["lines"]["nb"]) == {"majority", "shuffled", "half"}


def test_nothing_is_proposed_where_nothing_can_be():
    assert own_options(campaign=make_campaign("plain", items=3, systems=1, open_it=False)) == {}
