"""A figure as a Plotly specification. The page's style sheet sets background and text colours."""

from __future__ import annotations

import math

from paraanno.plain.json_lines import Json, JsonObject
from scoring.figures.data import Axis, Figure, Grid, Mark, Place, Series, as_read, written

# Okabe and Ito (2008): safe for colour-blind readers, on light and dark backgrounds.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
SYMBOLS = ("circle", "square", "diamond", "cross", "triangle-up", "x")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
ONE_WAY = "Cividis"
TWO_WAYS = "RdBu"
MANY = 1000  # Above this number of points Plotly uses WebGL.
SHORT = 80
POINT, LEAST_POINT, MORE_POINT = 8, 8, 24  # Pixels, of points alike and of sized ones.
TICK = 24  # Longer tick labels lose their middle: variants differ at either end.
LEAST_HEIGHT, NAME_HEIGHT, AROUND = 416, 22, 190  # Pixels.


def plotly_figure(figure: Figure) -> JsonObject:
    """Return {data, layout} of plain values. A point's customdata is the address it opens.

    Texts are shortened and escaped, because Plotly interprets some HTML in labels.
    """
    data = [_trace(series, at, figure) for at, series in enumerate(figure.series)]
    bands = [band for at, one in enumerate(figure.series) if (band := _band(one, at))]
    if figure.cells is not None:
        data.insert(0, _heat(figure.cells))
    layout: JsonObject = {"scattermode": "group"} if figure.beside else {}
    if figure.y.names:
        layout["height"] = max(LEAST_HEIGHT, AROUND + NAME_HEIGHT * len(figure.y.names))
    return {
        "data": [*bands, *data],
        "layout": layout
        | {
            "xaxis": _axis(figure.x),
            "yaxis": _axis(figure.y),
            "margin": {"l": 60, "r": 20, "t": 20, "b": 55},
            "hovermode": "closest",
            "showlegend": len(figure.series) > 1,
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
            "shapes": [_line(mark) for mark in figure.marks],
            "annotations": [_word(mark) for mark in figure.marks if mark.name],
        },
    }


def _trace(series: Series, at: int, figure: Figure) -> JsonObject:
    colour = PALETTE[at % len(PALETTE)]
    trace: JsonObject = {
        "type": "scattergl" if len(series.x) > MANY else "scatter",
        "mode": {"points": "markers", "line": "lines", "range": "markers"}[series.kind],
        "name": plain(series.name),
        "x": _named(series.x, figure.x),
        "y": _named(series.y, figure.y),
        "hovertemplate": _hover(series, figure),
    }
    if series.kind == "line":
        trace["line"] = {"color": colour, "width": 2, "dash": DASHES[at % len(DASHES)]}
    else:
        symbol = SYMBOLS[at % len(SYMBOLS)]
        opacity = 0.55 if series.kind == "points" else 1
        sizes: Json = [LEAST_POINT + MORE_POINT * share for share in series.sizes] or POINT
        trace["marker"] = {"size": sizes, "opacity": opacity, "color": colour, "symbol": symbol}
    if series.texts:
        trace["text"] = [plain(text) for text in series.texts]
    if series.labelled:
        trace |= {"mode": "markers+text", "textposition": "top center", "cliponaxis": False}
    if series.links:
        trace["customdata"] = list(series.links)
    if series.kind == "range" and series.low:
        trace["error_y"] = _error(series, colour)
    return trace


def _error(series: Series, colour: str) -> JsonObject:
    """Return error bars: the distance from each value to its interval limits."""
    ends = list(zip(series.y, series.low, series.high, strict=True))
    return {
        "type": "data",
        "symmetric": False,
        "array": [0 if high is None else high - y for y, _, high in ends],
        "arrayminus": [0 if low is None else y - low for y, low, _ in ends],
        "color": colour,
    }


