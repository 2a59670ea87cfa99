"""What the overview of a campaign is made of: cards and what needs attention. Each app registers
its own at startup."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from annotation.access import Rights
from annotation.http.charts import ChartAxis, anchor, axis_for, band_path, line_path, number
from annotation.models import Annotator, BoardFigures, Campaign
from annotation.sheets.progress import DAY, WorkCourse
from paraanno.common.forecast import Forecast

Urgency = Literal["now", "soon", "later"]
SIGNS: dict[Urgency, str] = {"now": "!", "soon": "▲", "later": "•"}
STEPS = 12  # Of the fan.
MOST_POINTS = 120
MOST_CODES = 3  # of those at work


@dataclass(frozen=True, slots=True)
class Need:
    """Something that waits for a person: one sentence, one fact, one verb that leads to a page."""

    urgency: Urgency
    sentence: str
    fact: str
    page: str  # The name of a URL with the campaign's slug and, where there is one, the key.
    verb: str
    right: str = "read"
    key: str = ""
    anchor: str = ""

    def address(self, campaign: Campaign) -> str:
        """Where what the sentence speaks of is shown."""
        keys = [self.key] if self.key else []
        return reverse(self.page, args=[campaign.slug, *keys]) + self.anchor

    @property
    def sign(self) -> str:
        return SIGNS[self.urgency]


@dataclass(frozen=True, slots=True)
class OverviewCard:
    """A picture that the overview fetches after it is shown.

    name    the name of the URL of its content
    page    the name of the URL of the page that its title leads to
    """

    name: str
    title: Promise
    page: str
    place: int


CARDS: list[OverviewCard] = []
Courses = Mapping[Campaign, WorkCourse]
# Each asks a constant number of queries for any number of campaigns.
NEEDS: list[Callable[[Courses], Iterable[tuple[Campaign, Need]]]] = []


def add_cards(*cards: OverviewCard) -> None:
    CARDS.extend(cards)
    CARDS.sort(key=lambda card: card.place)


def needs_of(*, courses: Courses, rights: Mapping[Campaign, Rights]) -> list[tuple[Campaign, Need]]:
    """What needs the attention of somebody with these rights, the most urgent first; few queries,
    however many campaigns."""
    if not courses:
        return []
    needs = [
        (campaign, need)
        for ask in NEEDS
        for campaign, need in ask(courses)
        if getattr(rights[campaign], need.right)
    ]
    return sorted(needs, key=lambda pair: list(SIGNS).index(pair[1].urgency))


@dataclass(frozen=True, slots=True)
class ProgressChart:
    """Places done over time, and the fan of the expected end, for a viewBox of 100 by 100.

    Texts have their place in per cent. `end` is None where no end is forecast.
    """

    x_ticks: list[tuple[str, str, str]]
    y_ticks: list[tuple[str, str]]
    goal: str
    done_line: str
    now_x: str
    now_y: str
    expected_line: str
    fan: str
    end_x: str | None
    end_anchor: str


def progress_chart(course: WorkCourse, forecast: Forecast | None) -> ProgressChart | None:
    """The chart; None before the first place is done."""
    if not course.hours:
        return None
    start, now = course.hours[0][0], (course.now - course.hours[0][0]) / DAY
    x, y = _axes(course, forecast, now)
    points, total = [(0.0, 0.0)], 0
    for hour, n in course.hours:
        total += n
        points.append((min(now, (hour - start) / DAY + 1 / 24), float(total)))
    # As many points as there are pixels for; the last one stays.
    thin = max(1, len(points) // MOST_POINTS)
    points = [*points[::thin], (now, float(course.done))]
    expected, fan, end, end_anchor = "", "", None, "middle"
    if forecast is not None:
        until = min(forecast.days, x.high - now)
        then = (now + until, course.done + forecast.per_day * until)
        expected = line_path([(now, float(course.done)), then], x, y)
        fan = _fan(course, forecast, now, x, y)
        if until == forecast.days:
            end, end_anchor = x.at(now + until), anchor(x.share(now + until))
    return ProgressChart(
        x_ticks=[(x.at(at), _day(start + DAY * at), anchor(x.share(at))) for at in x.ticks],
        y_ticks=[(_down(y, at), f"{at:,.0f}") for at in y.ticks],
        goal=_down(y, course.places),
        done_line=line_path(points, x, y),
        now_x=x.at(now),
        now_y=_down(y, course.done),
        expected_line=expected,
        fan=fan,
        end_x=end,
        end_anchor=end_anchor,
    )


def _axes(course: WorkCourse, forecast: Forecast | None, now: float) -> tuple[ChartAxis, ChartAxis]:
    """Days since the start, and places. A far end is cut off: what was done must stay visible."""
    last = now
    if forecast is not None:
        last = now + min(forecast.late or 2 * forecast.days, 2 * forecast.days, max(now, 7.0) * 3)
    last = max(last, 1.0)
    step = max(1, round(last / 3))  # Four days have room on a phone.
    ticks = tuple(float(at) for at in range(0, int(last) + 1, step))
    return ChartAxis(0.0, last, ticks), axis_for([0.0, float(course.places)], most=course.places)


def _fan(course: WorkCourse, forecast: Forecast, now: float, x: ChartAxis, y: ChartAxis) -> str:
    span = x.high - now
    ends: dict[int, list[tuple[float, float]]] = {-1: [], 1: []}
    for at in range(STEPS + 1):
        days = span * (at / STEPS) ** 2  # The ends are curved near now.
        for side, line in ends.items():
            more = max(0.0, forecast.done_after(days, side))
            line.append((now + days, min(course.places, course.done + more)))
    return band_path(ends[-1], ends[1], x, y)


def _down(y: ChartAxis, value: float) -> str:
    """SVG counts from the top."""
    return f"{100 - y.share(value):.2f}%"


def _day(at: datetime) -> str:
    return day_told(timezone.localtime(at))


def day_told(at: date) -> str:
    """A day without its year, as short as the language writes it."""
    return date_format(at, pgettext("format of a day, as 9 Nov", "j M"))


def missing_told(missing: int, per_sheet: int) -> str:
    """That those who have joined cannot reach the end."""
    return ngettext(
        "%(n)s more annotator is needed: %(k)s different ones judge each sheet, %(joined)s joined",
        "%(n)s more annotators are needed: %(k)s different ones judge each sheet, "
        "%(joined)s joined",
        missing,
    ) % {"n": missing, "k": per_sheet, "joined": per_sheet - missing}


def end_told(course: WorkCourse, forecast: Forecast | None) -> tuple[str, str]:
    """The expected day and its range, or why there is none."""
    if not course.left:
        return ("–", _("everything is done")) if course.places else ("–", _("not opened yet"))
    if course.missing:
        return "–", missing_told(course.missing, course.per_sheet)
    if forecast is None:
        return "–", _("three days of judging are needed")
    if forecast.late is None:
        return _day(course.now + DAY * forecast.days), _(
            "80 %%: from %(early)s, with no latest end"
        ) % {"early": _day(course.now + DAY * forecast.early)}
    early, late = (_day(course.now + DAY * days) for days in (forecast.early, forecast.late))
    interval = early if early == late else f"{early} – {late}"
    return _day(course.now + DAY * forecast.days), _("80 %%: %(range)s") % {"range": interval}


@dataclass(frozen=True, slots=True)
class WorkNow:
    """What goes on now, as the overview shows it: who is at work (how many, and some of them), the
    seconds of a text, and how long one person would need for the places that are left."""

    people: int
    codes: str
    seconds: str
    left: str


def work_now(
    course: WorkCourse, working: Sequence[Annotator], figures: BoardFigures | None
) -> WorkNow:
    """Put it together, of the stored figures of the board; excluded people are in these, too."""
    people = list((figures.numbers if figures is not None else {}).get("people", {}).values())
    seconds, texts, places = (
        sum(one[name] for one in people if one["texts"]) for name in ("seconds", "texts", "places")
    )
    codes = [one.code for one in working]
    minutes = course.left * seconds / places / 60 if places else 0.0
    duration = (
        _("about %(n)s min") % {"n": max(1, round(minutes))}
        if minutes < 90
        else _("about %(n)s h") % {"n": round(minutes / 60)}
    )
    return WorkNow(
        people=len(codes),
        codes=", ".join(codes[:MOST_CODES]) + ("…" if len(codes) > MOST_CODES else ""),
        seconds=number(seconds / texts, 1) if texts and seconds else "–",
        left=duration if minutes else "–",
    )


def pace_told(forecast: Forecast | None) -> tuple[str, str]:
    """Places a day and their 80 % range."""
    if forecast is None:
        return "–", ""
    return number(forecast.per_day, 0), f"[{number(forecast.low, 0)}, {number(forecast.high, 0)}]"
