"""Render a figure for print with matplotlib: SVG, PNG and PDF, byte-identical if redrawn."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from scoring.figures.data import (
    ONE_WAY,
    PALETTE,
    TWO_WAYS,
    Axis,
    Figure,
    Grid,
    Mark,
    Series,
    as_read,
    blend,
    written,
)

FORMATS = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
_MARKERS = ("o", "s", "D", "P", "^", "X")
_STYLES = ("-", "--", ":", "-.", (0, (8, 3)), (0, (8, 3, 1, 3)))
_SIZE = (5.2, 3.6)  # Inches: one and a half columns of a two-column paper,
_FAINT = 0.35  # As on the page (static/css/charts.css).
_PANEL = 1.9  # Of several beside each other.
_AROUND, _NAME = (2.4, 1.7), (0.32, 0.26)  # larger for an axis with many categories.
# No date, and element identifiers from a fixed salt, so that the output is reproducible.
_FIXED: dict[str, dict[str, Any]] = {
    "svg": {"metadata": {"Date": None}},
    "pdf": {"metadata": {"CreationDate": None, "Creator": "paraanno", "Producer": None}},
    "png": {"metadata": {"Software": None}, "dpi": 300},
}
_STYLE: dict[Any, Any] = {
    "svg.hashsalt": "paraanno",
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "font.size": 9,
    "font.family": ["DejaVu Sans", "Noto Sans CJK KR"],
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.usetex": False,
    "text.parse_math": False,
}


def draw(figure: Figure | Sequence[Figure], form: str, *, across: int = 8) -> bytes:
    """Return the file in a format of FORMATS; the first call takes about a second. Several figures
    stand beside each other, so many across.

    Raises ValueError for any other format.
    """
    if form not in FORMATS:
        raise ValueError(f"unknown format {form!r}: use one of {', '.join(FORMATS)}")
    figures = [one.drawn for one in ([figure] if isinstance(figure, Figure) else figure)]
    across = min(across, len(figures))
    down = -(-len(figures) // across)
    import logging

    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    # Without the second font matplotlib falls back to the first; the warning would be noise.
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    with mpl.rc_context(_STYLE):
        wide, high = _size(figures[0])
        if len(figures) > 1:
            wide, high = _AROUND[0] + _PANEL * across, high if down == 1 else high * 0.6 * down
        canvas = Canvas(figsize=(wide, high), layout="constrained")
        FigureCanvasAgg(canvas)
        for place, one in enumerate(figures):
            _draw(canvas, canvas.add_subplot(down, across, place + 1), one, again=place > 0)
        stream = io.BytesIO()
        canvas.savefig(stream, format=form, **_FIXED[form])
    return stream.getvalue()


def _draw(canvas: Any, axes: Any, figure: Figure, *, again: bool) -> None:
    """`again`: one like it stands before, with the names of both."""
    if figure.cells is not None:
        _heat(canvas, axes, figure.cells)
    floors: dict[float, float] = defaultdict(float)  # Of bars that stand on each other.
    for at, series in enumerate(figure.series):
        if series.kind == "bars":
            _bars(axes, series, at, floors)
        elif figure.sideways:
            _dots(axes, series)
        else:
            _series(axes, series, at, _shift(figure, at))
    for mark in figure.marks:
        _mark(axes, mark)
    _dress(axes, figure)
    if again and figure.sideways:
        axes.set_yticklabels([])
    if again and axes.get_legend() is not None:
        axes.get_legend().remove()


def _size(figure: Figure) -> tuple[float, float]:
    axes = (figure.y, figure.x) if figure.sideways else (figure.x, figure.y)
    wide, high = (
        max(least if not (figure.sideways and axis.names) else 0, around + each * len(axis.names))
        for least, around, each, axis in zip(_SIZE, _AROUND, _NAME, axes, strict=True)
    )
    return wide, high


def _dress(axes: Any, figure: Figure) -> None:
    sides = "yx" if figure.sideways else "xy"
    for axis, side in zip((figure.x, figure.y), sides, strict=True):
        getattr(axes, f"set_{side}label")(axis.title)
        if axis.low is not None and axis.high is not None:
            getattr(axes, f"set_{side}lim")(axis.low, axis.high)
        _names(axes, axis, side)
    if figure.title:
        axes.set_title(figure.title, fontsize=9)
    if figure.sideways:
        axes.set_ylim(len(figure.x.names) - 0.5, -0.5)
    elif len(figure.series) > 1:
        axes.legend(frameon=False, fontsize=8)


def _names(axes: Any, axis: Axis, side: str) -> None:
    if axis.names:
        turned = {"rotation": 45, "ha": "right"} if side == "x" else {}
        getattr(axes, f"set_{side}ticks")(
            range(len(axis.names)), [as_read(name) for name in axis.names], **turned
        )


def _shift(figure: Figure, at: int) -> float:
    """Return the horizontal offset of a series from the centre of each category."""
    return (at - (len(figure.series) - 1) / 2) * 0.2 if figure.beside else 0.0


def _dots(axes: Any, series: Series) -> None:
    """Values with their intervals across, one below the other; hollow ones are grey."""
    lows, highs, hollows = (
        column or (None,) * len(series.x) for column in (series.low, series.high, series.hollow)
    )
    for row, value, low, high, hollow in zip(series.x, series.y, lows, highs, hollows, strict=True):
        colour = "0.45" if hollow else PALETTE[0]
        if low is not None and high is not None:
            axes.plot([low, high], [row, row], color=colour, linewidth=1.5)
        fill = "white" if hollow else colour
        axes.plot([value], [row], "o", color=colour, markerfacecolor=fill, markersize=5)


def _bars(axes: Any, series: Series, at: int, floors: dict[float, float]) -> None:
    below = [floors[x] for x in series.x]
    colour, alpha = _colour(series, at), _FAINT if series.tone == "faint" else 1
    axes.bar(series.x, series.y, series.width, below, color=colour, alpha=alpha, label=series.name)
    for x, y in zip(series.x, series.y, strict=True):
        floors[x] += y


def _colour(series: Series, at: int) -> str:
    tones = {"faint": PALETTE[0], "ink": "0.15"}
    return tones.get(series.tone, PALETTE[at % len(PALETTE)])


def _series(axes: Any, series: Series, at: int, shift: float) -> None:
    colour, marker = _colour(series, at), _MARKERS[at % len(_MARKERS)]
    if series.kind == "line":
        style = _STYLES[at % len(_STYLES)]
        axes.plot(series.x, series.y, color=colour, linestyle=style, label=series.name)
        if series.low:
            ends = [
                (x, low, high)
                for x, low, high in zip(series.x, series.low, series.high, strict=True)
                if low is not None and high is not None
            ]
            if ends:
                axes.fill_between(*zip(*ends, strict=True), color=colour, alpha=0.18, linewidth=0)
    elif series.kind == "range" and series.low:
        down = [0 if low is None else y - low for y, low in zip(series.y, series.low, strict=True)]
        up = [
            0 if high is None else high - y for y, high in zip(series.y, series.high, strict=True)
        ]
        places = [x + shift for x in series.x]
        axes.errorbar(
            places,
            series.y,
            [down, up],
            fmt=marker,
            color=colour,
            markersize=4,
            capsize=2,
            label=series.name,
        )
    else:
        # Rasterise many points: viewers cannot open a vector file with a hundred thousand.
        sizes = [(4 + 12 * share) ** 2 for share in series.sizes] or 10
        axes.scatter(
            series.x,
            series.y,
            s=sizes,
            alpha=0.5,
            linewidths=0,
            color=colour,
            marker=marker,
            label=series.name,
            rasterized=len(series.x) > 2000,
        )
        if series.labelled:
            above = [4 + 6 * share for share in series.sizes] or [4.0] * len(series.x)
            for x, y, text, rise in zip(series.x, series.y, series.texts, above, strict=True):
                axes.annotate(
                    text,
                    (x, y),
                    xytext=(0, rise),
                    textcoords="offset points",
                    ha="center",
                    fontsize=7,
                )


def _heat(canvas: Any, axes: Any, cells: Grid) -> None:
    import numpy as np
    from matplotlib.colors import LinearSegmentedColormap, LogNorm, Normalize

    values = np.array(
        [[np.nan if value is None else value for value in line] for line in cells.values]
    )
    named = bool(cells.x) and isinstance(cells.x[0], str)
    stops = TWO_WAYS if cells.both_ways else ONE_WAY
    places = None if named else (_ends(cells.x), _ends(cells.y))
    image = axes.imshow(
        np.ma.masked_invalid(values),
        origin="lower",
        aspect="auto",
        cmap=LinearSegmentedColormap.from_list("stops", stops),
        norm=LogNorm() if cells.counts else Normalize(cells.low, cells.high),
        extent=None if places is None else (*places[0], *places[1]),
        interpolation="nearest",
    )
    canvas.colorbar(image, ax=axes, label=cells.name)
    if not cells.written:
        return
    low, high = image.get_clim()
    for (row, column), value in np.ndenumerate(values):
        if np.isfinite(value):
            _colour, dark = blend(stops, (value - low) / ((high - low) or 1))
            axes.text(
                column,
                row,
                written(value, ".2f"),
                ha="center",
                va="center",
                fontsize=7,
                color="white" if dark else "black",
            )


def _ends(middles: Any) -> tuple[float, float]:
    """Return the outer edges of cells of equal width from their centres."""
    half = (middles[1] - middles[0]) / 2 if len(middles) > 1 else 0.5
    return middles[0] - half, middles[-1] + half


def _mark(axes: Any, mark: Mark) -> None:
    if mark.diagonal:
        axes.plot([0, 1], [0, 1], color="0.5", linestyle=":", linewidth=0.8)
        return
    if mark.low is not None and mark.high is not None:
        axes.axvspan(mark.low, mark.high, color="0.88", linewidth=0, zorder=0)
    style = ":" if mark.low is None else "--"
    axes.axvline(mark.at, color="0.5", linestyle=style, linewidth=0.8, zorder=0)
    if mark.name:
        axes.annotate(
            mark.name,
            (mark.at, 1),
            xycoords=("data", "axes fraction"),
            ha="center",
            va="bottom",
            fontsize=7,
            color="0.3",
        )
