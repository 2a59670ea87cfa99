"""A campaign that is restored is the one that was archived."""

import hashlib
import io
import json
from decimal import Decimal

import pytest
from django.contrib.auth.models import User

from annotation.campaigns.copying import campaign_copy
from annotation.models import (
    Annotator,
    ApiToken,
    AuditEntry,
    Campaign,
    Invitation,
    Membership,
    PartRecord,
    Slot,
)
from annotation.verify import verify
from paraanno.common import progress
from scoring.archives.file_format import ArchiveRefused
from scoring.archives.restore import archive_restore
from scoring.archives.services import archive_write
from scoring.models import Look, Resource, Run
from tests.clients import client_of, text_of
from tests.factories import make_campaign, make_user
from tests.scoring.archives.zips import files_of, zipped
from tests.scoring.rich import (
    ANSWERS,
    archived,
    everything,
    make_rich,
    restored,
    rich_archive,
    tables_of,
)


@pytest.mark.slow
def test_what_is_restored_is_what_was_archived(monkeypatch):
    """Every cell, export and file of the paper; the rules hold."""
    campaign = make_rich("rich-1")
    Look.objects.create(campaign=campaign, about="results", state="old")
    stream, shares = io.BytesIO(), []
    monkeypatch.setattr(progress, "COUNTED", 10)
    with progress.listening(shares.append, every=0):
        rows = archive_write(campaign=campaign, stream=stream)
    assert len(shares) == rows // 10 and shares == sorted(shares) and 0.9 < shares[-1] <= 1
    stream.seek(0)
    again = archive_restore(stream=stream, actor=None, slug="rich-2")
    assert tables_of(archived(again)) == tables_of(stream)
    [before, after] = (
        list(AuditEntry.objects.filter(campaign=one).order_by("pk").values_list("verb", flat=True))
        for one in (campaign, again)
    )
    assert after == [*before, "restore"]
    assert everything(again) == everything(campaign)
    assert verify(campaign=again) == []
    assert (again.name, again.origin["slug"]) == (campaign.name, campaign.slug)
    group = again.work_groups.get()
    assert (group.name, group.annotators.count(), group.sheets_at_most) == ("Experts", 1, 4)
    assert (again.work_rule.pay_floor, again.work_rule.currency) == (Decimal("9.60"), "GBP")
    [part] = PartRecord.objects.filter(annotator__campaign=again)
    code = campaign.panels.get().participants.get().annotator.code
    assert (part.annotator.code, part.panel, part.outcome, part.sheets) == (code, "Crowd", "", 0)
    assert dict(again.reviewer_answers.values_list("question", "text")) == ANSWERS
    [before, after] = (
        list(
            one.judgments.order_by("pk").values_list(
                "batch__provenance", "by_program", "recorded_at", "judged_at"
            )
        )
        for one in (campaign, again)
    )
    assert after == before
    assert f"{next(row[-1] for row in after if row[-1])}" == "2020-05-06 10:00:00+00:00"


@pytest.mark.slow
def test_nobody_gains_a_right_no_secret_is_in_it_and_ids_are_made_anew():
    campaign = make_rich()
    stream = archived(campaign)
    counts = [model.objects.count() for model in (User, Invitation, ApiToken)]
    dora = make_user("dora")
    again = archive_restore(stream=stream, actor=dora, slug="again")
    assert [model.objects.count() for model in (User, Invitation, ApiToken)] == counts
    members = Membership.objects.filter(campaign=again).values_list("user", "role")
    assert list(members) == [(dora.pk, "owner")]
    assert not Annotator.objects.filter(campaign=again, user__isnull=False).exists()
    assert campaign.annotators.filter(parts__platform_id="crowd-person-1").exists()
    assert not again.panels.exists()
    panel, hashes = campaign.panels.get(), campaign.invitations.values_list("token_hash", flat=True)
    assert hashes
    files = b"".join(files_of(stream.getvalue()).values())
    for secret in (
        "alice",
        "bob",
        "charlie",
        "crowd-",
        "someone@",
        panel.token,
        panel.event_secret,
        *hashes,
        str(campaign.runs.get(metric="pinc").key),
    ):
        assert secret.encode() not in files
    for name in ("items", "slots", "annotators", "scales", "runs", "exclusions"):
        keys = [set(getattr(one, name).values_list("key", flat=True)) for one in (campaign, again)]
        assert len(keys[0]) == len(keys[1]) > 0 and not keys[0] & keys[1]


