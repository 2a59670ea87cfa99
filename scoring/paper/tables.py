"""LaTeX tables in booktabs style, as wide as a column or a page of a two-column paper."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from scoring.paper.facts import ScaleFacts, compared_with
from scoring.stats.agreement.influence import NEW_ANNOTATORS
from scoring.stats.systems.catalogue import PLAIN, PLAIN_OF_SCALES, Plain

SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}
# Letters of statistics that LaTeX sets in formulas alone.
FORMULAS = {
    "\N{MINUS SIGN}": "$-$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "·": r"$\cdot$",
    "√": r"$\surd$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "κ": r"$\kappa$",
    "π": r"$\pi$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
    "χ": r"$\chi$",
    "²": "$^2$",
}
TABLE = str.maketrans({**SPECIAL, **FORMULAS})
# In points, of the narrow pages of conferences (ACL: 16 cm, columns of 7.7 cm).
COLUMN, PAGE = 218.0, 454.0
BETWEEN = 8.0
FIRST = 135.0  # A first column wider than this is broken into lines.
MOST_LINES = 42.0  # Of a page.
# Widths of Computer Modern at 9 points (\small) by kind of character, rounded up.
NARROW, DIGIT, LOWER, UPPER, WIDE = 3.1, 4.7, 4.8, 7.0, 9.5
SCRIPT = 0.87  # \scriptsize beside \small.
LATIN = 0x024F  # The last letter that pdflatex knows without further packages.
OTHER_LETTERS = "% Set with XeLaTeX or LuaLaTeX and a font that has the letters of the names."


def escape(text: str) -> str:
    """Escape plain text for LaTeX; line breaks become spaces."""
    return " ".join(text.split()).translate(TABLE)


def number(value: float | None, digits: int = 2) -> str:
    """Format 0.715 as .72 (APA style for statistics bounded by 1), and None as --."""
    if value is None:
        return "--"
    text = f"{value:.{digits}f}"
    if abs(value) <= 1 and text.lstrip("-").startswith("0."):
        return ("-" if text.startswith("-") and float(text) else "") + text.lstrip("-")[1:]
    return text


def with_interval(
    value: float | None, low: float | None, high: float | None, digits: int = 2
) -> str:
    """Format a value with its interval, as .72 [.69, .75], or alone without an interval."""
    if value is None or low is None or high is None:
        return number(value, digits)
    ends = f"{number(low, digits)}, {number(high, digits)}"
    return f"{number(value, digits)} {{\\scriptsize [{ends}]}}"


@dataclass(frozen=True, slots=True)
class Heading:
    """A row that heads those below it, across all columns; LaTeX already."""

    text: str


Row = Sequence[str] | Heading


def latex_table(
    header: Sequence[str],
    rows: Sequence[Row],
    *,
    caption: str,
    label: str,
    source: str,
) -> str:
    """Return a table for `\\input`, or several if it is too long for a page; they need booktabs.

    The first column is left-aligned, the others right-aligned. Cells must be LaTeX already (see
    `escape`); header, caption and `source` (written as a comment) are plain text. A table that is
    wider than a column goes across both; columns that do not fit there either follow below, with
    those rows that have a cell in them. Raises ValueError if a row and the header differ in length.
    """
    for row in rows:
        if not isinstance(row, Heading) and len(row) != len(header):
            raise ValueError(f"a row has {len(row)} cells, the header {len(header)}")
    widths = _widths([row for row in rows if not isinstance(row, Heading)], len(header))
    heads = [_head(escape(name), width) for name, width in zip(header, widths, strict=True)]
    widths = [max(width, head.width) for width, head in zip(widths, heads, strict=True)]
    broken = widths[0] > FIRST
    widths[0] = min(widths[0], FIRST)
    groups = _groups(widths)
    wide = len(groups) > 1 or _total(widths) > COLUMN
    parts = [
        _tabular([head.text for head in heads], lines, [0, *group], broken=broken)
        for group in groups
        for lines in _pages(_with_cells(rows, group))
    ]
    high = sum(_height(row) for group in groups for row in _with_cells(rows, group))
    together = high <= MOST_LINES
    floats = [parts] if together else [[part] for part in parts]
    text = "".join(
        _float(
            one,
            caption=escape(caption) if at == 1 else f"{escape(caption)} (part {at})",
            label=label if at == 1 else f"{label}-{at}",
            wide=wide,
        )
        for at, one in enumerate(floats, 1)
    )
    comments = [f"% {line}" for line in source.splitlines()]
    if any(ord(letter) > LATIN and letter not in "–—‘’“”…" for letter in text):
        comments.append(OTHER_LETTERS)
    return "\n".join([*comments, text])


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column, and its width."""

    text: str
    width: float


