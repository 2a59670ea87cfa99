"""Draw a figure on a page: inline SVG that takes its width from the page and its colours from the
style sheet, with points that are links. It needs no script.

Places across are in per cent and heights in pixels, so that text keeps its size on a phone.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from scoring.figures.data import (
    ONE_WAY,
    PALETTE,
    TWO_WAYS,
    Axis,
    Figure,
    Grid,
    Mark,
    Place,
    Series,
    as_read,
    blend,
    written,
)

TOP, HEIGHT, FOOT, ROW = 26, 300, 46, 22  # Pixels.
LETTER = 6.5  # Pixels, of a name.
TICK, LEVEL = 24, 40  # Letters: of the longest name, and of all that fit beside each other.
MANY, MOST = 12, 24  # Names across that need more room than a phone, or a page, has.
TABBED = 60  # Points that the tab key stops at; where there are more, a table has them.
RADIUS, MORE_RADIUS = 4.0, 12.0  # Pixels, of points alike, and what sized ones have more.
# The same forms as in print, around 0.
SYMBOLS = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
    "M-3.5-3.5h7v7h-7z",
    "M0-5L5 0L0 5L-5 0z",
    "M-1.5-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
    "M0-5L4.7 3.5h-9.4z",
    "M-4-2L-2-4L0-2L2-4L4-2L2 0L4 2L2 4L0 2L-2 4L-4 2L-2 0z",
)


def svg(
    figure: Figure, title: str, *, region: str = "", height: int = HEIGHT, bare: bool = False
) -> str:
    """Return the drawing with its legend. `region` is the id of a form that a rectangle drawn with
    the pointer fills (static/js/region.js). A `bare` one has no words: they stand beside it."""
    figure = figure.drawn
    frame = _Frame.of(figure, height, bare=bare)
    x, y = frame.x, frame.y
    marked = (
        f' data-region="{escape(region)}" data-x="{x.low:.12g} {x.high:.12g}" '
        f'data-y="{y.low:.12g} {y.high:.12g}" data-plot="{frame.top} {frame.height}"'
        if region
        else ""
    )
    wide = next((name for n, name in ((MOST, "most"), (MANY, "many")) if len(x.names) > n), "")
    named = "bare" if bare else "named" if y.names else ""
    inside = "".join(_parts(figure, frame))
    drawn = (
        f'<svg class="fig {named} {wide}" height="{frame.top + frame.height + frame.foot}" '
        f'role="{"img" if bare else "group"}" '
        f'aria-label="{escape(title)}"{marked}>{inside}</svg>'
    )
    if wide:
        drawn = (
            f'<div class="scroll" tabindex="0" role="group" aria-label="{escape(title)}">'
            f"{drawn}</div>"
        )
    return drawn if bare else _legend(figure) + drawn


def _parts(figure: Figure, frame: _Frame) -> Iterator[str]:
    if figure.cells is not None:
        yield from _heat(figure.cells, frame)
    if frame.foot:
        yield from _axes(figure, frame)
    floors: dict[float, float] = defaultdict(float)  # Of bars that stand on each other.
    for mark in figure.marks:
        yield _mark(mark, frame)
    for at, series in enumerate(figure.series):
        shift = (at - (len(figure.series) - 1) / 2) * 0.2 if figure.beside else 0.0
        if series.kind == "line":
            yield from _line(series, at, frame)
        elif series.kind == "bars":
            yield from _bars(series, at, frame, figure, floors)
        else:
            yield from _points(series, at, frame, figure, shift)


# Where things stand.


@dataclass(frozen=True, slots=True)
class _Scale:
    """From `low` to `high`; categories stand at 0, 1 and so on."""

    low: float
    high: float
    names: tuple[str, ...] = ()

    @classmethod
    def of(cls, axis: Axis, values: Sequence[float]) -> _Scale:
        if axis.names:
            return cls(-0.5, len(axis.names) - 0.5, axis.names)
        if axis.low is not None and axis.high is not None:
            return cls(axis.low, axis.high)
        low, high = min(values, default=0.0), max(values, default=1.0)
        room = 0.04 * (high - low) or 0.5
        return cls(low - room, high + room)

    def share(self, value: Place) -> float:
        """Where a value, or the name of a category, stands between 0 and 1."""
        at = self.names.index(value) if isinstance(value, str) else value
        return (at - self.low) / (self.high - self.low)

    def ticks(self) -> list[tuple[float, str]]:
        if self.names:
            return [(float(at), as_read(_short(name))) for at, name in enumerate(self.names)]
        return nice_ticks(self.low, self.high)


@dataclass(frozen=True, slots=True)
class _Frame:
    x: _Scale
    y: _Scale
    height: int
    foot: int
    top: int = TOP

    @classmethod
    def of(cls, figure: Figure, least: int, *, bare: bool) -> _Frame:
        cells = figure.cells
        xs = [x for series in figure.series for x in series.x]
        ys = [y for series in figure.series for y in series.y]
        ys += [
            end
            for series in figure.series
            for ends in (series.low, series.high)
            for end in ends
            if end is not None
        ]
        x, y = figure.x, figure.y
        if cells is not None:
            x, y = _of_cells(x, cells.x), _of_cells(y, cells.y)
        across, up = _Scale.of(x, xs), _Scale.of(y, ys)
        if bare:
            return cls(across, up, least, 0, 0)
        foot = FOOT
        if _turned(across):
            longest = max(len(_short(name)) for name in across.names)
            foot = round(LETTER * longest) + (FOOT if x.title else 20)
        return cls(across, up, max(least, ROW * len(up.names)), foot)

    def across(self, value: Place) -> str:
        return f"{100 * self.x.share(value):.2f}%"

    def down(self, value: Place) -> str:
        return f"{self.top + self.height * (1 - self.y.share(value)):.1f}"

    def within(self, points: Sequence[tuple[float, float]]) -> str:
        """The points in a box of 100 by the height of the plot."""
        places = (
            f"{100 * self.x.share(x):.2f} {self.height * (1 - self.y.share(y)):.1f}"
            for x, y in points
        )
        return "L".join(places)

    def path(self, attributes: str, d: str) -> str:
        """A path through places of `within`, stretched over the plot."""
        return (
            f'<svg y="{self.top}" width="100%" height="{self.height}" '
            f'viewBox="0 0 100 {self.height}" preserveAspectRatio="none">'
            f'<path {attributes} d="M{d}"/></svg>'
        )


def _of_cells(axis: Axis, places: Sequence[Place]) -> Axis:
    """The axis of a heat map: its categories, or from edge to edge of its cells."""
    if not places or isinstance(places[0], str):
        return axis
    middles = [float(place) for place in places]
    half = (middles[1] - middles[0]) / 2 if len(middles) > 1 else 0.5
    return Axis(axis.title, middles[0] - half, middles[-1] + half)


def nice_ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Return round values between both ends, with how they are written: at most seven."""
    span = high - low
    power = 10.0 ** math.floor(math.log10(span / 6))
    step = next(one * power for one in (1, 2, 2.5, 5, 10) if span / (one * power) <= 6)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    digits += round(step * 10**digits, 6) % 1 > 0  # 0.25 has one more than 0.2.
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    values = [at * step + 0.0 for at in range(first, last + 1)]
    return [(value, written(value, f",.{digits}f")) for value in values]


