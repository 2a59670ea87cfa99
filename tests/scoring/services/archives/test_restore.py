"""A campaign that is restored is the one that was archived."""

from __future__ import annotations

import io
import json
import zipfile
from decimal import Decimal

import pytest
from django.contrib.auth.models import User

from annotation.errors import Invalid
from annotation.models import (
    Annotator,
    ApiToken,
    Campaign,
    Invitation,
    Membership,
    PartRecord,
    Slot,
)
from annotation.selectors.verify import verify
from annotation.services.campaigns.copying import campaign_copy
from scoring.archives import ArchiveRefused
from scoring.models import Look, Resource, Run
from scoring.services.archives.restore import archive_restore
from scoring.services.archives.write import archive_write
from scoring.services.reports.exports import export_write
from tests.factories import make_campaign, make_user
from tests.scoring.services.archives.parts import (
    EXPORTS,
    archived,
    exported,
    make_rich,
    restored,
    rich_archive,
    tables_of,
)

pytestmark = pytest.mark.django_db


def test_every_export_is_the_same_and_the_rules_hold() -> None:
    campaign = make_rich()
    again = restored(campaign)
    for what in EXPORTS:
        assert exported(again, what) == exported(campaign, what), what
    assert verify(campaign=again) == []
    assert again.name == campaign.name
    assert again.origin["slug"] == campaign.slug
    group = again.work_groups.get()
    assert (group.name, group.annotators.count(), group.sheets_at_most) == ("Experts", 1, 4)
    assert (again.work_rule.pay_floor, again.work_rule.currency) == (Decimal("9.60"), "GBP")
    lists = again.work_lists.order_by("pk").values_list("name", "annotator__code")
    assert list(lists) == list(
        campaign.work_lists.order_by("pk").values_list("name", "annotator__code")
    )
    [part] = PartRecord.objects.filter(annotator__campaign=again)
    code = campaign.panels.get().participants.get().annotator.code
    assert (part.annotator.code, part.panel, part.outcome, part.sheets) == (code, "Crowd", "", 0)


def test_the_paper_is_the_same_but_for_the_names_of_the_campaigns() -> None:
    campaign = make_rich("oldone")
    found = []
    for one in (campaign, restored(campaign, "newone")):
        stream = io.BytesIO()
        export_write(campaign=one, what="paper", stream=stream)
        with zipfile.ZipFile(stream) as paper:
            found.append({
                name.replace("newone", "oldone"): paper.read(name).replace(b"newone", b"oldone")
                for name in paper.namelist() if name != "manifest.json"
            })  # fmt: skip
    assert found[0] == found[1]


def test_an_archive_of_what_was_restored_is_the_archive() -> None:
    """Every cell comes back: the log alone has one more entry."""
    campaign = make_rich()
    Look.objects.create(campaign=campaign, about="results", state="old")
    first = tables_of(archived(campaign))
    second = tables_of(archived(restored(campaign)))
    log = "tables/auditentry.jsonl"
    before, after = first.pop(log).splitlines(), second.pop(log).splitlines()
    assert second == first
    assert after[:-1] == before


def test_nobody_gains_a_right_and_no_secret_is_in_it() -> None:
    campaign = make_rich()
    stream = archived(campaign)
    counts = [model.objects.count() for model in (User, Invitation, ApiToken)]
    dora = make_user("dora")
    again = archive_restore(stream=stream, actor=dora, slug="again")
    assert [model.objects.count() for model in (User, Invitation, ApiToken)] == counts
    assert list(Membership.objects.filter(campaign=again).values_list("user", "role")) == [
        (dora.pk, "owner")
    ]
    assert not Annotator.objects.filter(campaign=again, user__isnull=False).exists()
    said = b"".join(tables_of(stream).values())
    for name in ("alice", "bob", "charlie", "crowd-", "someone@"):
        assert name.encode() not in said
    panel = campaign.panels.get()
    assert panel.token.encode() not in said and panel.event_secret.encode() not in said
    assert campaign.annotators.filter(parts__platform_id="crowd-person-1").exists()
    assert not again.panels.exists()
    hashes = campaign.invitations.values_list("token_hash", flat=True)
    assert hashes and not any(one.encode() in said for one in hashes)


def test_ids_of_a_site_are_made_anew() -> None:
    campaign = make_rich()
    again = restored(campaign)
    for name in ("items", "slots", "annotators", "scales", "runs", "exclusions"):
        keys = [set(getattr(one, name).values_list("key", flat=True)) for one in (campaign, again)]
        assert keys[0] and not keys[0] & keys[1]
    said = b"".join(tables_of(archived(campaign)).values())
    assert str(campaign.runs.get(metric="pinc").key).encode() not in said
    assert Slot.objects.filter(campaign=again).count() == campaign.slots.count()