def _head(name: str, column: float) -> Head:
    """The name of a column in two lines if it is wider than the cells below."""
    words = name.split()
    if len(words) < 2 or _width(name) <= column:
        return Head(name, _width(name))
    splits = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    upper, lower = min(splits, key=lambda one: max(map(_width, one)))
    return Head(rf"\shortstack[r]{{{upper}\\{lower}}}", max(_width(upper), _width(lower)))


def _float(parts: Sequence[str], *, caption: str, label: str, wide: bool) -> str:
    name = "table*" if wide else "table"
    return "\n".join(
        [
            rf"\begin{{{name}}}",
            rf"\centering\small\setlength{{\tabcolsep}}{{{BETWEEN / 2:g}pt}}",
            "\n\\par\\medskip\n".join(parts),
            rf"\caption{{{caption}}}",
            rf"\label{{{label}}}",
            rf"\end{{{name}}}",
            "",
        ]
    )


def _tabular(
    header: Sequence[str], rows: Sequence[Row], columns: Sequence[int], *, broken: bool
) -> str:
    first = f"p{{{FIRST:g}pt}}" if broken else "l"
    lines = [
        rf"\begin{{tabular}}{{{first}{'r' * (len(columns) - 1)}}}",
        r"\toprule",
        _line([header[at] for at in columns]),
        r"\midrule",
    ]
    for place, row in enumerate(rows):
        if isinstance(row, Heading):
            lines += [r"\addlinespace"] if place else []
            lines.append(rf"\multicolumn{{{len(columns)}}}{{l}}{{{row.text}}} \\")
        else:
            cells = [row[at] for at in columns]
            long = broken and _width(cells[0]) > FIRST
            lines.append(_line([_breakable(cells[0]) if long else cells[0], *cells[1:]]))
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _line(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _breakable(cell: str) -> str:
    """Allow a break after each sign of a long name."""
    return r"\raggedright " + re.sub(r"([:;,=+/]|\\[_{}])(?=\S)", r"\1\\hspace{0pt}", cell)


def _with_cells(rows: Sequence[Row], columns: Sequence[int]) -> list[Row]:
    """The rows with a cell in one of these columns, and the headings that have such a row."""
    remaining: list[Row] = []
    for row in rows:
        if isinstance(row, Heading):
            if remaining and isinstance(remaining[-1], Heading):
                remaining.pop()
            remaining.append(row)
        elif not columns or any(row[at] for at in columns):
            remaining.append(row)
    if remaining and isinstance(remaining[-1], Heading):
        remaining.pop()
    return remaining


def _pages(rows: Sequence[Row]) -> list[Sequence[Row]]:
    """Parts that fit on a page, each below the heading that its rows are under."""
    pages: list[list[Row]] = [[]]
    heading: Heading | None = None
    high = 0.0
    for row in rows:
        high += _height(row)
        if high > MOST_LINES:
            pages.append([heading] if heading and not isinstance(row, Heading) else [])
            high = sum(map(_height, [*pages[-1], row]))
        heading = row if isinstance(row, Heading) else heading
        pages[-1].append(row)
    return [*pages]


def _groups(widths: Sequence[float]) -> list[list[int]]:
    """The columns after the first in groups that fit beside it on a page."""
    groups: list[list[int]] = [[]]
    for at in range(1, len(widths)):
        if groups[-1] and _total([widths[0], *(widths[one] for one in groups[-1]), widths[at]]) > (
            PAGE
        ):
            groups.append([])
        groups[-1].append(at)
    return groups


def _total(widths: Sequence[float]) -> float:
    return sum(widths) + BETWEEN * len(widths)


def _widths(rows: Sequence[Sequence[str]], columns: int) -> list[float]:
    return [max((_width(row[at]) for row in rows), default=0.0) for at in range(columns)]


def _height(row: Row) -> float:
    """Lines of a row."""
    if isinstance(row, Heading):
        return 1.5
    return math.ceil(_width(row[0]) / FIRST)


def _width(cell: str) -> float:
    """An upper estimate of the width of a cell in points."""
    plain, _, script = cell.partition(r"{\scriptsize")
    return _points(plain) + SCRIPT * _points(script)


def _points(text: str) -> float:
    text = re.sub(r"\\[a-zA-Z]+(\{\})?", "x", text)
    return sum(map(_of_letter, re.sub(r"[\\{}$]", "", text)))


def _of_letter(letter: str) -> float:
    if ord(letter) > LATIN:
        return WIDE
    if letter in " .,:;|!'()[]-ijltfr":
        return NARROW + (0.6 if letter in "()-rf" else 0)
    if letter in "mwMW%&@":
        return WIDE
    if letter.isdigit():
        return DIGIT
    return UPPER if letter.isupper() else LOWER


# LaTeX tables of the reports.


Report = Mapping[str, Any]
CLOSING = "-- marks undefined values."
TOLD_APART = (
    "Systems that share no raised letter in a column are told apart there (permutation by phrase, "
    "p < .05 by max-T over all pairs). "
)
# What a person has in the place of a metric, by the key of the report's ceiling.
PEOPLE = {
    "leave_one_out": "One annotator with the rest",
    "split_half": "Half of the annotators with the other",
}
DECIDED = {"0": "no pass", "1": "a pass"}  # The values of decisions.
SIZES = {"n_units": "Texts", "n_ratings": "Ratings", "n_annotators": "Annotators"}


def agreement_table(
    report: Report, names: Mapping[str, str], signature: str, scales: Sequence[ScaleFacts] = ()
) -> str:
    """Return a row per coefficient; a column per scale and decision.

    The rows are in the order of `names`; what leads for names comes first where no scale is
    ordered. A cell is empty where the coefficient does not fit the scale. `scales` name their
    values; values of decisions are to fail and to pass.
    """
    blocks = {**report["scales"]}
    for name, block in report.get("passes", {}).items():
        blocks["All pass" if name == "ALL" else f"{name} passes"] = block
    rows = [
        [what, *(f"{block[key]:,}" if key in block else "" for block in blocks.values())]
        for key, what in SIZES.items()
        if any(key in block for block in blocks.values())
    ]
    for key in _order(list(report["scales"].values()), names):
        estimates = [
            None if key in block.get("unfit", ()) else block.get(key) for block in blocks.values()
        ]
        if any(estimates):
            rows.append([escape(names[key]), *(_cell(one) for one in estimates)])
    called: dict[str, Callable[[str], str]] = {scale.name: scale.called for scale in scales}
    each = [
        _each(block, called.get(name, str) if name in report["scales"] else DECIDED.__getitem__)
        for name, block in blocks.items()
    ]
    labels = dict.fromkeys(label for estimates in each for label in estimates)
    rows += [[escape(label), *(_cell(one.get(label)) for one in each)] for label in labels]
    caption = (
        f"Inter-annotator agreement. {_meaning(report, blocks.values())}{few(report)}{CLOSING}"
    )
    return latex_table(
        ["", *blocks], rows, caption=caption, label="tab:agreement", source=signature
    )


def few(report: Report) -> str:
    """What is to be said of intervals from few phrases; empty, or ending in a space."""
    return f"{report['warning']} " if report.get("warning") else ""


def cannot(report: Report) -> str:
    """What so few phrases cannot tell apart; empty, or ending in a space."""
    return f"{report['cannot_tell']} " if report.get("cannot_tell") else ""


def _each(block: Report, called: Callable[[str], str]) -> dict[str, Report]:
    """The agreement on each value, by what it is called."""
    return {f"Agreement on {called(v)}": one for v, one in block.get("specific", {}).items()}


def _order(scales: Sequence[Report], names: Mapping[str, str]) -> list[str]:
    unordered = bool(scales) and all("specific" in block for block in scales)
    head = [key for key in scales[0]["leads"] if key in names] if unordered else []
    return [*head, *(key for key in names if key not in head)]


def _cell(estimate: Report | None) -> str:
    if estimate is None:
        return ""
    return with_interval(estimate["value"], estimate.get("ci_low"), estimate.get("ci_high"))


def _meaning(report: Report, blocks: Iterable[Report]) -> str:
    """Return what the intervals generalise to, which may differ between statistics, and how they
    were made; or why there are none."""
    estimates = [
        estimate
        for block in blocks
        for estimate in block.values()
        if isinstance(estimate, Mapping) and estimate.get("value") is not None
    ]
    meanings = {one["generalises_to"] for one in estimates if one.get("generalises_to")}
    how = f", {report['how_made']}" if report.get("how_made") else ""
    text = (
        f"In brackets: 95 % intervals for {' or '.join(sorted(meanings))}{how}. "
        if meanings
        else ""
    )
    text += for_new_annotators(estimates)
    return text + "".join(f"Without brackets: {why}. " for why in reasons_of(estimates))


def for_new_annotators(estimates: Iterable[Report]) -> str:
    """Return how intervals for new annotators were made, or ""."""
    made = ((one.get("options") or {}).get("interval") for one in estimates)
    added = "Those for new annotators add the jackknife over annotators (Gwet 2014). "
    return added if str(NEW_ANNOTATORS) in map(str, made) else ""


def reasons_of(estimates: Iterable[Report]) -> list[str]:
    """Return why estimates with a value have no interval, each reason once."""
    each = ((one.get("options") or {}).get("no_interval") for one in estimates)
    return list(dict.fromkeys(str(why) for why in each if why))


def _plain(how: Plain, value: float | None) -> str:
    return number(value) if how == "share" or value is None else f"{value:,}"


def results_table(report: Report, names: Mapping[str, str], signature: str) -> str:
    """A row per system: how much it gave, its means, and the shares that pass; `names` by key."""
    systems = report["systems"]
    scales = list(next(iter(systems.values()))["scales"]) if systems else []
    header = ["System", *(names[one.key] for one in PLAIN)]
    values = list(product(PLAIN_OF_SCALES, scales))
    header += [f"{scale} {names[one.key]}" for one, scale in values]
    limits = report["thresholds"]
    header += [
        f"{scale} {names['pass']} ({limits[scale]:g})" for scale in scales if scale in limits
    ]
    header += [names["pass_all"]] if limits else []
    rows = []
    letters = shown_letters(report, letters_of(report))
    for label, system in systems.items():
        row = [escape(label), *(_plain(one.plain, system.get(one.key)) for one in PLAIN)]
        row += [
            _drawn(system["scales"][scale], one.key)
            + _raised(letters.get((one.key, scale), {}).get(label))
            for one, scale in values
        ]
        row += [_drawn(system["scales"][scale], "pass") for scale in scales if scale in limits]
        passing = _raised(letters.get(("pass_all", None), {}).get(label))
        rows.append(row + ([_drawn(system, "pass_all") + passing] if limits else []))
    method = f"{_method(systems)}{cannot(report) or TOLD_APART * any(letters.values())}"
    counted = "judgments of its texts" if report["unit"] == "judgment" else "its texts"
    caption = (
        f"Results per system by {report['unit']}; n: {counted}, in all {report['judgments']:,} of "
        f"{report['contexts']:,} items. {method}{few(report)}{CLOSING}"
    )
    return latex_table(header, rows, caption=caption, label="tab:results", source=signature)


def letters_of(report: Report) -> dict[tuple[str, str | None], Mapping[str, str]]:
    """The compact letters of the systems by outcome and scale; reports of earlier versions and of
    systems that are not compared have none."""
    return {
        (one["outcome"], one["scale"]): one["letters"]
        for one in report.get("clusters", ())
        if len(one.get("letters", ())) > 1
    }


def shown_letters(
    report: Report, letters: Mapping[Any, Mapping[str, str]]
) -> Mapping[Any, Mapping[str, str]]:
    """The letters that a paper prints: none where so few phrases can tell nothing apart."""
    return {} if report.get("cannot_tell") else letters


def _raised(letters: str | None) -> str:
    return f"\\textsuperscript{{{letters}}}" if letters else ""


def _drawn(block: Report, key: str) -> str:
    interval = block.get(f"{key}_bootstrap") or {}
    return with_interval(block.get(key), interval.get("low"), interval.get("high"))


def _method(systems: Mapping[str, Report]) -> str:
    """How the intervals of means and of shares were made, or why there are none."""
    own = [
        one
        for system in systems.values()
        for one in (
            *(scale.get("mean_bootstrap") for scale in system["scales"].values()),
            system.get("pass_all_bootstrap"),
        )
        if one
    ]
    methods = how_or_why(own)
    parts = [
        f"{head}: {'; '.join(each)}. " for head, each in zip(HEADS, methods, strict=True) if each
    ]
    return "".join(parts)


HEADS = ("In brackets", "Without brackets")


def how_or_why(intervals: Iterable[Report]) -> tuple[list[str], list[str]]:
    """Return how intervals of systems were made, and why others are missing; each once."""
    given: dict[str, None] = {}
    missing: dict[str, None] = {}
    for one in intervals:
        if one.get("low") is not None and one.get("method"):
            given[str(one["method"])] = None
        elif one.get("reason"):
            missing[str(one["reason"])] = None
    return list(given), list(missing)


def correlation_table(
    report: Report, names: Mapping[str, str], signature: str, *, metrics: Mapping[str, str]
) -> str:
    """A part per human column, in it a row per metric with n and the coefficients of `names`, and
    what people reach. metrics: printed names of the metrics by label."""
    rows: list[Row] = []
    for column, block in report["human"].items():
        rows.append(Heading(rf"\emph{{{escape(column)}}}"))
        for label, estimates in block["metrics"].items():
            cells = [_cell(estimates.get(key)) for key in names]
            rows.append([escape(metrics.get(label, label)), _texts(estimates, names), *cells])
        for kind, estimates in report.get("ceiling", {}).get(column, {}).items():
            cells = [_cell(estimates.get(key)) for key in names]
            rows.append([PEOPLE.get(kind, escape(kind)), _texts(estimates, names), *cells])
    turned = [metrics.get(run["label"], run["label"]) for run in report["runs"] if run["turned"]]
    meaning = _meaning(
        report,
        (
            estimates
            for block in report["human"].values()
            for estimates in block["metrics"].values()
        ),
    )
    caption = (
        f"Correlation of metrics with human judgments ({report['n']:,} texts of "
        f"{report['clusters']:,} phrases; n: texts with both values), and of people with people. "
        "Higher is better in every column"
        f"{_reversed(turned)}. {compared_with(report['runs'], metrics)}{meaning}{few(report)}"
        f"{CLOSING}"
    )
    header = ["", "n", *names.values()]
    return latex_table(header, rows, caption=caption, label="tab:correlation", source=signature)


def _texts(estimates: Report, names: Iterable[str]) -> str:
    """The number of texts behind a row: that of its first coefficient, for others count pairs."""
    n = next((estimates[key]["n"] for key in names if key in estimates), None)
    return f"{n:,}" if n else "--"


def _reversed(turned: list[str]) -> str:
    return f"; signs are reversed of {', '.join(turned)}" if turned else ""
