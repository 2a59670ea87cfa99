"""The administrators' overview of all campaigns: results, and what needs attention."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Exists, Func, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET

from annotation.campaigns.overview import Courses, Need, day_told
from annotation.campaigns.queries import campaigns_with_progress
from annotation.errors import NotFound
from annotation.http.charts import interval, number
from annotation.models import Campaign, Slot, Substitution
from annotation.sheets.progress import WorkCourse
from paraanno import clock
from paraanno.backups.make import backup_state
from paraanno.template_filters import minus
from scoring.models import Run, TrendPoint
from scoring.reports.compute import trends_of
from scoring.runs.queries import MetricsState, metrics_in
from scoring.stats.agreement.influence import TENTATIVE

# The administrators' overview of all campaigns, in a constant number of queries.


DAYS = 28
QUIET_FOR = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class TrendNumber:
    """A coefficient of the newest report, and its values in the reports of earlier days."""

    scale: str
    value: float | None
    low: float | None
    high: float | None
    name: str
    day: date
    course: tuple[float, ...]

    @property
    def too_low(self) -> bool:
        """Whether its interval is below the alpha needed for tentative conclusions
        (Krippendorff)."""
        return self.high is not None and self.high < TENTATIVE


@dataclass(frozen=True, slots=True)
class Row:
    """One campaign. `per_day` counts the sheets submitted on each of the last 28 days, today
    last."""

    campaign: Campaign
    alphas: tuple[TrendNumber, ...] = ()
    best: tuple[TrendNumber, ...] = ()
    per_day: tuple[int, ...] = ()
    last_run: Run | None = None
    outdated: tuple[Run, ...] = ()
    quiet_since: datetime | None = None

    @property
    def low_alphas(self) -> list[TrendNumber]:
        return [one for one in self.alphas if one.too_low]


class _DaysAgo(Func):
    """How many days ago a time was, by the beginnings of the days, today's first. Written out: as
    many `When` take the ORM longer than the counting."""

    output_field = IntegerField()

    def __init__(self, at: Any, begins: Sequence[datetime]) -> None:
        super().__init__(at)
        self.begins = begins

    def as_sql(self, compiler: Any, connection: Any, *_: Any, **context: Any) -> Any:
        at, values = compiler.compile(self.source_expressions[0])
        cases = " ".join(f"WHEN {at} >= %s THEN {ago}" for ago in range(len(self.begins)))
        begins = map(clock.stored_time, self.begins)
        mixed = [value for begin in begins for value in (*values, begin)]
        return f"CASE {cases} END", mixed


@dataclass(slots=True)
class _QueryResults:
    """The results of the queries, by campaign."""

    trend: dict[tuple[int, str], list[TrendPoint]] = field(
        default_factory=lambda: defaultdict(list)
    )
    days: dict[int, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    runs: dict[int, list[Run]] = field(default_factory=lambda: defaultdict(list))
    newest_text: dict[int, int] = field(default_factory=dict)
    quiet: dict[int, datetime] = field(default_factory=dict)


def overview_rows(campaigns: Iterable[Campaign]) -> list[Row]:
    """A row for each campaign, in order; five queries for any number of them.

    A metric run is outdated if outputs were added after it. A campaign is quiet if it is open, has
    free slots, and no slot was claimed or submitted for seven days.
    """
    shown = list(campaigns)
    data = _find([one.pk for one in shown])
    return [_row(one, data) for one in shown]


def _find(pks: list[int]) -> _QueryResults:
    data, now = _QueryResults(), clock.now()
    for point in TrendPoint.objects.filter(campaign__in=pks).order_by("day"):
        data.trend[point.campaign_id, point.kind].append(point)
    for pk, ago, n in _by_day(pks, now):
        data.days[pk][ago] = n
    finished = Run.objects.filter(campaign__in=pks).defer("state", "signature").order_by("pk")
    for run in finished:
        data.runs[run.campaign_id].append(run)
    texts = Substitution.objects.filter(campaign=OuterRef("pk"), role=Substitution.Role.OUTPUT)
    newest = Campaign.objects.filter(pk__in=list(data.runs)).annotate(
        newest=_first(texts.order_by("-pk"), "pk")
    )
    data.newest_text = {
        pk: text for pk, text in newest.values_list("pk", "newest") if text is not None
    }
    data.quiet = dict(_quiet(pks, now))
    return data


def _by_day(pks: list[int], now: datetime) -> QuerySet[Slot, Any]:
    """Campaign, how many days ago, and how many sheets were submitted on that day.

    Days are told apart by their beginnings: SQLite has no time zones, and would call Python for
    the day of every place.
    """
    today = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    # As a wall clock: a day that is put forward or back has 23 or 25 hours.
    begins = [today - timedelta(days=ago) for ago in range(DAYS)]
    done = Slot.objects.filter(
        campaign__in=pks, state=Slot.State.DONE, done_at__gte=begins[-1]
    ).order_by()
    return (
        done.annotate(ago=_DaysAgo("done_at", begins))
        .values_list("campaign", "ago")
        .annotate(n=Count("*"))
    )


def _quiet(pks: list[int], now: datetime) -> Iterator[tuple[int, datetime]]:
    """Campaigns with free slots and no activity for a week, with the time of the last activity.

    The newest place done is the end of an index; places claimed now, and void ones, are few.
    """
    slots = Slot.objects.filter(campaign=OuterRef("pk"))
    others = slots.filter(state__in=[Slot.State.CLAIMED, Slot.State.VOID]).annotate(
        at=Coalesce("done_at", "claimed_at")
    )
    rows = (
        Campaign.objects.filter(pk__in=pks, status=Campaign.Status.OPEN)
        .filter(Exists(slots.filter(state__in=[Slot.State.FREE, Slot.State.CLAIMED])))
        .annotate(
            done=_first(slots.filter(state=Slot.State.DONE).order_by("-done_at"), "done_at"),
            other=_first(others.filter(at__isnull=False).order_by("-at"), "at"),
        )
    )
    before = now - QUIET_FOR
    for pk, *times in rows.order_by().values_list("pk", "opened_at", "done", "other"):
        last = max((at for at in times if at is not None), default=None)
        if last is not None and last < before:
            yield pk, last


def _first(rows: QuerySet[Any, Any], name: str) -> Subquery:
    return Subquery(rows.values(name)[:1])


def _row(campaign: Campaign, data: _QueryResults) -> Row:
    pk = campaign.pk
    newest: dict[str, Run] = {
        run.options_hash: run for run in data.runs[pk] if run.status == Run.Status.DONE
    }
    return Row(
        campaign=campaign,
        alphas=_numbers(data.trend[pk, "agreement"]),
        best=_numbers(data.trend[pk, "correlation"]),
        per_day=tuple(data.days[pk].get(ago, 0) for ago in reversed(range(DAYS))),
        last_run=data.runs[pk][-1] if data.runs[pk] else None,
        outdated=tuple(
            run for run in newest.values() if run.last_substitution < data.newest_text.get(pk, 0)
        ),
        quiet_since=data.quiet.get(pk),
    )


def _numbers(points: list[TrendPoint]) -> tuple[TrendNumber, ...]:
    if not points:
        return ()
    last = points[-1]
    numbers = []
    for scale, (value, low, high, name) in last.numbers.items():
        values = (point.numbers.get(scale, [None])[0] for point in points)
        course = tuple(one for one in values if one is not None)
        numbers.append(TrendNumber(scale, value, low, high, name, last.day, course))
    return tuple(numbers)


PER_PAGE = 50


@require_GET
def overview(request: HttpRequest) -> HttpResponse:
    """Progress, agreement, the best metric, their trends, and alerts of every campaign."""
    if not request.user.is_superuser:
        raise NotFound(_("There is no such page."))
    campaigns = campaigns_with_progress(user=request.user).order_by("name", "pk")
    page = Paginator(campaigns, PER_PAGE).get_page(request.GET.get("page"))
    rows = overview_rows(page.object_list)
    return render(
        request,
        "scoring/overview.html",
        {
            "page": page,
            "rows": [_shown(row) for row in rows],
            "needy": [row for row in rows if row.low_alphas or row.outdated or row.quiet_since],
            "least": TENTATIVE,
            "backup": backup_state(),
        },
    )


def _shown(row: Row) -> dict[str, object]:
    return {
        "row": row,
        "campaign": row.campaign,
        "sheets": sum(row.per_day),
        "alphas": [_drawn(one) for one in row.alphas],
        "best": [_drawn(one) for one in row.best],
    }


def _drawn(number: TrendNumber) -> dict[str, object]:
    return {
        "number": number,
        "course": minus(", ".join(f"{value:.2f}" for value in number.course)),
    }


# What needs attention in the analysis: low or falling agreement, metrics without scores.


FALL = 0.05  # Less than that is noise of any interval that a campaign has.
WITHIN = timedelta(days=7)


def analysis_needs(courses: Courses) -> Iterator[tuple[Campaign, Need]]:
    """Three queries."""
    trends = trends_of(campaigns=courses, kind="agreement")
    states = metrics_in(campaigns=courses)
    for campaign, course in courses.items():
        for need in _analysis(course, trends[campaign.pk], states[campaign.pk]):
            yield campaign, need


def _analysis(
    course: WorkCourse, points: Sequence[TrendPoint], metrics: MetricsState
) -> Iterator[Need]:
    yield from _agreement(points)
    failed = metrics.failed
    if failed:
        yield Need(
            "soon",
            ngettext("%(n)s metric run failed", "%(n)s metric runs failed", failed) % {"n": failed},
            _("the run says why"),
            "runs",
            _("See"),
        )
    runs, later = metrics.runs, metrics.later
    if later:
        yield Need(
            "later",
            ngettext("%(n)s new text has no scores", "%(n)s new texts have no scores", later)
            % {"n": later},
            ngettext("%(n)s metric is to be updated", "%(n)s metrics are to be updated", runs)
            % {"n": runs},
            "runs",
            _("Run"),
            "research",
        )
    elif not runs and not failed and course.done:
        yield Need(
            "later",
            _("No metric was run"),
            _("scores need no judgments"),
            "runs",
            _("Run"),
            "research",
        )


def _agreement(points: Sequence[TrendPoint]) -> Iterator[Need]:
    """What its interval supports: from few phrases there is none."""
    if not points:
        return
    newest = points[-1]
    for scale, (value, low, high, _name) in newest.numbers.items():
        if value is None or high is None:
            continue
        ends = interval(low, high, bounded=True)
        before = [
            (point.numbers[scale][0], point.day)
            for point in points[:-1]
            if newest.day - point.day <= WITHIN and scale in point.numbers
        ]
        earlier = [(one, day) for one, day in before if one is not None]
        if earlier and max(earlier)[0] - value >= FALL and high < max(earlier)[0]:
            best, day = max(earlier)
            yield Need(
                "soon",
                _("Agreement on %(scale)s fell by %(fall)s since %(day)s")
                % {
                    "scale": scale,
                    "fall": number(best - value, bounded=True),
                    "day": day_told(day),
                },
                _("now %(value)s %(ends)s") % {"value": number(value, bounded=True), "ends": ends},
                "agreement",
                _("Look"),
            )
        elif high < TENTATIVE:
            yield Need(
                "soon",
                _("Agreement on %(scale)s is low") % {"scale": scale},
                _("%(value)s %(ends)s; .667 is the minimum for tentative conclusions")
                % {"value": number(value, bounded=True), "ends": ends},
                "agreement",
                _("Look"),
            )