def _short(name: str) -> str:
    half = TICK // 2
    return name if len(name) <= TICK else f"{name[: half - 1]}…{name[-half:]}"


def _turned(scale: _Scale) -> bool:
    """Whether the names across do not fit beside each other."""
    return bool(scale.names) and len(scale.names) * max(map(len, scale.names)) > LEVEL


# What is drawn.


def _axes(figure: Figure, frame: _Frame) -> Iterator[str]:
    foot = frame.top + frame.height
    for at, text in frame.y.ticks():
        y = frame.down(at)
        if not frame.y.names:
            yield f'<line class="g" x2="100%" y1="{y}" y2="{y}"/>'
        yield f'<text y="{y}" dx="-8" dy="4" text-anchor="end">{escape(text)}</text>'
    yield f'<line class="axl" x2="100%" y1="{foot}" y2="{foot}"/>'
    for at, text in frame.x.ticks():
        x, inside = frame.across(at), escape(text)
        if _turned(frame.x):
            turned = 'transform="rotate(-90)" dy="4" text-anchor="end"'
            yield f'<svg x="{x}" y="{foot + 8}"><text {turned}>{inside}</text></svg>'
        else:
            yield f'<text x="{x}" y="{foot + 18}" text-anchor="middle">{inside}</text>'
    if figure.y.title:
        yield f'<text class="strong" y="12" dx="-8">{escape(figure.y.title)}</text>'
    if figure.x.title:
        title, below = escape(figure.x.title), foot + frame.foot - 8
        yield f'<text class="strong" x="50%" y="{below}" text-anchor="middle">{title}</text>'


