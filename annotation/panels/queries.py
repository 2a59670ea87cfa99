"""A participant's part in a panel: where they stand, and how it ended."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from itertools import pairwise
from typing import Any
from urllib.parse import quote
from uuid import UUID

from django.db.models import (
    Count,
    DateTimeField,
    DurationField,
    ExpressionWrapper,
    F,
    IntegerField,
    Q,
    QuerySet,
    Value,
)
from django.db.models.functions import Cast
from django.http import HttpRequest, StreamingHttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.request import Request

from annotation.access import User, logged_in
from annotation.errors import NotFound
from annotation.models import (
    BackgroundAnswer,
    Consent,
    Exclusion,
    JudgmentVersion,
    Panel,
    Participant,
    PartOutcome,
    PartRecord,
    PracticeAnswer,
    QualityAction,
    Slot,
    SlotEvent,
    WorkRule,
)
from annotation.people.annotators import is_excluded, reached
from annotation.quality.overview import practice_wanted, standing
from annotation.sheets.own_work import PAUSE
from annotation.sheets.sql import list_is_done
from paraanno import clock
from paraanno.common.cells import escape
from paraanno.http.errors import full_address

OUTCOME_SENTENCES = {
    PartOutcome.COMPLETE: gettext_lazy(
        "Everything is judged and every answer is saved. Thank you!"
    ),
    PartOutcome.SCREENED_OUT: gettext_lazy(
        "This study is looking for other people. Thank you for your answers; your time so far is "
        "paid as the platform says."
    ),
    PartOutcome.FAILED_PRACTICE: gettext_lazy(
        "Your answers to the examples were not the expected ones. You are paid for the practice "
        "as the platform says."
    ),
    PartOutcome.FAILED_CHECKS: gettext_lazy(
        "Your work in this study has ended: some answers to texts with a known answer were far off."
    ),
    PartOutcome.QUOTA_FULL: gettext_lazy(
        "Others were faster. Nothing is left to judge; you are paid for your time as the platform "
        "says."
    ),
    PartOutcome.TIMED_OUT: gettext_lazy(
        "Your answers are kept. The places that you had open went to others."
    ),
    PartOutcome.WITHDRAWN: gettext_lazy(
        "You have left the study. The places that you had open went to others."
    ),
}
# Codes of a refused claim, and what they mean for a participant.
REFUSED = {
    "excluded": PartOutcome.FAILED_CHECKS,
    "not_eligible": PartOutcome.SCREENED_OUT,
    "closed": PartOutcome.QUOTA_FULL,
}


def panel_by_token(*, token: str) -> Panel:
    """Return the panel of a link. Raises NotFound for any other token."""
    panel = Panel.objects.filter(token=token).select_related("campaign").first()
    if panel is None:
        raise NotFound(_("There is no such study."))
    return panel


def part_with(*, panel: Panel, key: UUID) -> Participant:
    """Return one part of the panel. Raises NotFound."""
    rows = Participant.objects.filter(panel=panel, key=key)
    part = rows.select_related("panel__campaign", "annotator__campaign").first()
    if part is None:
        raise NotFound(_("There is no such participant."))
    return part


def part_by_key(*, key: UUID, user: User) -> Participant | None:
    """Return the part with this key if it is the user's, with panel and campaign."""
    rows = Participant.objects.filter(key=key, annotator__user_id=logged_in(user).pk)
    return rows.select_related("panel__campaign", "annotator__campaign").first()


def outcome_found(*, part: Participant, code: str) -> PartOutcome | None:
    """Return the outcome when the claim gave nothing for the reason `code`; None: it goes on.

    An outcome that is there stays, but for a quota that was full: places may have become free.
    """
    if part.outcome and part.outcome != PartOutcome.QUOTA_FULL:
        return PartOutcome(part.outcome)
    if reached(part):
        return PartOutcome.COMPLETE
    if code == "practice":
        now = standing(campaign=part.annotator.campaign, annotator=part.annotator)
        return PartOutcome.FAILED_PRACTICE if now.stuck else None
    if code == "":
        listed = list_is_done(annotator=part.annotator)
        return PartOutcome.COMPLETE if listed else PartOutcome.QUOTA_FULL
    if code == "excluded" and part.annotator.withdrawals.filter(ended_at=None).exists():
        return PartOutcome.WITHDRAWN
    return REFUSED.get(code)