def test_a_resource_is_named_by_its_content() -> None:
    campaign = make_campaign(items=2)
    there = {"status": "ready", "path": "x", "size": 1}
    gone = Resource.objects.create(kind="table", name="Gone", sha256="a" * 64, **there)
    kept = Resource.objects.create(kind="vectors", name="Kept", sha256="b" * 64, **there)
    options = {"vectors": str(kept.key), "table": str(gone.key), "as": "x"}
    Run.objects.create(campaign=campaign, metric="wmd", label="wmd", options=options, signature="s")
    stream = archived(campaign)
    gone.delete()
    run = archive_restore(stream=stream, actor=None, slug="again").runs.get()
    assert run.options["vectors"] == str(kept.key)
    assert run.options["table"] == f"resource:table:{'a' * 64}"
    # It waited, and nobody here would begin it.
    assert run.status == Run.Status.CANCELLED


def test_a_taken_name_is_refused_and_another_chosen() -> None:
    campaign = make_campaign(items=1)
    stream = archived(campaign)
    with pytest.raises(Invalid, match="exists already"):
        archive_restore(stream=stream, actor=None)
    stream.seek(0)
    assert archive_restore(stream=stream, actor=None, slug="free").slug == "free"


def changed(stream: io.BytesIO, table: str, column: str, value: object) -> io.BytesIO:
    """The archive with the column of its first row changed, and every digest put right."""
    import hashlib

    with zipfile.ZipFile(stream) as old:
        files = {name: old.read(name) for name in old.namelist()}
    manifest = json.loads(files["manifest.json"])
    [listed] = [one for one in manifest["tables"] if one["name"] == table]
    lines = files[f"tables/{table}.jsonl"].splitlines(keepends=True)
    row = json.loads(lines[0])
    row[listed["columns"].index(column)] = value
    lines[0] = json.dumps(row).encode() + b"\n"
    data = b"".join(lines)
    listed |= {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    text = json.dumps(manifest).encode()
    files |= {f"tables/{table}.jsonl": data, "manifest.json": text}
    files["manifest.sha256"] = hashlib.sha256(text).hexdigest().encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in files.items():
            new.writestr(name, content)
    out.seek(0)
    return out


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
)  # fmt: skip
def test_rows_that_no_campaign_has_are_refused_whole(
    table: str, column: str, value: object, why: str
) -> None:
    stream = changed(io.BytesIO(rich_archive()), table, column, value)
    before = Campaign.objects.count(), Slot.objects.count()
    with pytest.raises(ArchiveRefused, match=why):
        archive_restore(stream=stream, actor=None, slug="bad")
    assert (Campaign.objects.count(), Slot.objects.count()) == before


def test_html_of_a_stranger_is_cleaned_where_it_is_shown(client) -> None:  # type: ignore[no-untyped-def]
    bad = "<script>alert(1)</script><img src=x onerror=alert(2)>\n\n[x](javascript:alert(3))"
    stream = changed(io.BytesIO(rich_archive()), "guideline", "text", bad)
    stream = changed(stream, "campaign", "name", bad)
    again = archive_restore(stream=stream, actor=make_user("alice"), slug="again")
    client.force_login(make_user("alice"))
    for page in ("guidelines", "archive", "audit"):
        said = client.get(f"/c/{again.slug}/{page}/").content.decode()
        assert "<script>alert" not in said
        assert "onerror=" not in said.replace("&quot;", "").split("<title>")[0]
        assert 'href="javascript' not in said
        assert "<img src=x" not in said


def test_pages_tell_where_a_campaign_came_from(client) -> None:  # type: ignore[no-untyped-def]
    campaign = make_campaign(items=1)
    copy = campaign_copy(campaign=campaign, slug="copied", actor=make_user("alice"))
    again = restored(copy, "again", make_user("alice"))
    client.force_login(make_user("alice"))
    first, second = (client.get(f"/c/{one.slug}/steps/").content.decode() for one in (copy, again))
    assert "Copied from" in first and "restored" not in first
    assert "It was restored from an archive of" in second and "Copied from" not in second
    assert "It was restored" in client.get(f"/c/{again.slug}/archive/").content.decode()


def test_progress_is_told() -> None:
    campaign = make_rich()
    told: list[int] = []
    rows = archive_write(campaign=campaign, stream=io.BytesIO(), tell=told.append)
    assert told == sorted(told)
    assert told[-1] == rows
