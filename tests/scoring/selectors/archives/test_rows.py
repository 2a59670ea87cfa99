"""Rows as archives have them."""

from annotation.models import AuditEntry, Judgment, JudgmentVersion
from scoring.archives.rows import ArchivedRows
from scoring.archives.tables import table_of
from tests.factories import make_annotator, make_campaign, make_user, rate_all


def test_foreign_keys_are_rows_of_the_file():
    make_campaign("before", items=2)
    campaign = make_campaign(items=2)
    rate_all(make_annotator(campaign))
    reader = ArchivedRows(campaign)
    judgments = table_of(Judgment)
    rows = list(reader.rows(judgments))
    place = judgments.columns.index("slot")
    assert {row[place] for row in rows} <= set(range(1, campaign.slots.count() + 1))
    versions = reader.rows(table_of(JudgmentVersion))
    assert [row[0] for row in versions] == list(range(1, len(rows) + 1))


def test_people_of_the_log_are_codes():
    campaign = make_campaign(items=1)
    bob = make_annotator(campaign)
    for user in (make_user("alice"), bob.user, make_user("alice"), None):
        AuditEntry.objects.create(
            campaign=campaign,
            actor=user,
            verb="x",
            object_type="campaign",
            object_id=str(campaign.pk),
        )
    log = table_of(AuditEntry)
    found = [row for row in ArchivedRows(campaign).rows(log) if row[1] == "x"]
    assert [row[0] for row in found] == ["person 1", bob.code, "person 1", ""]
    assert {row[log.columns.index("object_id")] for row in found} == {"1"}


def test_queries_do_not_grow_with_rows(django_assert_max_num_queries):
    for slug, items in (("a", 2), ("b", 8)):
        campaign = make_campaign(slug, items=items)
        rate_all(make_annotator(campaign))
        with django_assert_max_num_queries(8):
            assert list(ArchivedRows(campaign).rows(table_of(Judgment)))
