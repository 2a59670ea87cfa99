"""Rows in bulk, short transactions, the log, sealed secrets, and the hosts that serve pages."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.db import connection, transaction

from annotation.database import (
    audit,
    bulk_insert,
    bulk_ready,
    bulk_write,
    opened,
    reserve_ids,
    sealed,
    shares_files,
    short_write,
    web_host_seen,
)
from annotation.models import AuditEntry, Campaign, Remark, System, WebHost
from annotation.people.exclusions import exclusion_add
from tests.clients import captured, client_of, text_of
from tests.factories import make_annotator, make_user


def test_an_entry_names_whom_it_is_about(campaign):
    """A login by its account, which may be deleted; an annotator by the code."""
    alice, annotator = make_user("alice"), make_annotator(campaign)
    exclusion_add(target=annotator, reason="A test.", actor=alice)
    audit(actor=alice, verb="look at", about=annotator, campaign=campaign)
    audit(actor=alice, verb="look at", about=campaign.items.get(), campaign=campaign)
    found = list(AuditEntry.objects.order_by("pk").values_list("verb", "about", "person"))[-3:]
    assert found == [
        ("exclude", annotator.code, None),
        ("look at", annotator.code, None),
        ("look at", "", None),
    ]
    role = AuditEntry.objects.filter(verb="set role", person__username="bob").get()
    shown = text_of(client_of("alice").get("/c/camp/audit/"))
    assert "About whom" in shown and annotator.code in shown
    assert role.actor == alice and "alice set role bob" in shown


COLUMNS = ("campaign_id", "key", "label", "attributes")
AT = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


def test_ids_are_reserved_outside_of_a_transaction_too(draft):
    """Also those of a table that never had a row."""
    first, second = list(reserve_ids(Remark, 2)), list(reserve_ids(Remark, 2))
    assert len({*first, *second}) == 4
    ids = list(reserve_ids(System, 2))
    assert System.objects.create(campaign=draft, label="between").pk not in ids
    rows = ((draft.pk, uuid4(), f"s{pk}", {"n": pk}, pk) for pk in ids)
    ready = bulk_ready(System, (*COLUMNS, "id"), rows)
    assert not System.objects.filter(pk__in=ids).exists()
    bulk_write(ready)
    found = System.objects.filter(pk__in=ids).values_list("pk", "label")
    assert set(found) == {(pk, f"s{pk}") for pk in ids}


def test_values_come_back_as_they_were_written(draft):
    """JSON, UUID, times with microseconds, quotes, tabs, line ends and null."""
    key, text = uuid4(), 'tab\t, "quotes" \\ back\nnext ✓'
    with transaction.atomic():
        [pk] = reserve_ids(System, 1)
        attributes = {"a": ["\n", None, 1.5]}
        bulk_insert(System, (*COLUMNS, "id"), [(draft.pk, key, text, attributes, pk)])
    system = System.objects.get(pk=pk)
    assert (system.label, system.key, system.attributes) == (text, key, attributes)
    with transaction.atomic():
        [pk] = reserve_ids(AuditEntry, 1)
        names = [
            "id",
            "campaign_id",
            "actor_id",
            "verb",
            "object_type",
            "object_id",
            "about",
            "data",
            "at",
        ]
        bulk_insert(AuditEntry, names, [(pk, None, None, "v", "t", "1", "", {}, AT)])
    entry = AuditEntry.objects.get(pk=pk)
    assert (entry.at, entry.campaign, entry.data) == (AT, None, {})


@pytest.mark.django_db(transaction=True)
def test_the_database_tidies_a_table_that_grew_by_many(draft, monkeypatch):
    """PostgreSQL then knows its size, and counts its rows from an index alone; SQLite does both."""
    monkeypatch.setattr("annotation.database._MANY", 3)

    def add(*numbers):
        bulk_insert(System, COLUMNS, [(draft.pk, uuid4(), f"s{n}", {}) for n in numbers])

    with captured() as asked:
        add(0, 1)
        with transaction.atomic():
            add(2, 3, 4, 5)
            add(6, 7, 8)
    told = [one["sql"] for one in asked if one["sql"].startswith("VACUUM")]
    if connection.vendor == "sqlite":
        assert told == []
        return
    assert told == ['VACUUM (ANALYZE) "annotation_system"']
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT reltuples, relallvisible > 0 FROM pg_class WHERE relname = 'annotation_system'"
        )
        assert cursor.fetchone() == (System.objects.count(), True)


def test_only_the_site_reads_it(settings):
    secret = sealed("a link", what="letter")
    assert "a link" not in secret
    assert opened(secret, what="letter") == "a link"
    assert opened(secret, what="second factor") is None
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "new", [settings.SECRET_KEY]
    assert opened(secret, what="letter") == "a link"
    settings.SECRET_KEY_FALLBACKS = []
    assert opened(secret, what="letter") is None


THREADS = 8


@pytest.mark.django_db(transaction=True)
def test_threads_queue_and_none_is_refused(draft):
    """Each adds 1 to what it read: a lost update or a locked database would be seen."""
    start = threading.Barrier(THREADS)

    def add():
        try:
            start.wait()
            with short_write():
                row = Campaign.objects.select_for_update().get(pk=draft.pk)
                row.annotators_per_sheet += 1
                row.save()
        finally:
            connection.close()

    with ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(add) for _ in range(THREADS)]:
            done.result()
    before = draft.annotators_per_sheet
    draft.refresh_from_db()
    assert draft.annotators_per_sheet == before + THREADS


def test_what_fails_leaves_nothing_also_inside_another(draft):
    with transaction.atomic():
        with pytest.raises(ZeroDivisionError), short_write():
            Campaign.objects.filter(pk=draft.pk).update(name="half")
            _ = 1 / 0
        with short_write():
            Campaign.objects.filter(pk=draft.pk).update(description="whole")
    draft.refresh_from_db()
    assert (draft.name, draft.description) == ("Camp", "whole")


def test_a_host_has_one_row_with_its_folder_and_old_hosts_are_forgotten(settings, tmp_path):
    WebHost.objects.create(name="gone", storage="x", seen_at="2020-01-01T00:00Z")
    for folder in ("one", "two", "one"):
        settings.DATA_DIR = tmp_path / folder
        settings.DATA_DIR.mkdir(exist_ok=True)
        web_host_seen()
        [host] = WebHost.objects.all()
        assert host.storage == (settings.DATA_DIR / "storage_id").read_text()
    assert shares_files()
    settings.DATA_DIR = tmp_path / "two"
    assert not shares_files()
    assert host.storage != (tmp_path / "two" / "storage_id").read_text()