def halted_by(part: Participant) -> str:
    """Return the code of what keeps the participant from any sheet; "none" where nothing does."""
    annotator = part.annotator
    if annotator.ineligible_since is not None:
        return "not_eligible"
    if is_excluded(annotator=annotator) or annotator.withdrawals.filter(ended_at=None).exists():
        return "excluded"
    return "practice" if practice_wanted(annotator=annotator) else "none"


def is_over(part: Participant) -> bool:
    """Whether the part has ended for good: for whom a quota was full a place may become free."""
    return part.outcome not in ("", PartOutcome.QUOTA_FULL)


def said_of(part: Participant) -> str:
    """Return what the participant reads about the outcome."""
    return str(OUTCOME_SENTENCES[PartOutcome(part.outcome)])


def last_page(part: Participant) -> str:
    """Return the address of the participant's last page."""
    return reverse("panel-end", args=[part.panel.token])


def completion_of(part: Participant) -> dict[str, Any]:
    """Return the completion `{code, url}` of the outcome; null where the panel has none."""
    panel = part.panel
    code = panel.codes.get(part.outcome) or None
    return {"code": code, "url": return_address(panel, code=code, own_id=part.platform_id)}


def return_address(panel: Panel, *, code: str | None, own_id: str) -> str | None:
    """Fill in the way back: `{code}`, and `{id}`, the person's own id; both URL-quoted.

    None where a part of it is not known.
    """
    address: str = panel.return_url
    if not address:
        return None
    for name, value in (("{code}", code), ("{id}", own_id)):
        if name in address:
            if not value:
                return None
            address = address.replace(name, quote(value, safe=""))
    return address


# What participants of a panel did and what they are paid for; excluded people too.
#
# Active time is the server's: the time between what a person sent (entering, consent, questions,
# practice, claims, saves), without pauses of more than five minutes.


CENT = Decimal("0.01")
AT_ONCE = 500  # people whose times are read together


@dataclass(frozen=True, slots=True)
class Payment:
    """One person's line. Amounts are None where the panel names no pay, or no time is known.

    `earned` is the panel's pay by the share of the quota that was done; `per_hour` is that over
    the active time; `top_up` is what lacks to the floor for the active time.
    """

    part: Participant
    outcome: str
    sheets: int
    seconds: int
    earned: Decimal | None
    per_hour: Decimal | None
    top_up: Decimal | None
    bonus: Decimal | None
    checks_failed: int
    excluded: bool

    @property
    def minutes(self) -> int:
        return round(self.seconds / 60)

    @property
    def code(self) -> str:
        return str(self.part.panel.codes.get(self.outcome) or "")

    @property
    def label(self) -> str:
        return str(PartOutcome(self.outcome).label) if self.outcome else ""

    @property
    def below_floor(self) -> bool:
        return bool(self.top_up)


@dataclass(frozen=True, slots=True)
class PayFloor:
    """The minimum pay per hour, None where nobody set one, and the currency of a panel's
    amounts."""

    amount: Decimal | None
    currency: str


def floor_of(*, panel: Panel) -> PayFloor:
    """Return the panel's floor and currency; the campaign's where it names none. One query."""
    rule = WorkRule.objects.filter(campaign=panel.campaign_id).first() or WorkRule()
    amount = rule.pay_floor if panel.pay_floor is None else panel.pay_floor
    return PayFloor(amount, panel.currency or rule.currency)


def parts_in(*, panel: Panel) -> QuerySet[Participant]:
    """Return everybody who entered, in their order, with their annotators; one query."""
    return Participant.objects.filter(panel=panel).select_related("annotator").order_by("pk")


def payments(*, panel: Panel) -> Iterator[Payment]:
    """Yield the line of everybody who entered; a constant number of queries for each AT_ONCE."""
    parts = list(parts_in(panel=panel))
    for start in range(0, len(parts), AT_ONCE):
        yield from lines(panel, parts[start : start + AT_ONCE])


