"""Progress of a campaign and of its annotators; each count is one query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

from django.core.cache import cache
from django.db.models import CharField, Count, Exists, Func, Max, OuterRef, Q, QuerySet, Subquery

from annotation.database import RowCount
from annotation.models import (
    Annotator,
    BoardFigures,
    Campaign,
    Exclusion,
    ImportBatch,
    Judgment,
    QualityPlan,
    Sheet,
    SheetEntry,
    Skip,
    Slot,
    Substitution,
    Withdrawal,
)
from annotation.sheets import sql, tally
from paraanno import clock
from paraanno.common.forecast import MOST_DAYS, Forecast, forecast

FREE, CLAIMED, DONE = Slot.State.FREE, Slot.State.CLAIMED, Slot.State.DONE
FEW = 3000  # sheets; the repeats of more are counted by their share
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
DAY_SECONDS = 86_400
MANY_LEFT = 200  # sheets left, of which more are not counted again at once
VERY_MANY = 20_000  # places, of which the sheets are not counted again at once
COUNT_HOLDS = 60  # seconds


@dataclass(frozen=True, slots=True)
class CampaignProgress:
    """Slots by state and sheets by completeness; void slots do not count.

    Sheets are those on which texts of systems are judged by whoever comes: not hidden repeats, not
    shared sheets, and none with texts for quality control alone.
    """

    slots: int
    done: int
    claimed: int
    sheets: int
    sheets_complete: int

    @property
    def share(self) -> float:
        """The share of slots that are done, from 0 to 1."""
        return self.done / self.slots if self.slots else 0.0


def campaign_progress(*, campaign: Campaign) -> CampaignProgress:
    """Return the progress; two queries."""
    states = slots_by_state(campaign=campaign)
    done, places = states[DONE], sum(states[one] for one in STATES)
    sheets = sheets_progress(campaign=campaign, done=done, places=places)
    return CampaignProgress(
        slots=places,
        done=done,
        claimed=states[CLAIMED],
        sheets=sheets.all,
        sheets_complete=sheets.complete,
    )


@dataclass(frozen=True, slots=True)
class SheetsProgress:
    """The sheets that `CampaignProgress` counts."""

    all: int
    complete: int


def sheets_progress(*, campaign: Campaign, done: int, places: int) -> SheetsProgress:
    """Return the numbers of sheets; one query. Where there are very many places, what was counted
    holds for a minute."""
    if places < VERY_MANY:
        return _sheets_progress(campaign, done, places)
    key = f"sheets-progress:{campaign.pk}"
    counted: SheetsProgress | None = cache.get(key)
    if counted is None:
        counted = _sheets_progress(campaign, done, places)
        cache.set(key, counted, COUNT_HOLDS)
    return counted


def _sheets_progress(campaign: Campaign, done: int, places: int) -> SheetsProgress:
    """It looks up places of every sheet, but where few of the places are done, of their sheets
    alone; `done` and `places` decide about that only."""
    sheets = Sheet.objects.filter(campaign=campaign, shared=False, for_annotator=None).order_by()
    slots = Slot.objects.filter(sheet=OuterRef("pk"))
    complete = sheets.filter(~Exists(slots.filter(state__in=[FREE, CLAIMED])))
    if 4 * done < places:
        begun = Slot.objects.filter(campaign=campaign, state=DONE).order_by()
        complete = complete.filter(pk__in=begun.values("sheet"))
    else:
        complete = complete.filter(Exists(slots.filter(state=DONE)))
    # Texts of quality control are few: it is them that are looked up, not those of every sheet.
    entries = SheetEntry.objects.order_by()
    output = entries.filter(sheet=OuterRef("sheet"), substitution__role=Substitution.Role.OUTPUT)
    checks = entries.filter(
        ~Exists(output),
        substitution__campaign=campaign,
        substitution__role__in=Substitution.CHECKS,
    )
    apart = {"pk__in": checks.values("sheet")}
    numbers = {
        "n_all": RowCount(sheets),
        "n_all_apart": RowCount(sheets.filter(**apart)),
        "n_complete": RowCount(complete),
        "n_complete_apart": RowCount(complete.filter(**apart)),
    }
    row = Campaign.objects.annotate(**numbers).values(*numbers).get(pk=campaign.pk)
    return SheetsProgress(
        all=row["n_all"] - row["n_all_apart"],
        complete=row["n_complete"] - row["n_complete_apart"],
    )


@dataclass(frozen=True, slots=True)
class OwnProgress:
    """What an annotator has done and has left, in sheets; `texts` are those on sheets done."""

    done: int
    open: int
    left: int
    texts: int

    @property
    def total(self) -> int:
        return self.done + self.open + self.left


def own_progress(*, campaign: Campaign, annotator: Annotator | None) -> OwnProgress:
    """Count sheets done, sheets open, and sheets with a slot that this annotator could still take.

    `annotator` is None for a user who has not started. Seven queries, or eight with repeats;
    where many sheets are left, three for most of a minute.
    """
    return own_progresses(annotators={campaign.pk: annotator})[campaign.pk]


def own_progresses(*, annotators: Mapping[int, Annotator | None]) -> dict[int, OwnProgress]:
    """The same for one annotator in each of several campaigns, by campaign, in as many queries.

    Hidden repeats count like any other sheet, and those that are still to be made count already:
    every submitted sheet is one sheet less, so that nothing reveals which ones come again.
    """
    people = _people(annotators)
    slots, _judgments = tally.by_annotator(people)
    texts_done = _texts_done({one.pk: slots[one.pk, DONE] for one in people})
    had = dict.fromkeys(annotators, (0, 0, 0))
    for pk, annotator in annotators.items():
        if annotator is not None:
            own = annotator.pk
            had[pk] = (slots[own, DONE], slots[own, CLAIMED], texts_done[own])
    left = _cached_left(annotators, {pk: done + claimed for pk, (done, claimed, _) in had.items()})
    most = sql.at_most_of(people)
    progresses = {}
    for pk, annotator in annotators.items():
        done, claimed, texts = had[pk]
        bound = None if annotator is None else most[annotator.pk]
        bounded = left[pk] if bound is None else min(left[pk], max(0, bound - done - claimed))
        progresses[pk] = OwnProgress(done, claimed, bounded, texts)
    return progresses


def _people(annotators: Mapping[int, Annotator | None]) -> list[Annotator]:
    return [one for one in annotators.values() if one is not None]


def _texts_done(done: Mapping[int, int]) -> dict[int, int]:
    """The numbers of texts on the sheets that annotators have done, who have done so many sheets;
    one query. What was counted a day ago at most holds, and only what was done since is added."""
    keys = {pk: f"texts-done:{pk}" for pk in done}
    cached: dict[str, tuple[int, int, datetime]] = cache.get_many(keys.values())
    before = {pk: cached.get(key, (0, 0, LONG_AGO)) for pk, key in keys.items()}
    texts = {**before, **_add_texts([pk for pk in done if before[pk][0] != done[pk]], before)}
    if wrong := {pk: (0, 0, LONG_AGO) for pk in done if texts[pk][0] != done[pk]}:
        # Handed in at the same moment as what was counted, or taken back since.
        texts |= _add_texts(wrong, wrong)
    cache.set_many({keys[pk]: texts[pk] for pk in done if texts[pk] != before[pk]}, DAY_SECONDS)
    return {pk: texts[pk][1] for pk in done}


def _add_texts(
    people: Collection[int], before: Mapping[int, tuple[int, int, datetime]]
) -> dict[int, tuple[int, int, datetime]]:
    """Sheets, texts and the time of the newest, of before and of what was done after that time."""
    if not people:
        return {}
    wanted = Q(pk__in=[])
    for pk in people:
        wanted |= Q(annotator=pk, done_at__gt=before[pk][2])
    rows = (
        Slot.objects.filter(wanted, state=DONE)
        .order_by()
        .values_list("annotator")
        .annotate(Count("pk", distinct=True), Count("sheet__entries"), Max("done_at"))
    )
    new = {pk: before[pk] for pk in people}
    for pk, sheets, texts, newest in rows:
        new[pk] = (before[pk][0] + sheets, before[pk][1] + texts, newest)
    return new


def _cached_left(
    annotators: Mapping[int, Annotator | None], had: Mapping[int, int]
) -> dict[int, int]:
    """How many sheets are left in each campaign for an annotator who had so many.

    Browsers ask after every sheet, and counting reads all free slots of the campaign. So where many
    are left, what was counted holds for a minute, less what the annotator has had since.
    """
    keys = {
        pk: f"sheets-left:{pk}:{annotator.pk if annotator else ''}"
        for pk, annotator in annotators.items()
    }
    cached: dict[str, tuple[int, int]] = cache.get_many(keys.values())
    left = {}
    for pk, key in keys.items():
        if key in cached:
            counted, then = cached[key]
            left[pk] = max(MANY_LEFT, counted - (had[pk] - then))
    others = {pk: one for pk, one in annotators.items() if pk not in left}
    for pk, n in (_left(others) if others else {}).items():
        left[pk] = n
        if n > MANY_LEFT:
            cache.set(keys[pk], (n, had[pk]), COUNT_HOLDS)
    return left


def _left(annotators: Mapping[int, Annotator | None]) -> dict[int, int]:
    people = _people(annotators)
    own_slots = Slot.objects.filter(annotator__in=people)
    skipped = Skip.objects.filter(annotator__in=people)
    general = (
        _free(annotators)
        .exclude(Q(sheet__in=own_slots.values("sheet")) | Q(sheet__in=skipped.values("sheet")))
        .order_by()
    )
    waiting = (
        Sheet.objects.filter(campaign__in=annotators)
        .filter(Q(shared=True) | Q(for_annotator__in=people))
        .exclude(pk__in=own_slots.values("sheet"))
        .order_by()
    )
    left: Counter[int] = Counter(dict.fromkeys(annotators, 0))
    left.update(_by_campaign(general, Count("sheet", distinct=True)))
    left.update(_by_campaign(waiting, Count("*")))
    if people:
        claimed = own_slots.filter(state=CLAIMED, sheet__for_annotator=None)
        made = Sheet.objects.filter(for_annotator__in=people)
        coming = Sheet.objects.filter(
            Q(pk__in=general.values("sheet"))
            | Q(pk__in=claimed.values("sheet"))
            | Q(pk__in=waiting.filter(for_annotator=None))
        ).exclude(item__in=made.values("item"))
        left.update(_repeats(annotators, coming))
    return left


def _by_campaign(rows: QuerySet[Any, Any], count: Count) -> dict[int, int]:
    return dict(rows.values_list("campaign_id").annotate(n=count))


def _free(annotators: Mapping[int, Annotator | None]) -> QuerySet[Slot]:
    """The free slots of the campaigns; where there are lists, those of the annotator's list."""
    listed = sql.campaigns_with_lists(annotators)
    free = Slot.objects.filter(campaign__in=annotators.keys() - listed, state=FREE)
    if not listed:
        return free
    lists = sql.lists_of({pk: annotators[pk] for pk in listed})
    on_lists = Sheet.objects.filter(
        for_annotator=None, item__list_entries__work_list__in=lists
    ).order_by()
    return free | Slot.objects.filter(sheet__in=on_lists.values("pk"), state=FREE)


