"""Letters that somebody may see: of a campaign, of the site, of an account."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Value
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.campaigns.overview import Need
from annotation.campaigns.progress import WorkCourse
from annotation.errors import NotFound
from annotation.models import Campaign, Invitation, Letter
from paraanno import clock
from paraanno.translated import translated

Kind, Status = Letter.Kind, Letter.Status
LATE, DAY = timedelta(minutes=15), timedelta(days=1)


def letters_of(*, campaign: Campaign) -> QuerySet[Letter]:
    """The campaign's letters, newest first."""
    return Letter.objects.filter(campaign=campaign)


def letters_of_site(*, status: str = "") -> QuerySet[Letter]:
    """All letters, newest first, of one status if it is named; for administrators. What strangers
    type on the page of forgotten passwords is no letter yet."""
    rows = Letter.objects.exclude(kind=Kind.FORGOTTEN).select_related("campaign", "user")
    return rows.filter(status=status) if status in Status.values else rows


def letters_of_account(*, user: User) -> QuerySet[Letter]:
    """Letters with links that an administrator or the owner asked for, newest first."""
    return Letter.objects.filter(user=user, kind__in=[Kind.PASSWORD, Kind.ADDRESS])


def address_letter(*, user: User) -> Letter | None:
    """The letter with the link to a new address, while that address is not the account's."""
    rows = Letter.objects.filter(user=user, kind=Kind.ADDRESS, until__gt=clock.now())
    last = rows.first()
    return None if last is None or last.to == user.email else last


def letter_get(*, key: Any, campaign: Campaign | None = None) -> Letter:
    """One letter, of the campaign if one is named. Raises NotFound."""
    rows = Letter.objects.select_related("campaign").filter(key=key)
    found = (rows if campaign is None else rows.filter(campaign=campaign)).first()
    if found is None:
        raise NotFound(_("There is no such e-mail."))
    return found


def with_letter(invitations: QuerySet[Invitation]) -> QuerySet[Any]:
    """Annotate `letter`, the status of the newest letter, and `letter_why`."""
    last = Letter.objects.filter(invitation=OuterRef("pk"))
    return invitations.annotate(
        letter=Subquery(last.values("status")[:1]), letter_why=Subquery(last.values("why")[:1])
    )


@dataclass(frozen=True, slots=True)
class Undelivered:
    """Letters that wait, those of them that were tried, and refused ones; with a newest reason."""

    waiting: int
    late: int
    refused: int
    why: str


def late_letters() -> tuple[int, int, int]:
    """How many e-mails have waited for longer than LATE, and how many were refused and sent within
    a day; one query."""
    now = clock.now()
    today = Q(closed_at__gte=now - DAY)
    found = Letter.objects.exclude(kind=Kind.FORGOTTEN).aggregate(
        late=Count(Value(1), filter=Q(status=Status.WAITING, created_at__lt=now - LATE)),
        refused=Count(Value(1), filter=today & Q(status=Status.REFUSED)),
        sent=Count(Value(1), filter=today & Q(status=Status.SENT)),
    )
    return found["late"], found["refused"], found["sent"]


def undelivered(*, campaign: Campaign | None) -> Undelivered:
    """What did not arrive, in a campaign or on the entire site; two queries."""
    rows = Letter.objects.exclude(kind=Kind.FORGOTTEN)
    if campaign is not None:
        rows = rows.filter(campaign=campaign)
    rows = rows.exclude(status=Status.SENT)
    waits = Q(status=Status.WAITING)
    found = rows.aggregate(
        waiting=Count(Value(1), filter=waits),
        late=Count(Value(1), filter=waits & ~Q(why="")),
        refused=Count(Value(1), filter=~waits),
    )
    newest = rows.exclude(why="").order_by("status", "-pk").first() if any(found.values()) else None
    return Undelivered(**found, why=newest.said if newest else "")


# Letters in words: how far they got, and what needs attention.


# The state of several letters is the one that needs most.
WORST = (Letter.Status.REFUSED, Letter.Status.WAITING, Letter.Status.SENT)


def letters_state(letters: Iterable[Letter]) -> list[str]:
    """The state of letters that went to several people for one cause; nothing if there are none."""
    found = {letter.status for letter in letters}
    return [str(one.label) for one in WORST if one in found][:1]


def letter_needs(campaign: Campaign, course: WorkCourse) -> Iterator[Need]:
    """Letters that were refused, or that the mail server has not taken."""
    found = undelivered(campaign=campaign)
    why = translated(found.why)
    if found.refused:
        yield Need(
            "now",
            ngettext("%(n)s e-mail was refused", "%(n)s e-mails were refused", found.refused)
            % {"n": found.refused},
            why,
            "letters",
            _("Look"),
            "research",
        )
    if found.late:
        yield Need(
            "soon",
            ngettext(
                "%(n)s e-mail waits for the mail server",
                "%(n)s e-mails wait for the mail server",
                found.late,
            )
            % {"n": found.late},
            "" if found.refused else why,
            "letters",
            _("Look"),
            "research",
        )