def _mark(mark: Mark, frame: _Frame) -> str:
    if mark.diagonal:
        return frame.path('class="ref"', frame.within([(0, 0), (1, 1)]))
    x = frame.across(mark.at)
    line = f'<line class="ref" x1="{x}" x2="{x}" y1="{frame.top}" y2="{frame.top + frame.height}"/>'
    return f'{line}<text x="{x}" y="{frame.top + 11}" dx="4">{escape(mark.name)}</text>'


def _line(series: Series, at: int, frame: _Frame) -> Iterator[str]:
    style = _style(series, at)
    if series.low:
        ends = [
            (x, low, high)
            for x, low, high in zip(series.x, series.low, series.high, strict=True)
            if low is not None and high is not None
        ]
        around = [(x, low) for x, low, _ in ends] + [(x, high) for x, _, high in reversed(ends)]
        if around:
            yield frame.path(f'class="band {style}"', frame.within(around) + "Z")
    points = list(zip(series.x, series.y, strict=True))
    if points:
        yield frame.path(f'class="ln {style}"', frame.within(points))


def _style(series: Series, at: int) -> str:
    tones = {"faint": "s0 faint", "ink": "ink"}
    return tones.get(series.tone, f"s{at % len(PALETTE)}")


def _bars(
    series: Series, at: int, frame: _Frame, figure: Figure, floors: dict[float, float]
) -> Iterator[str]:
    for place, (x, y) in enumerate(zip(series.x, series.y, strict=True)):
        left, right = (100 * frame.x.share(x + side * series.width / 2) for side in (-1, 1))
        foot, top = (float(frame.down(end)) for end in (floors[x], floors[x] + y))
        floors[x] += y
        yield (
            f'<rect class="stack {_style(series, at)}" x="{left:.2f}%" y="{top:.1f}" '
            f'width="{right - left:.2f}%" height="{foot - top:.1f}">'
            f"<title>{escape(_in_words(series, place, figure))}</title></rect>"
        )


def _points(series: Series, at: int, frame: _Frame, figure: Figure, shift: float) -> Iterator[str]:
    style, symbol = _style(series, at), SYMBOLS[at % len(SYMBOLS)]
    kind = "rg" if series.kind == "range" else "one"
    for place, (x, y) in enumerate(zip(series.x, series.y, strict=True)):
        across, down = frame.across(x + shift), frame.down(y)
        low, high = (ends[place] if ends else None for ends in (series.low, series.high))
        drawn = ""
        if low is not None or high is not None:
            y1, y2 = (frame.down(y if end is None else end) for end in (low, high))
            drawn = f'<line class="w {style}" x1="{across}" x2="{across}" y1="{y1}" y2="{y2}"/>'
        scale = (
            f' transform="scale({1 + MORE_RADIUS / RADIUS * series.sizes[place]:.3f})"'
            if series.sizes
            else ""
        )
        about = escape(_in_words(series, place, figure))
        drawn += (
            f'<svg class="{kind} {style}" x="{across}" y="{down}">'
            f'<path d="{symbol}"{scale}/><title>{about}</title></svg>'
        )
        if series.links:
            tabs = "" if len(series.x) <= TABBED else ' tabindex="-1"'
            drawn = (
                f'<a href="{escape(series.links[place])}" aria-label="{about}"{tabs}>{drawn}</a>'
            )
        if series.labelled:
            rise = RADIUS + (MORE_RADIUS * series.sizes[place] if series.sizes else 0) + 4
            name = escape(_short(series.texts[place]))
            where = f'x="{across}" y="{down}" dy="-{rise:.0f}" text-anchor="{_anchor(across)}"'
            drawn += f"<text {where}>{name}</text>"
        yield drawn