def _repeats(annotators: Mapping[int, Annotator | None], coming: QuerySet[Sheet]) -> Counter[int]:
    """How many of the sheets to come will come again."""
    plans = QualityPlan.objects.filter(campaign__in=annotators, repeat_share__gt=0)
    shares = dict(plans.values_list("campaign_id", "repeat_share"))
    repeats: Counter[int] = Counter()
    if not shares:
        return repeats
    rows = coming.filter(campaign__in=shares).order_by()
    sheets = list(rows.values_list("campaign_id", "key")[: FEW + 1])
    if len(sheets) > FEW:
        for pk, n in _by_campaign(rows, Count("*")).items():
            repeats[pk] = round(shares[pk] * n)
        return repeats
    for pk, key in sheets:
        annotator = annotators[pk]
        if annotator is not None:
            repeats[pk] += repeat_drawn(annotator, key).random() < shares[pk]
    return repeats


def repeat_drawn(annotator: Annotator, sheet: UUID) -> Random:
    """Return the numbers that decide about the repeat of a sheet, the same ones at every call."""
    return Random(f"repeat:{annotator.seed}:{sheet}")  # noqa: S311 repeatable by intent


def with_progress(annotators: Iterable[Annotator]) -> list[Any]:
    """Return the annotators with their work; two queries for all of them.

    sheets_done, judgments_counted       what counts
    sheets_submitted, judgments_given    what was done, also if it was excluded since or came too
                                         late to count: it is to be paid for
    last_at                              time of the newest judgment given

    """
    people: dict[int, Any] = {one.pk: one for one in annotators}
    slots, judgments = tally.by_annotator(people.values())
    counted, surplus = Judgment.Status.COUNTED, Judgment.Status.SURPLUS
    given = Judgment.objects.filter(annotator=OuterRef("pk"), status__in=[counted, surplus])
    newest = given.order_by("-recorded_at").values("recorded_at")[:1]
    last = Annotator.objects.filter(pk__in=people).values_list("pk", Subquery(newest))
    for pk, at in last:
        one = people[pk]
        one.sheets_done = slots[pk, DONE]
        one.sheets_submitted = slots[pk, DONE] + slots[pk, tally.UNDONE]
        one.judgments_counted = judgments[pk, counted]
        one.judgments_given = judgments[pk, counted] + judgments[pk, surplus]
        one.last_at = at
    return list(people.values())


