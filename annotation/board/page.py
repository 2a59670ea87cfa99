"""The board as it is shown: rows, drawings and sentences made of what was read.

The views of two equal states are equal, so that a poll can be answered with "nothing changed".
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from annotation.access import Rights
from annotation.board.alarms import ShownAlarm, alarm_shown
from annotation.board.queries import BoardNow
from annotation.campaigns.overview import SIGNS, day_told, missing_told
from annotation.http.charts import ChartAxis, DotChart, DotRow, axis_for, number
from annotation.models import Annotator, BoardAlarm, BoardFigures, Campaign
from annotation.people.annotators import AT_WORK, WORKING, part_ended
from annotation.sheets.progress import DAY

# The people of a board: one row each, for the page and for programs.


SPARK = (104, 24)  # px


@dataclass(frozen=True, slots=True)
class PersonRow:
    """One annotator. Figures are None until they are computed; `name` is for researchers alone;
    `ended` is "complete" or "left" for people of a panel whose part is over."""

    code: str
    key: str
    name: str
    origin: str
    simulated: bool
    blind: bool
    out: str
    reason: str
    withdrawn: bool
    at_work: bool
    ago: str
    ended: str = ""
    places: int | None = None
    counted: int | None = None
    judgments: int | None = None
    judgments_counted: int | None = None
    per_hour: float | None = None
    seconds: float | None = None
    checks: int = 0
    failed: int = 0
    spark: str = ""
    agreement: DotRow | None = None
    n: int = 0


def person_row(
    one: Annotator, rights: Rights, now: datetime, figures: Any, agreed: Any
) -> PersonRow:
    last: datetime | None = one.last_at  # type: ignore[attr-defined]
    in_force = list(one.in_force)  # type: ignore[attr-defined]
    left = bool(one.left)  # type: ignore[attr-defined]
    own = [exclusion for exclusion in in_force if exclusion.kind == "withdrawal"]
    out = "" if not in_force else "withdrawal" if own else "exclusion"
    values: dict[str, Any] = {}
    if figures is not None:
        hours = figures["seconds"] / 3600
        values = {
            **{
                name: figures[name]
                for name in (
                    "places",
                    "counted",
                    "judgments",
                    "judgments_counted",
                    "checks",
                    "failed",
                )
            },
            "per_hour": figures["places"] / hours if hours and figures["texts"] else None,
            "seconds": figures["seconds"] / figures["texts"]
            if figures["texts"] and figures["seconds"]
            else None,
            "spark": _spark(figures["week"]),
        }
    if agreed is not None:
        value, low, high, n = agreed
        values |= {
            "agreement": DotRow(one.code, value, low, high, hollow=bool(out), bounded=True),
            "n": n,
        }
    return PersonRow(
        code=one.code,
        key=str(one.key),
        name=_login(one) if rights.research else "",
        origin=str(one.get_origin_display()),
        simulated=one.origin == Annotator.Origin.SIMULATED,
        blind=one.not_blind_since is None,
        out=out,
        reason=str(in_force[0].sentence) if in_force else "",
        withdrawn=left,
        at_work=is_at_work(one, now),
        ago=ago_told(now - last) if last is not None else "",
        ended=part_ended(one, now),
        **values,
    )


def person_json(
    one: Annotator, rights: Rights, now: datetime, numbers: dict[str, Any]
) -> dict[str, Any]:
    """One annotator for programs, by the stored `numbers`."""
    last: datetime | None = one.last_at  # type: ignore[attr-defined]
    pk = str(one.pk)
    agreed = {
        scale: dict(
            zip(("value", "ci_low", "ci_high", "n"), agreement["people"][pk], strict=True),
            statistic=agreement["statistic"],
        )
        for scale, agreement in numbers.get("agreement", {}).items()
        if pk in agreement["people"]
    }
    return {
        "code": one.code,
        "key": one.key,
        "name": _login(one) if rights.research else "",
        "last_save": last,
        "at_work": is_at_work(one, now),
        "ended": part_ended(one, now),
        "excluded": bool(one.in_force),  # type: ignore[attr-defined]
        "figures": numbers.get("people", {}).get(pk),
        "agreement": agreed,
    }


def is_at_work(one: Annotator, now: datetime) -> bool:
    """Whether somebody, and no import, saved within AT_WORK."""
    last: datetime | None = one.last_at  # type: ignore[attr-defined]
    at_work = one.origin in WORKING and last is not None and now - last <= AT_WORK
    return at_work and not part_ended(one, now)


def name_told(one: Annotator, rights: Rights) -> str:
    name = _login(one) if rights.research else ""
    return f"{one.code} ({name})" if name else one.code


def _login(one: Annotator) -> str:
    """The login of somebody who was invited; people of a panel have made-up ones."""
    invited = one.origin == Annotator.Origin.INVITED and one.user is not None
    return one.user.get_username() if invited and one.user is not None else ""


def ago_told(ago: timedelta) -> str:
    """How long ago, in one unit."""
    minutes = max(0, int(ago / timedelta(minutes=1)))
    if minutes < 1:
        return _("now")
    if minutes < 60:
        return ngettext("%(n)s min ago", "%(n)s min ago", minutes) % {"n": minutes}
    hours = minutes // 60
    if hours < 48:
        return ngettext("%(n)s hour ago", "%(n)s hours ago", hours) % {"n": hours}
    return ngettext("%(n)s day ago", "%(n)s days ago", hours // 24) % {"n": hours // 24}


def _spark(values: Sequence[int]) -> str:
    """A path of SPARK px from 0 to the person's busiest day; empty without work."""
    width, height = SPARK
    most = max(values, default=0)
    if not most:
        return ""
    step = (width - 2) / (len(values) - 1)
    at = [
        f"{1 + step * place:.1f} {height - 1 - (height - 2) * n / most:.1f}"
        for place, n in enumerate(values)
    ]
    return "M" + "L".join(at)


