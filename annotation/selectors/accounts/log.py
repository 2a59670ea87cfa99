"""The audit log of the whole site, for administrators."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.exporters import Column
from annotation.models import AuditEntry
from annotation.selectors.access import User as AnyUser

AT_ONCE = 2000
COLUMNS = (
    Column("at", "time"), Column("actor"), Column("verb"), Column("campaign"),
    Column("object_type"), Column("object_id"), Column("person"), Column("about"),
    Column("data", "json"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LogAsked:
    """What is looked for: a login name (who did it, or whom it is about), a verb, the short name
    of a campaign, and days from first to last (UTC)."""

    who: str = ""
    verb: str = ""
    campaign: str = ""
    first: date | None = None
    last: date | None = None


def check_site(user: AnyUser) -> None:
    """Raise NotFound for whoever is no administrator."""
    if not user.is_authenticated or not user.is_superuser:
        raise NotFound(_("There is no such page."))


def site_log(*, asked: LogAsked) -> QuerySet[AuditEntry]:
    """The entries that fit, newest first, with campaign and people; one query."""
    rows = AuditEntry.objects.select_related("actor", "person", "campaign")
    if asked.who:
        people = User.objects.filter(username__iexact=asked.who).values("pk")
        rows = rows.filter(Q(actor__in=people) | Q(person__in=people))
    if asked.verb:
        rows = rows.filter(verb=asked.verb)
    if asked.campaign:
        rows = rows.filter(campaign__slug=asked.campaign)
    if asked.first:
        rows = rows.filter(at__gte=_midnight(asked.first))
    if asked.last:
        rows = rows.filter(at__lt=_midnight(asked.last + timedelta(days=1)))
    return rows


def site_log_rows(*, asked: LogAsked) -> Iterator[dict[str, Any]]:
    """The same as rows of a table, in constant memory."""
    for entry in site_log(asked=asked).iterator(AT_ONCE):
        yield {
            "at": entry.at, "actor": entry.actor.username if entry.actor else None,
            "verb": entry.verb, "campaign": entry.campaign.slug if entry.campaign else None,
            "object_type": entry.object_type, "object_id": entry.object_id,
            "person": entry.person.username if entry.person else None, "about": entry.about,
            "data": entry.data,
        }  # fmt: skip


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)