def test_a_resource_is_named_by_its_content():
    campaign = make_campaign(items=2)
    there = {"status": "ready", "path": "x", "size": 1, "scope": "site"}
    gone = Resource.objects.create(kind="table", name="Gone", sha256="a" * 64, **there)
    kept = Resource.objects.create(kind="vectors", name="Kept", sha256="b" * 64, **there)
    options = {"vectors": str(kept.key), "table": str(gone.key), "as": "x"}
    Run.objects.create(campaign=campaign, metric="wmd", label="wmd", options=options, signature="s")
    stream = archived(campaign)
    gone.delete()
    run = archive_restore(stream=stream, actor=None, slug="again").runs.get()
    assert run.options == {**options, "table": f"resource:table:{'a' * 64}"}
    # It waited, and nobody here would begin it.
    assert run.status == Run.Status.CANCELLED


def changed(archive, table, column, value):
    """The archive with the column of its first row changed, and every digest put right."""
    files, member = files_of(archive), f"tables/{table}.jsonl"
    tables = json.loads(files["manifest.json"])["tables"]
    [listed] = [one for one in tables if one["name"] == table]
    first, *rest = files[member].splitlines(keepends=True)
    row = json.loads(first)
    row[listed["columns"].index(column)] = value
    files[member] = b"".join([json.dumps(row).encode(), b"\n", *rest])
    listed["size"] = len(files[member])
    listed["sha256"] = hashlib.sha256(files[member]).hexdigest()
    return zipped(files, tables=tables)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "column", "value", "why"),
    [
        ("judgment", "annotator", 10**6, "a row that is not there"),
        ("judgment", "annotator", True, "a row that is not there"),
        ("judgment", "value", "4", "is no number"),
        ("judgment", "value", 99.5, "break a rule|do not fit"),
        ("judgment", "status", "best", "not one of the known values"),
        ("judgment", "occasion", 2**40, "no whole number that fits"),
        ("judgment", "recorded_at", "2026-01-01T00:00:00", "no time with its zone"),
        ("phrase", "text", "half \ud800", "cannot be stored"),
        ("phrase", "text", "nothing\0", "cannot be stored"),
        ("item", "start", 2, "the span of the sentence is not the phrase"),
        ("campaign", "shared_share", 7.0, "contradict each other"),
        ("run", "options", [], "is no JSON object"),
        ("run", "options", {"a": [[["deep"]]]}, "are texts"),
        ("auditentry", "object_id", "no number", "contradicts itself"),
        ("columnmapping", "mapping", {"what": "items", "columns": 1}, "columns"),
        ("columnmapping", "what", "gold", "contradicts itself"),
    ],
)
def test_rows_that_no_campaign_has_are_refused_whole(table, column, value, why):
    before = Campaign.objects.count(), Slot.objects.count()
    with pytest.raises(ArchiveRefused, match=why):
        archive_restore(
            stream=changed(rich_archive(), table, column, value), actor=None, slug="bad"
        )
    assert (Campaign.objects.count(), Slot.objects.count()) == before


@pytest.mark.slow
def test_html_of_a_stranger_is_cleaned_where_it_is_shown():
    bad = "<script>alert(1)</script><img src=x onerror=alert(2)>\n\n[x](javascript:alert(3))"
    stream = changed(rich_archive(), "guideline", "text", bad)
    stream = changed(stream.getvalue(), "campaign", "name", bad)
    archive_restore(stream=stream, actor=make_user("alice"), slug="again")
    for page in ("guidelines", "archive", "audit"):
        text = client_of("alice").get(f"/c/again/{page}/").content.decode()
        for cleaned in ("<script>alert", 'href="javascript', "<img src=x"):
            assert cleaned not in text
        assert "onerror=" not in text.replace("&quot;", "").split("<title>")[0]


def test_pages_say_where_a_campaign_came_from():
    alice = make_user("alice")
    copy = campaign_copy(campaign=make_campaign(items=1), slug="copied", actor=alice)
    restored(copy, "again", alice)
    before, steps, archive = (
        text_of(client_of("alice").get(f"/c/{page}/"))
        for page in ("copied/steps", "again/steps", "again/archive")
    )
    assert "Copied from" in before and "restored" not in before
    assert "It was restored from an archive of" in steps and "Copied from" not in steps
    assert "It was restored" in archive