MOST_DISPUTED = 5  # texts
MOST_NAMED = 8  # of those at work; the others are counted


@dataclass(frozen=True, slots=True)
class HourBar:
    """Places done in an hour, in per cent of the drawing, and those of the same hour a week ago."""

    x: str
    height: str
    top: str
    before_height: str
    before_top: str


@dataclass(frozen=True, slots=True)
class HoursChart:
    """The last 24 hours."""

    bars: tuple[HourBar, ...]
    hours: tuple[tuple[str, str, str], ...]
    ticks: tuple[tuple[str, str], ...]
    summary: str


@dataclass(frozen=True, slots=True)
class DisputedText:
    """A text with the values it was given, the least first."""

    phrase: str
    text: str
    url: str
    values: str
    dots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LiveBoardView:
    """Everything that a poll shows."""

    live: bool
    places: int
    done: int
    claimed: int
    free: int
    share: str
    today: int
    today_pace: str
    last_day: int
    last_day_pace: str
    end: tuple[str, str]
    working: tuple[tuple[str, str], ...]
    working_more: int
    hours: HoursChart
    texts: dict[str, int] | None
    computed: str
    alarms: tuple[ShownAlarm, ...]
    people: tuple[PersonRow, ...]
    chart: DotChart
    scales: tuple[str, ...]
    scale: str
    statistic: str
    disputed: tuple[DisputedText, ...]

    @property
    def done_until(self) -> str:
        """Where the bar of what is done ends."""
        return f"{100 * self.done / max(1, self.places):.2f}%"

    @property
    def claimed_until(self) -> str:
        return f"{100 * (self.done + self.claimed) / max(1, self.places):.2f}%"

    @property
    def summary(self) -> str:
        """One line for screen readers; coarse, so that it does not speak at every poll."""
        n = len(self.working) + self.working_more
        sentences = [
            _("%(share)s of the assignments are done.") % {"share": self.share},
            ngettext("%(n)s person is working.", "%(n)s people are working.", n) % {"n": n},
        ]
        if self.alarms:
            sentences.append(
                ngettext("%(n)s alarm.", "%(n)s alarms.", len(self.alarms))
                % {"n": len(self.alarms)}
            )
        return " ".join(sentences)

    def tag(self, rights: Rights) -> str:
        """The ETag: it differs where anything that is shown does."""
        shown = repr((self, get_language(), rights.research, rights.archived))
        return f'"{hashlib.sha256(shown.encode()).hexdigest()[:32]}"'