def _anchor(across: str) -> str:
    """Names at an end of the plot are written inwards, off the numbers of the axis."""
    share = float(across.removesuffix("%"))
    return "start" if share < 10 else "end" if share > 90 else "middle"


def _in_words(series: Series, place: int, figure: Figure) -> str:
    """What a point is, in words."""
    x, y = series.x[place], series.y[place]
    across = figure.x.names[int(x)] if figure.x.names else written(x, ".4g")
    what = series.texts[place] if series.texts else series.name
    where = f"{figure.x.title} {across}".strip(), f"{figure.y.title} {written(y, '.3g')}".strip()
    low, high = (ends[place] if ends else None for ends in (series.low, series.high))
    ends = ""
    if low is not None and high is not None:
        ends = f" [{written(low, '.3g')}, {written(high, '.3g')}]"
    return f"{what}: {', '.join(where)}{ends}"


def _heat(cells: Grid, frame: _Frame) -> Iterator[str]:
    width, height = 100 / len(cells.x), frame.height / len(cells.y)
    shares = _Shares.of(cells)
    for row, line in enumerate(cells.values):
        for column, value in enumerate(line):
            if value is None:
                continue
            left, top = column * width, frame.top + frame.height - (row + 1) * height
            fill, dark = shares.colour(value)
            about = ", ".join(
                one if isinstance(one, str) else written(one, ".4g")
                for one in (cells.x[column], cells.y[row])
            )
            yield (
                f'<rect x="{left:.2f}%" y="{top:.1f}" width="{width:.2f}%" height="{height:.1f}" '
                f'fill="{fill}"><title>{escape(about)}: {written(value, ".3g")}</title></rect>'
            )
            if cells.written and len(cells.x) <= MOST:
                yield (
                    f'<text class="cell" x="{left + width / 2:.2f}%" y="{top + height / 2:.1f}" '
                    f'dy="4" text-anchor="middle" fill="{"#fff" if dark else "#000"}">'
                    f"{written(value, '.2f')}</text>"
                )


@dataclass(frozen=True, slots=True)
class _Shares:
    """The colours of a heat map."""

    low: float
    high: float
    stops: tuple[str, ...]
    counts: bool

    @classmethod
    def of(cls, cells: Grid) -> _Shares:
        values = [value for line in cells.values for value in line if value is not None]
        low = min(values, default=0.0) if cells.low is None else cells.low
        high = max(values, default=1.0) if cells.high is None else cells.high
        return cls(low, high, TWO_WAYS if cells.both_ways else ONE_WAY, cells.counts)

    def colour(self, value: float) -> tuple[str, bool]:
        """The colour of a value, and whether it is dark."""
        low, high, at = (
            math.log(one) if self.counts else one for one in (self.low, self.high, value)
        )
        return blend(self.stops, (at - low) / ((high - low) or 1))


def _legend(figure: Figure) -> str:
    if figure.cells is not None:
        shares = _Shares.of(figure.cells)
        swatches = "".join(
            f'<svg class="swatch" width="18" height="12">'
            f'<rect width="18" height="12" fill="{one}"/></svg>'
            for one in shares.stops
        )
        low, high = (written(end, ".3g") for end in (shares.low, shares.high))
        return (
            f'<p class="legend"><span>{escape(figure.cells.name)}</span><span>{low}</span>'
            f'<span aria-hidden="true">{swatches}</span><span>{high}</span></p>'
        )
    if len(figure.series) < 2:
        return ""
    names = []
    for at, series in enumerate(figure.series):
        style, path = _style(series, at), SYMBOLS[at % len(SYMBOLS)]
        symbol = {
            "line": f'<line class="ln {style}" x2="24" y1="6" y2="6"/>',
            "bars": f'<rect class="stack {style}" width="24" height="12"/>',
        }.get(series.kind, f'<svg class="rg {style}" x="12" y="6"><path d="{path}"/></svg>')
        names.append(
            f'<li><svg class="key" width="24" height="12" aria-hidden="true">{symbol}</svg> '
            f"{escape(series.name)}</li>"
        )
    return f'<ul class="legend">{"".join(names)}</ul>'
