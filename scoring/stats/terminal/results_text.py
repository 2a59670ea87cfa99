"""Results of systems, and gold, as text for the terminal: the table of the guide, pairs and
clusters of systems; methods of gold side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from scoring.stats.intervals import TWO_SYSTEMS, cannot_tell
from scoring.stats.systems.catalogue import COUNTS_LAST, PLAIN_OF_SCALES, SystemNumber
from scoring.stats.systems.catalogue import named as named_of
from scoring.stats.terminal.text import INDEPENDENT, grid, number

Json = Mapping[str, Any]
DASH = "-"
INTERVALS = 10
DECIDED = ("p_clustered",)  # Of McNemar's tests.
DECIDED_AS_IN_PAPER = ("p_clustered", "p_value", "level")
COLUMNS = (
    "n",
    "ties",
    "difference",
    "interval",
    "p_value",
    "p_max_t",
    "p_holm",
    "p_clustered",
)
COLUMNS_AS_IN_PAPER = (*COLUMNS, "mcnemar", "level")
LISTED_VALUES = 30
INTERVALS_OF_ALL = ("pass_all_bootstrap", "pass_all_interval")
SYSTEM, SCALE, PAIR = named_of("system"), named_of("scale"), named_of("pair")
CLUSTERS = named_of("clusters")


def results_lines(
    report: Json, *, unadjusted: bool = False, as_in_paper: bool = False
) -> list[str]:
    """Return the JSON of `results` as lines, with a dash for a missing value; with `unadjusted` the
    clusters of the WMT shared tasks too, with `as_in_paper` what takes texts for independent."""
    systems = report["systems"]
    scales = list(next(iter(systems.values()))["scales"]) if systems else []
    lines = []
    for scale in scales:
        lines += [*grid(_distribution(systems, scale)), ""]
    lines += [*grid(_passes(report, systems, as_in_paper)), ""]
    for scale, column in product(scales, PLAIN_OF_SCALES):
        rows = _values(systems, scale, column)
        lines += [*grid(rows), ""] if rows else []
    lines += _counts(report)
    for entry in report["clusters"]:
        lines += _clusters(entry, unadjusted)
    if report["clusters"]:
        lines += [report["cluster_rule"], ""]
    cannot = cannot_tell(report["phrases"], TWO_SYSTEMS) if report["pairs"] else None
    lines += [cannot, ""] if cannot else []
    lines += grid(_pairs(report["pairs"], as_in_paper)) if report["pairs"] else []
    lines += [INDEPENDENT] if as_in_paper else []
    looks = report.get("looks") or {}
    lines += [looks["told"]] if looks.get("told") else []
    reasons = sorted({row["reason"] for row in report["pairs"] if row["reason"]})
    return [*lines, *reasons, *([report["pairs_reason"]] if report.get("pairs_reason") else [])]


def _head(name: str, systems: Json) -> tuple[str, ...]:
    return (name, *systems)


def _distribution(systems: Json, scale: str) -> list[tuple[str, ...]]:
    rows = shares_table([one["scales"][scale]["distribution"] for one in systems.values()])
    return [_head(scale, systems), *((value, *map(_share, shares)) for value, shares in rows)]


def shares_table(distributions: Sequence[Mapping[str, float]]) -> list[tuple[str, list[float]]]:
    """Return the share of each value by system, highest value first; many values are binned."""
    values = sorted({float(value) for one in distributions for value in one})
    if len(values) <= LISTED_VALUES:
        return [
            (f"{value:.12g}", [one.get(f"{value:.12g}", 0.0) for one in distributions])
            for value in reversed(values)
        ]
    low, width = values[0], (values[-1] - values[0]) / INTERVALS
    rows = []
    for place in reversed(range(INTERVALS)):
        ends = low + place * width, low + (place + 1) * width
        shares = [
            sum(
                share
                for value, share in one.items()
                if min(INTERVALS - 1, int((float(value) - low) / width)) == place
            )
            for one in distributions
        ]
        rows.append((f"{ends[0]:.4g} – {ends[1]:.4g}", shares))
    return rows


def _passes(report: Json, systems: Json, as_in_paper: bool) -> list[tuple[str, ...]]:
    limits = ", ".join(f"{scale} {value:g}" for scale, value in report["thresholds"].items())
    rows = [_head(f"PASSED ({limits})" if limits else "NO THRESHOLD", systems)]
    of = list(systems.values())
    rows += [
        (scale, *(_share(one["scales"][scale]["pass"]) for one in of))
        for scale in report["thresholds"]
    ]
    for key in ("pass_all", "pass_all_bootstrap", "pass_all_interval"):
        written = _ends if key in INTERVALS_OF_ALL else _share
        if as_in_paper or key != "pass_all_interval":
            rows.append((SYSTEM[key].line, *(written(one[key]) for one in of)))
    for column in COUNTS_LAST:
        values = [one.get(column.key) for one in of]
        rows.append((column.line, *map(str if column.plain == "count" else _share, values)))
    return rows


def _values(systems: Json, scale: str, number: SystemNumber) -> list[tuple[str, ...]]:
    """Return a number of a scale, with its interval if it has one."""
    key, drawn = number.key, f"{number.key}_bootstrap"
    of = [one["scales"][scale] for one in systems.values()]
    if all(one[key] is None for one in of):
        return []
    rows = [
        _head(f"{scale} {number.line.upper()}", systems),
        (number.line, *(_share(one[key]) for one in of)),
    ]
    if drawn in SCALE:
        rows.append((SCALE[drawn].line, *(_ends(one[drawn]) for one in of)))
    return rows


def _counts(report: Json) -> list[str]:
    lines = [
        f"{report['phrases']} phrases ({report['phrases_excluded']} excluded), "
        f"{report['contexts']} contexts, {report['judgments']} judgments; unit: {report['unit']}."
    ]
    lines += _how_intervals(report)
    lines += [report["warning"]] if report.get("warning") else []
    made = report.get("gold")
    if made:
        lines.append(f"Gold: {made['made_by']}.")
        lines += [made["pass_reason"]] if made["pass_reason"] else []
    return [*lines, *([report["exclusion_rule"]] if "exclusion_rule" in report else []), ""]


def _how_intervals(report: Json) -> list[str]:
    """Return how the intervals were made, or why there are none, each once."""
    means = [part for one in report["systems"].values() for part in one["scales"].values()]
    passed = [*report["systems"].values()]
    all_of = [
        *(one.get("mean_bootstrap") for one in means),
        *(one.get("pass_bootstrap") for one in means),
        *(one.get("pass_all_bootstrap") for one in passed),
        *(row["interval"] for row in report["pairs"]),
    ]
    each = [one.get("reason") or one["method"] for one in all_of if one]
    return [f"intervals: {'; '.join(dict.fromkeys(map(str, each)))}"] if each else []


def _clusters(entry: Json, unadjusted: bool) -> Iterator[str]:
    for key in ("groups", *(["groups_unadjusted"] if unadjusted else [])):
        groups = " > ".join(" = ".join(group) for group in entry[key])
        yield f"{CLUSTERS[key].line} by {_outcome(entry)}: {groups or DASH}"
    letters = [f"{label} {one}" for label, one in entry["letters"].items()]
    yield f"{CLUSTERS['letters'].line} by {_outcome(entry)}: {', '.join(letters) or DASH}"
    ranks = [f"{label} {low}-{high}" for label, (low, high) in entry["ranks"].items()]
    yield f"{CLUSTERS['ranks'].line} by {_outcome(entry)}: {', '.join(ranks) or DASH}"


def _pairs(rows: Iterable[Json], as_in_paper: bool) -> list[tuple[str, ...]]:
    columns = COLUMNS_AS_IN_PAPER if as_in_paper else COLUMNS
    decided = DECIDED_AS_IN_PAPER if as_in_paper else DECIDED
    table: list[tuple[str, ...]] = [("pair", "by", *(PAIR[key].line for key in columns))]
    for row in rows:
        mcnemar = row.get("mcnemar")
        gap = row["difference"]
        table.append(
            (
                f"{row['a']} - {row['b']}",
                _outcome(row),
                str(row["n"]),
                str(row["ties"]),
                DASH if gap is None else f"{gap:+.3f}",
                _ends(row["interval"]),
                _p(row["p_value"]),
                _p(row["p_max_t"]),
                _p(row["p_holm"]),
                *(_p(mcnemar.get(key)) if mcnemar else "" for key in decided),
            )
        )
    return table


def _outcome(entry: Json) -> str:
    return "all thresholds" if entry["scale"] is None else f"mean {entry['scale']}"


def _share(value: float | None) -> str:
    return DASH if value is None else f"{value:.2f}"


def _ends(interval: Json | None) -> str:
    if interval is None or interval["low"] is None:
        return DASH
    return f"[{interval['low']:.2f}, {interval['high']:.2f}]"


def _p(value: float | None) -> str:
    if value is None:
        return DASH
    return "<.001" if value < 0.001 else f"{value:.3f}"


# The gold report as text for the terminal.


def gold_lines(report: Json) -> list[str]:
    """Return the report as lines: per column and for the pass decisions the methods and their
    comparison, per scale with a threshold the borderline decisions."""
    lines: list[str] = []
    columns = list(next(iter(report["methods"].values()))["columns"]) if report["methods"] else []
    for name in columns:
        of = {method: one["columns"][name] for method, one in report["methods"].items()}
        lines += [*grid(_methods(name, of)), ""]
        rows = report["comparison"]["columns"][name]
        lines += [*grid(_correlations(rows)), ""] if rows else []
    if report["methods"]:
        of = {method: one["passes"] for method, one in report["methods"].items()}
        lines += [*grid(_gold_passes(of)), ""]
    if report["comparison"]["passes"]:
        lines += [*grid(_differences(report["comparison"]["passes"])), ""]
    for scale, part in report["straddling"].items():
        lines += [*_borderline(scale, part), ""]
    return lines


def _methods(name: str, of: Json) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [
        (name, "texts", "mean", "sd", "median", "confidence", "width of 95 %", "undefined because")
    ]
    for method, one in of.items():
        middle = None if one["quartiles"] is None else one["quartiles"][2]
        numbers = (one["mean"], one["sd"], middle, one["confidence"], one["interval_width"])
        rows.append((method, str(one["n"]), *map(number, numbers), one["reason"] or ""))
    return rows


def _correlations(rows: list[Json]) -> list[tuple[str, ...]]:
    return [
        ("methods", "texts", "Pearson", "Spearman", "undefined because"),
        *(
            (
                f"{row['a']}, {row['b']}",
                str(row["n"]),
                number(row["pearson"]),
                number(row["spearman"]),
                row["reason"] or "",
            )
            for row in rows
        ),
    ]


def _gold_passes(of: Json) -> list[tuple[str, ...]]:
    return [
        ("PASS", "texts", "share", "confidence", "method, or why undefined"),
        *(
            (
                method,
                str(one["n"]),
                number(one["mean"]),
                number(one["confidence"]),
                one["reason"] or one["method"],
            )
            for method, one in of.items()
        ),
    ]


def _differences(rows: list[Json]) -> list[tuple[str, ...]]:
    return [
        ("decisions", "texts", "differ"),
        *((f"{row['a']}, {row['b']}", str(row["n"]), str(row["differ"])) for row in rows),
    ]


def _borderline(scale: str, part: Json) -> list[str]:
    lines = [
        f"{scale} {'from' if part['higher_is_better'] else 'up to'} {part['threshold']:g}: "
        f"{part['decisions']} decisions, {part['passing']} pass; the interval of "
        f"{part['straddling']} contains the threshold, {part['flipping']} depend on one annotator, "
        f"{part['alone']} on one rating."
    ]
    if part["annotators"] is None:
        return [*lines, part["reason"]]
    rows: list[tuple[str, ...]] = [("without", "decisions reversed", "lost")]
    rows += [(one["annotator"], str(one["flips"]), str(one["lost"])) for one in part["annotators"]]
    return [*lines, *grid(rows)]