# How the work of a campaign went on: places done, hour by hour.


STATES = [Slot.State.FREE, Slot.State.CLAIMED, Slot.State.DONE]
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


class _UtcHour(Func):
    """The hour of a time in UTC: a time on PostgreSQL, a text on SQLite, where `TruncHour` calls
    Python for every row."""

    output_field = CharField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, template="substr(%(expressions)s, 1, 13)")

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(
            compiler,
            connection,
            template="date_trunc('hour', %(expressions)s, 'UTC')",
        )


@dataclass(frozen=True, slots=True)
class WorkCourse:
    """Places of a campaign now, and when they were done.

    places, done   void places do not count
    hours          the start of each hour in which some were done, and how many: oldest first
    imported       judgments that came by files and from pilots; they take a place only if asked to
    per_sheet      how many annotators judge each sheet
    missing        how many more of them are needed at least: those who joined cannot do the rest
    """

    now: datetime
    places: int
    done: int
    hours: tuple[tuple[datetime, int], ...]
    imported: int = 0
    per_sheet: int = 0
    missing: int = 0

    @property
    def left(self) -> int:
        return self.places - self.done

    @property
    def newest(self) -> datetime | None:
        """The end of the newest hour with work, at most now."""
        return min(self.now, self.hours[-1][0] + HOUR) if self.hours else None

    def last_days(self) -> list[int]:
        """Places done in each of the last days of 24 hours, the newest last: as many whole days as
        there are since the first place, at most 14."""
        if not self.hours:
            return []
        whole = min(MOST_DAYS, (self.now - self.hours[0][0]) // DAY)
        days = [0] * whole
        for hour, n in self.hours:
            # An hour counts where its middle is.
            ago = (self.now - hour - HOUR / 2) // DAY
            if 0 <= ago < whole:
                days[whole - 1 - ago] += n
        return days

    def forecast(self) -> Forecast | None:
        """When the places that are left will be done."""
        return forecast(self.last_days(), self.left)


def work_course(*, campaign: Campaign) -> WorkCourse:
    """Return the course; two queries that read the places once each, one of the imports, one of
    the annotators."""
    return work_courses(campaigns=[campaign])[campaign]


def work_courses(*, campaigns: Collection[Campaign]) -> dict[Campaign, WorkCourse]:
    """Return the course of each campaign; four queries for any number of them."""
    now, states = clock.now(), tally.slots_by_state(campaigns)
    hours, imported, joined = _hours(campaigns), _imported(campaigns), _joined(campaigns)
    courses = {}
    for one in campaigns:
        places = sum(states[one.pk][state] for state in STATES)
        done, wanted = states[one.pk][Slot.State.DONE], one.annotators_per_sheet
        # Before anybody came, and where all is done, nobody is missing.
        begun = 0 < done < places
        courses[one] = WorkCourse(
            now=now,
            places=places,
            done=done,
            hours=tuple(hours[one.pk]),
            imported=imported[one.pk],
            per_sheet=wanted,
            missing=max(0, wanted - joined[one.pk]) if begun else 0,
        )
    return courses


def _joined(campaigns: Collection[Campaign]) -> Counter[int]:
    """How many annotators have done sheets of each campaign or may still; one query."""
    out = Exclusion.objects.filter(annotator=OuterRef("pk"), ends_at=None)
    left = Withdrawal.objects.filter(annotator=OuterRef("pk"), ended_at=None)
    did = Slot.objects.filter(annotator=OuterRef("pk"), state=DONE)
    people = Annotator.objects.filter(~Exists(out) & ~Exists(left) | Exists(did))
    rows = people.filter(campaign__in=campaigns).order_by()
    return Counter(dict(rows.values_list("campaign_id").annotate(n=Count("*"))))


def _imported(campaigns: Collection[Campaign]) -> Counter[int]:
    """How many judgments came by files and from pilots, as the records of these say; one query."""
    rows = ImportBatch.objects.filter(campaign__in=campaigns, what=ImportBatch.What.JUDGMENTS)
    judgments: Counter[int] = Counter()
    for pk, counts in rows.values_list("campaign_id", "counts"):
        judgments[pk] += counts.get("judgments", 0)
    return judgments


def slots_by_state(*, campaign: Campaign) -> dict[str, int]:
    """How many slots the campaign has in each state; one query."""
    return tally.slots_by_state([campaign])[campaign.pk]


def done_by_hour(
    *, campaign: Campaign, since: datetime | None = None
) -> list[tuple[datetime, int]]:
    """The start of each hour (UTC) in which places were done, and how many, oldest first; one
    query. `since`: only what was done then or later, which reads no more than that."""
    return _hours([campaign], since)[campaign.pk]


def _hours(
    campaigns: Collection[Campaign], since: datetime | None = None
) -> dict[int, list[tuple[datetime, int]]]:
    done = Slot.objects.filter(campaign__in=campaigns, state=Slot.State.DONE, done_at__isnull=False)
    if since is not None:
        done = done.filter(done_at__gte=since)
    rows = (
        done.order_by()
        .annotate(hour=_UtcHour("done_at"))
        .values_list("campaign_id", "hour")
        .annotate(n=Count("*"))
        .order_by("hour")
    )
    hours_of: dict[int, list[tuple[datetime, int]]] = {one.pk: [] for one in campaigns}
    for pk, hour, n in rows:
        hours_of[pk].append((_time(hour), n))
    return hours_of


def _time(hour: str | datetime) -> datetime:
    if isinstance(hour, datetime):
        return hour
    return datetime.strptime(hour, "%Y-%m-%d %H").replace(tzinfo=UTC)


def figures_of(*, campaign: Campaign) -> BoardFigures | None:
    """Return what was computed last; None before the first time."""
    return BoardFigures.objects.filter(campaign=campaign, made_at__isnull=False).first()