def pay_of(part: Participant) -> Payment:
    """Return one person's line."""
    [line] = lines(part.panel, [part])
    return line


def lines(panel: Panel, parts: list[Participant]) -> Iterator[Payment]:
    """Yield the lines of some participants of the panel."""
    people = [part.annotator_id for part in parts]
    floor = floor_of(panel=panel)
    done = _submitted(people)
    times = _times(people)
    following = _following(parts)
    failed = Counter(
        QualityAction.objects.filter(annotator__in=people, lifted_at=None).values_list(
            "annotator", flat=True
        )
    )
    excluded = set(
        Exclusion.objects.filter(annotator__in=people, ends_at=None, kind="exclusion").values_list(
            "annotator", flat=True
        )
    )
    for part in parts:
        part.panel = panel
        after = following.get(part.pk)
        upto = done[part.annotator_id] if after is None else after.sheets_before
        own_times = [
            at
            for at in times[part.annotator_id]
            if at >= part.entered_at and (after is None or at < after.entered_at)
        ]
        yield _line(
            part,
            max(0, upto - part.sheets_before),
            active_seconds([part.entered_at, *own_times]),
            failed[part.annotator_id],
            part.annotator_id in excluded,
            floor,
        )


def _following(parts: list[Participant]) -> dict[int, Participant]:
    """The next part of the same annotator, in another panel."""
    people = [part.annotator_id for part in parts]
    rows = Participant.objects.filter(annotator__in=people).order_by("annotator", "pk")
    pairs = pairwise(rows)
    return {one.pk: other for one, other in pairs if one.annotator_id == other.annotator_id}


def _submitted(people: list[int]) -> dict[int, int]:
    rows = Slot.objects.filter(
        annotator__in=people, state__in=[Slot.State.DONE, Slot.State.VOID], done_at__isnull=False
    )
    counted = rows.order_by().values_list("annotator").annotate(n=Count("*"))
    return defaultdict(int, counted)


def _times(people: list[int]) -> dict[int, list[datetime]]:
    """When each of these annotators sent something, ascending; six queries."""
    sources: list[Iterable[tuple[int, datetime]]] = [
        SlotEvent.objects.filter(
            annotator__in=people, actor=None, kind__in=["claimed", "done", "skipped", "retaken"]
        )
        .order_by()
        .values_list("annotator", "at"),
        JudgmentVersion.objects.filter(judgment__annotator__in=people, request_id__isnull=False)
        .order_by()
        .values_list("judgment__annotator", "recorded_at"),
        Consent.objects.filter(annotator__in=people).order_by().values_list("annotator", "at"),
        BackgroundAnswer.objects.filter(annotator__in=people)
        .order_by()
        .values_list("annotator", "at")
        .distinct(),
        PracticeAnswer.objects.filter(attempt__annotator__in=people)
        .order_by()
        .values_list("attempt__annotator", "at"),
    ]
    times: dict[int, list[datetime]] = defaultdict(list)
    for rows in sources:
        for annotator, at in rows:
            times[annotator].append(at)
    for one in times.values():
        one.sort()
    return times


def active_seconds(times: list[datetime]) -> int:
    """The seconds between ascending times, without gaps of more than PAUSE."""
    gaps = (other - one for one, other in pairwise(times))
    return round(sum((gap for gap in gaps if gap <= PAUSE), timedelta(0)).total_seconds())


def outcome_shown(part: Participant, *, sheets: int, excluded: bool) -> str:
    """The outcome, also where nobody asked for it yet since it was reached; "" in progress."""
    if part.outcome:
        return str(part.outcome)
    if part.quota and sheets >= part.quota:
        return str(PartOutcome.COMPLETE)
    return str(PartOutcome.FAILED_CHECKS) if excluded else ""


