"""The log of the site, filtered."""

from datetime import UTC, date, datetime

from annotation.accounts.audit_log import LogAsked, site_log, site_log_rows
from annotation.database import audit
from annotation.models import AuditEntry
from tests.factories import make_campaign, make_user


def test_filters_and_rows(django_assert_num_queries):
    AuditEntry.objects.all().delete()
    campaign = make_campaign(items=1, open_it=False, cast=False)
    AuditEntry.objects.all().delete()
    alice, bob = make_user("alice"), make_user("bob")
    for day, verb in ((1, "create"), (2, "invite"), (3, "invite")):
        entry = audit(actor=alice, verb=verb, about=campaign, campaign=campaign, day=day)
        when = datetime(2026, 5, day, 23, 59, tzinfo=UTC)
        AuditEntry.objects.filter(pk=entry.pk).update(at=when)
    audit(actor=None, verb="fail to log in", about=bob, campaign=None)

    def days(**asked):
        return [one.data["day"] for one in site_log(query=LogAsked(**asked))]

    assert days(campaign="camp") == [3, 2, 1] and days(verb="invite") == [3, 2]
    assert days(who="ALICE", first=date(2026, 5, 2)) == [3, 2]
    assert days(last=date(2026, 5, 2), campaign="camp") == [2, 1]
    assert days(campaign="other") == []
    assert [one.verb for one in site_log(query=LogAsked(who="bob"))] == ["fail to log in"]
    with django_assert_num_queries(1):
        rows = list(site_log_rows(query=LogAsked()))
    assert [row["actor"] for row in rows] == [None, "alice", "alice", "alice"]
    assert rows[0]["person"] == "bob" and rows[1]["campaign"] == "camp"