def _band(series: Series, at: int) -> JsonObject | None:
    """Return the confidence band of a line, or None if it has no intervals."""
    if series.kind != "line" or not series.low:
        return None
    there = [
        (x, low, high)
        for x, low, high in zip(series.x, series.low, series.high, strict=True)
        if low is not None and high is not None
    ]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [x for x, _, _ in there] + [x for x, _, _ in reversed(there)],
        "y": [high for _, _, high in there] + [low for _, low, _ in reversed(there)],
        "fill": "toself",
        "fillcolor": PALETTE[at % len(PALETTE)],
        "opacity": 0.18,
        "line": {"width": 0},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _heat(cells: Grid) -> JsonObject:
    name = plain(cells.name)
    trace: JsonObject = {
        "type": "heatmap",
        "name": name,
        "x": [_name(one) if isinstance(one, str) else one for one in cells.x],
        "y": [_name(one) if isinstance(one, str) else one for one in cells.y],
        "z": [list(line) for line in cells.values],
        "colorscale": TWO_WAYS if cells.both_ways else ONE_WAY,
        "reversescale": False,
        "hoverongaps": False,
        "hovertext": [
            [_said(name, x, y, value) for x, value in zip(list[Place](cells.x), line, strict=True)]
            for y, line in zip(list[Place](cells.y), cells.values, strict=True)
        ],
        "hovertemplate": "%{text}<extra></extra>",
    }
    colorbar: JsonObject = {"title": {"text": name}, "thickness": 12}
    if cells.counts:
        # Plotly has no logarithmic colour scale: pass logarithms, and the counts as text.
        trace["text"] = [["" if n is None else f"{n:g}" for n in line] for line in cells.values]
        trace["z"] = [[None if n is None else math.log10(n) for n in line] for line in cells.values]
        colorbar |= {
            "tickvals": list(range(9)), "ticktext": [f"{10**power:,}" for power in range(9)],
        }  # fmt: skip
    trace["colorbar"] = colorbar
    if cells.low is not None and cells.high is not None:
        trace |= {"zmin": cells.low, "zmax": cells.high}
    if cells.written:
        trace["text"] = [
            ["" if value is None else written(value, ".2f") for value in line]
            for line in cells.values
        ]
        trace["texttemplate"] = "%{text}"
    return trace


def _said(name: str, x: Place, y: Place, value: float | None) -> str:
    """Return the hover text of a cell; Plotly itself writes negative numbers with hyphens."""
    if value is None:
        return ""
    places = [_name(one) if isinstance(one, str) else written(one, ".4g") for one in (x, y)]
    return "<br>".join([*places, f"{name}: {written(value, '.4g')}"])


def _axis(axis: Axis) -> JsonObject:
    found: JsonObject = {
        "title": {"text": plain(axis.title)}, "zeroline": False, "automargin": True,
    }  # fmt: skip
    if axis.names:
        found |= {"type": "category", "categoryorder": "array"}
        names = [_name(name) for name in axis.names]
        found |= {"categoryarray": names, "tickvals": names, "autotickangles": [0, -45, -90]}
        found["ticktext"] = [_name(_middle_out(name)) for name in axis.names]
    elif axis.low is not None and axis.high is not None:
        found["range"] = [axis.low, axis.high]
    return found


def _middle_out(name: str) -> str:
    half = TICK // 2
    return name if len(name) <= TICK else f"{name[: half - 1]}…{name[-half:]}"


def _named(places: tuple[float, ...], axis: Axis) -> list[Json]:
    """Replace positions by category names if the axis is categorical."""
    return [_name(axis.names[int(at)]) for at in places] if axis.names else list(places)


def _hover(series: Series, figure: Figure) -> str | list[str]:
    """Return one hover template, or one per point if a number is negative.

    Plotly writes negative numbers with a hyphen, so those are formatted here.
    """
    first = "%{text}<br>" if series.texts else f"{plain(series.name)}<br>"
    x = "%{x}" if figure.x.names else "%{x:.4~g}"
    y = "%{y:.3~f}"
    start, middle = f"{first}{plain(figure.x.title)}: ", f"<br>{plain(figure.y.title)}: "
    named = bool(figure.x.names)
    if min(series.y, default=0) >= 0 and (named or min(series.x, default=0) >= 0):
        return f"{start}{x}{middle}{y}<extra></extra>"
    return [
        f"{start}{x if named else written(place, '.4g')}{middle}{_trimmed(height)}<extra></extra>"
        for place, height in zip(series.x, series.y, strict=True)
    ]


def _trimmed(value: float) -> str:
    """Format as Plotly's `.3~f`: three decimals without trailing zeros."""
    return written(round(value, 3) + 0.0, ".3f").rstrip("0").rstrip(".")


def _line(mark: Mark) -> JsonObject:
    line: JsonObject = {"width": 1, "dash": "dot"}
    if mark.diagonal:
        return {"type": "line", "x0": 0, "y0": 0, "x1": 1, "y1": 1, "line": line}
    return {
        "type": "line", "x0": mark.at, "x1": mark.at, "yref": "paper", "y0": 0, "y1": 1,
        "line": line,
    }  # fmt: skip


def _word(mark: Mark) -> JsonObject:
    return {
        "x": mark.at, "y": 1, "yref": "paper", "yanchor": "top", "xanchor": "left",
        "text": plain(mark.name), "showarrow": False,
    }  # fmt: skip


def _name(name: str) -> str:
    return plain(as_read(name))


def plain(text: str) -> str:
    """Shorten a text and escape Plotly's markup and template placeholders."""
    short = text if len(text) <= SHORT else f"{text[: SHORT - 1]}…"
    for mark, safe in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("%{", "% {")):
        short = short.replace(mark, safe)
    return " ".join(short.split())
