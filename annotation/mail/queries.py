"""Letters that somebody may see: of a campaign, of the site, of an account."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Value
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.campaigns.overview import Courses, Need
from annotation.errors import NotFound
from annotation.models import Campaign, Invitation, Letter
from paraanno import clock
from paraanno.template_filters import translated

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
    letter = (rows if campaign is None else rows.filter(campaign=campaign)).first()
    if letter is None:
        raise NotFound(_("There is no such e-mail."))
    return letter


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
    totals = Letter.objects.exclude(kind=Kind.FORGOTTEN).aggregate(
        late=Count(Value(1), filter=Q(status=Status.WAITING, created_at__lt=now - LATE)),
        refused=Count(Value(1), filter=today & Q(status=Status.REFUSED)),
        sent=Count(Value(1), filter=today & Q(status=Status.SENT)),
    )
    return totals["late"], totals["refused"], totals["sent"]


WAITS = Q(status=Status.WAITING)
COUNTS = {
    "waiting": Count(Value(1), filter=WAITS),
    "late": Count(Value(1), filter=WAITS & ~Q(why="")),
    "refused": Count(Value(1), filter=~WAITS),
}


def undelivered() -> Undelivered:
    """What did not arrive, on the entire site; two queries."""
    totals = _not_sent().aggregate(**COUNTS)
    newest = _newest(_not_sent()).first() if any(totals.values()) else None
    return Undelivered(**totals, why=newest.sentence if newest else "")


def undelivered_in(*, campaigns: Collection[Campaign]) -> dict[Campaign, Undelivered]:
    """What did not arrive, in each campaign; two queries for any number of them."""
    rows = _not_sent().filter(campaign__in=campaigns).order_by().values("campaign_id")
    undelivered = rows.annotate(**COUNTS).values_list("campaign_id", *COUNTS)
    counts = {pk: (waiting, late, refused) for pk, waiting, late, refused in undelivered}
    last = _newest(_not_sent().filter(campaign=OuterRef("pk"))).values("pk")[:1]
    newest = Campaign.objects.filter(pk__in=counts).annotate(last=Subquery(last)).values("last")
    letters = Letter.objects.filter(pk__in=newest) if counts else ()
    why = {letter.campaign_id: letter.sentence for letter in letters}
    return {
        one: Undelivered(*counts.get(one.pk, (0, 0, 0)), why.get(one.pk, "")) for one in campaigns
    }


def _not_sent() -> QuerySet[Letter]:
    return Letter.objects.exclude(kind=Kind.FORGOTTEN).exclude(status=Status.SENT)


def _newest(rows: QuerySet[Letter]) -> QuerySet[Letter]:
    return rows.exclude(why="").order_by("status", "-pk")


# Letters in words: how far they got, and what needs attention.


# The state of several letters is the one that needs most.
WORST = (Letter.Status.REFUSED, Letter.Status.WAITING, Letter.Status.SENT)


def letters_state(letters: Iterable[Letter]) -> list[str]:
    """The state of letters that went to several people for one cause; nothing if there are none."""
    states = {letter.status for letter in letters}
    return [str(one.label) for one in WORST if one in states][:1]


def letter_needs(courses: Courses) -> Iterator[tuple[Campaign, Need]]:
    """Letters that were refused, or that the mail server has not taken; two queries."""
    for campaign, totals in undelivered_in(campaigns=courses).items():
        yield from ((campaign, need) for need in _needs(totals))


def _needs(undelivered: Undelivered) -> Iterator[Need]:
    why = translated(undelivered.why)
    if undelivered.refused:
        yield Need(
            "now",
            ngettext("%(n)s e-mail was refused", "%(n)s e-mails were refused", undelivered.refused)
            % {"n": undelivered.refused},
            why,
            "letters",
            _("Look"),
            "research",
        )
    if undelivered.late:
        yield Need(
            "soon",
            ngettext(
                "%(n)s e-mail waits for the mail server",
                "%(n)s e-mails wait for the mail server",
                undelivered.late,
            )
            % {"n": undelivered.late},
            "" if undelivered.refused else why,
            "letters",
            _("Look"),
            "research",
        )