def _line(
    part: Participant, sheets: int, seconds: int, failed: int, excluded: bool, floor: PayFloor
) -> Payment:
    panel = part.panel
    outcome = outcome_shown(part, sheets=sheets, excluded=excluded)
    hours = Decimal(seconds) / 3600
    earned = per_hour = top_up = bonus = None
    if panel.pay is not None:
        share = min(Decimal(1), Decimal(sheets) / part.quota) if part.quota else Decimal(0)
        earned = _cents(panel.pay * share)
        per_hour = _cents(earned / hours) if seconds else None
    if floor.amount is not None:
        top_up = _cents(max(Decimal(0), floor.amount * hours - (earned or Decimal(0))))
    if panel.bonus is not None:
        earns = outcome == PartOutcome.COMPLETE and not failed and not excluded
        bonus = _cents(panel.bonus if earns else Decimal(0))
    return Payment(
        part, outcome, sheets, seconds, earned, per_hour, top_up, bonus, failed, excluded
    )


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, ROUND_HALF_UP)


COLUMNS = (
    "id",
    "submission",
    "annotator",
    "outcome",
    "code",
    "entered_at",
    "ended_at",
    "sheets",
    "quota",
    "active_seconds",
    "currency",
    "pay",
    "pay_per_hour",
    "top_up",
    "bonus",
    "checks_failed",
    "excluded",
)


def payment_rows(*, panel: Panel) -> Iterator[list[str]]:
    """Yield the payment list as rows of COLUMNS; an empty cell: not known or not asked for."""
    currency = floor_of(panel=panel).currency
    for one in payments(panel=panel):
        part = one.part
        yield [
            part.platform_id,
            part.submission_id,
            part.annotator.code,
            one.outcome or "in_progress",
            one.code,
            part.entered_at.isoformat(),
            part.ended_at.isoformat() if part.ended_at else "",
            str(one.sheets),
            str(part.quota),
            str(one.seconds),
            currency,
            *(
                "" if value is None else str(value)
                for value in (one.earned, one.per_hour, one.top_up, one.bonus)
            ),
            str(one.checks_failed),
            "yes" if one.excluded else "no",
        ]


def part_records(*, campaign_id: int) -> QuerySet[PartRecord]:
    """Return what became of the parts of a campaign before it was restored from an archive, with
    annotators; of people who have a part here, that says it."""
    rows = PartRecord.objects.filter(annotator__campaign=campaign_id, annotator__parts=None)
    return rows.select_related("annotator").order_by("annotator__code", "number")


def panels_of(*, campaign_id: int) -> QuerySet[Panel]:
    """Return the campaign's panels, newest first; one query.

    entered     all who came
    complete    handed in everything
    left        ended otherwise, or their time is up and they have not come back to be told
    under_way   the rest
    """
    minutes = Cast("minutes", IntegerField())  # SQLite multiplies no other numbers by durations.
    limit = ExpressionWrapper(
        minutes * Value(timedelta(minutes=1), DurationField()), output_field=DurationField()
    )
    over = ExpressionWrapper(Value(clock.now()) - limit, output_field=DateTimeField())
    late = Q(participants__outcome="", minutes__isnull=False, participants__entered_at__lt=over)
    ended = ~Q(participants__outcome__in=["", PartOutcome.COMPLETE])
    seen = Q(participants__isnull=False)
    rows = Panel.objects.filter(campaign=campaign_id).annotate(
        entered=Count("participants"),
        complete=Count("participants", filter=Q(participants__outcome=PartOutcome.COMPLETE)),
        left=Count("participants", filter=seen & (ended | late)),
    )
    rows = rows.annotate(under_way=F("entered") - F("complete") - F("left"))
    return rows.order_by("-pk")


# What a panel gives to the platform: its addresses, and the payment list as a file.


def address(request: Request | HttpRequest, panel: Panel, name: str) -> str:
    """Return the full address of one of the panel's pages."""
    return full_address(request, reverse(name, args=[panel.token]))


class Echo:
    """A file that returns what is written."""

    def write(self, text: str) -> str:
        return text


def payments_file(panel: Panel) -> StreamingHttpResponse:
    """Return the payment list as CSV; cells that a spreadsheet would compute are escaped."""
    writer: Any = csv.writer(Echo())

    def rows() -> Iterator[str]:
        yield writer.writerow(COLUMNS)
        for row in payment_rows(panel=panel):
            yield writer.writerow([escape(cell) for cell in row])

    answer = StreamingHttpResponse(rows(), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="payments-{panel.key}.csv"'
    return answer