def board_view(
    *,
    campaign: Campaign,
    rights: Rights,
    now: BoardNow,
    people: Sequence[Annotator],
    figures: BoardFigures | None,
    alarms: Sequence[BoardAlarm],
    scale: str = "",
) -> LiveBoardView:
    """Put the board together; `people` are those of one page, with what `board_annotators` adds."""
    numbers: dict[str, Any] = figures.numbers if figures is not None else {}
    agreed: dict[str, Any] = numbers.get("agreement", {})
    scales: list[str] = numbers.get("scales", list(agreed))
    scale = scale if scale in agreed else next(iter(scales), "")
    theirs = agreed.get(scale, {"statistic": "", "people": {}})
    rows = tuple(
        person_row(
            one,
            rights,
            now.minute,
            numbers.get("people", {}).get(str(one.pk)),
            theirs["people"].get(str(one.pk)),
        )
        for one in people
    )
    named = tuple(
        (name_told(one, rights), ago_told(now.minute - one.last_at))  # type: ignore[attr-defined]
        for one in now.working[:MOST_NAMED]
    )
    return LiveBoardView(
        live=campaign.status in (Campaign.Status.OPEN, Campaign.Status.PAUSED)
        and campaign.archived_at is None,
        places=now.places,
        done=now.done,
        claimed=now.claimed,
        free=now.free,
        share=f"{_percent(now.done, now.places)} %",
        today=now.today,
        today_pace=number(now.today / now.hours_today, 1),
        last_day=now.last_day,
        last_day_pace=number(now.last_day / 24, 1),
        end=_end(now, numbers),
        working=named,
        working_more=len(now.working) - len(named),
        hours=_hours(now, numbers.get("hours", {})),
        # Stored by PostgreSQL, keys have another order; the tag must not tell.
        texts=numbers.get("texts") and dict(sorted(numbers["texts"].items())),
        computed=_time(figures.made_at) if figures is not None and figures.made_at else "",
        alarms=tuple(
            sorted(map(alarm_shown, alarms), key=lambda one: list(SIGNS).index(one.need.urgency))
        ),
        people=rows,
        chart=DotChart.of([row.agreement for row in rows if row.agreement], refs=(0.0,), most=1.0),
        scales=tuple(scales),
        scale=scale,
        statistic=theirs["statistic"],
        disputed=_disputed(campaign, numbers.get("disagreement", {}).get(scale, [])),
    )


def _percent(part: int, of: int) -> int:
    """Whole per cent; 100 is everything."""
    return 100 * part // of if of else 0


def _time(at: datetime) -> str:
    return f"{timezone.localtime(at):%H:%M}"


def _hours(now: BoardNow, before: dict[str, int]) -> HoursChart:
    counts = [n for _at, n in now.hours]
    weeks = [before.get((at - 7 * DAY).isoformat(), 0) for at, _n in now.hours]
    y: ChartAxis = axis_for([0.0, float(max([*counts, *weeks, 4]))], least=0.0)
    width = 100 / len(counts)
    bars, names = [], []
    for place, ((at, n), week) in enumerate(zip(now.hours, weeks, strict=True)):
        bars.append(
            HourBar(
                f"{place * width:.2f}%",
                f"{y.share(n):.2f}%",
                f"{100 - y.share(n):.2f}%",
                f"{y.share(week):.2f}%",
                f"{100 - y.share(week):.2f}%",
            )
        )
        hour = timezone.localtime(at).hour
        if hour % 6 == 0 and 0 < place < len(counts) - 3:  # Then comes "now".
            names.append((f"{place * width:.2f}%", f"{hour}:00", "middle"))
    most = max(now.hours, key=lambda one: one[1])
    description = (
        _(
            "Assignments done in each of the last 24 hours; the most, %(n)s, in the hour from "
            "%(hour)s."
        )
        % {"n": most[1], "hour": f"{timezone.localtime(most[0]):%H:%M}"}
        if most[1]
        else _("No assignment was done in the last 24 hours.")
    )
    ticks = tuple(
        (f"{100 - y.share(one):.2f}%", f"{one:,.0f}") for one in y.ticks if one == int(one)
    )
    return HoursChart(tuple(bars), tuple(names), ticks, description)


def _end(now: BoardNow, numbers: dict[str, Any]) -> tuple[str, str]:
    forecast = numbers.get("end")
    if now.places and now.done == now.places:
        return "–", _("everything is done")
    missing, per_sheet = numbers.get("missing", (0, 0))
    if missing:
        return "–", missing_told(missing, per_sheet)
    if forecast is None:
        return "–", _("three days of judging are needed")
    start = timezone.localtime(datetime.fromisoformat(forecast["at"]))
    day = day_told(start + DAY * forecast["days"])
    early = day_told(start + DAY * forecast["early"])
    if forecast["late"] is None:
        return day, _("80 %%: from %(early)s, with no latest end") % {"early": early}
    late = day_told(start + DAY * forecast["late"])
    return day, _("80 %%: %(range)s") % {"range": early if early == late else f"{early} – {late}"}


def _disputed(campaign: Campaign, rows: list[dict[str, Any]]) -> tuple[DisputedText, ...]:
    rows = rows[:MOST_DISPUTED]
    if not rows:
        return ()
    values = [value for row in rows for value in row["values"]]
    axis = axis_for(values, least=min(values), most=max(values))
    return tuple(
        DisputedText(
            row["phrase"],
            row["text"],
            _item_url(campaign, row["item"]),
            ", ".join(number(value, 0 if value == int(value) else 2) for value in row["values"]),
            tuple(f"{4 + 0.92 * axis.share(value):.2f}%" for value in row["values"]),
        )
        for row in rows
    )


def _item_url(campaign: Campaign, key: str) -> str:
    """The item's page, which the app of scores has; "" on a site without it."""
    try:
        return reverse("item", args=[campaign.slug, key])
    except NoReverseMatch:
        return ""
