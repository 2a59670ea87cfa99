"""Rows written in bulk are those that models write, with ids that nobody else gets."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation.database import bulk_insert, bulk_ready, bulk_write, reserve_ids
from annotation.models import AuditEntry, Remark, System
from tests.factories import make_campaign

COLUMNS = ("campaign_id", "key", "label", "attributes")
AT = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


def test_ids_are_reserved_outside_of_a_transaction_too():
    """Also those of a table that never had a row."""
    campaign = make_campaign(items=1, open_it=False)
    first, second = list(reserve_ids(Remark, 2)), list(reserve_ids(Remark, 2))
    assert len({*first, *second}) == 4
    ids = list(reserve_ids(System, 2))
    assert System.objects.create(campaign=campaign, label="between").pk not in ids
    rows = ((campaign.pk, uuid4(), f"s{pk}", {"n": pk}, pk) for pk in ids)
    ready = bulk_ready(System, (*COLUMNS, "id"), rows)
    assert not System.objects.filter(pk__in=ids).exists()
    bulk_write(ready)
    found = System.objects.filter(pk__in=ids).values_list("pk", "label")
    assert set(found) == {(pk, f"s{pk}") for pk in ids}


def test_values_come_back_as_they_were_written():
    """JSON, UUID, times with microseconds, quotes, tabs, line ends and null."""
    campaign = make_campaign(items=1, open_it=False)
    key, text = uuid4(), 'tab\t, "quotes" \\ back\nnext ✓'
    with transaction.atomic():
        [pk] = reserve_ids(System, 1)
        attributes = {"a": ["\n", None, 1.5]}
        bulk_insert(System, (*COLUMNS, "id"), [(campaign.pk, key, text, attributes, pk)])
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
def test_the_database_tidies_a_table_that_grew_by_many(monkeypatch):
    """PostgreSQL then knows its size, and counts its rows from an index alone; SQLite does both."""
    monkeypatch.setattr("annotation.database._MANY", 3)
    campaign = make_campaign(items=1, open_it=False)

    def add(*numbers):
        bulk_insert(System, COLUMNS, [(campaign.pk, uuid4(), f"s{n}", {}) for n in numbers])

    with CaptureQueriesContext(connection) as asked:
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
