"""Reports as text for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from scoring.stats.agreement.catalogue import fit_of_answer, fitting
from scoring.stats.intervals import TWO_METRICS, TWO_SYSTEMS, cannot_tell
from scoring.stats.systems.catalogue import named as named_of


def number(value: float | None) -> str:
    """Format with three decimals, or as a dash if missing."""
    return "-" if value is None else f"{value:.3f}"


def _interval(entry: Mapping[str, Any]) -> str:
    if entry["ci_low"] is None:
        return ""
    return f"[{entry['ci_low']:.3f}, {entry['ci_high']:.3f}]"


def _note(entry: Mapping[str, Any]) -> str:
    return str(entry["reason"] or entry["method"])


def grid(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines with aligned columns."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _statistics(entries: Mapping[str, Any]) -> list[str]:
    rows = [("statistic", "value", "95 %", "generalises to", "n", "method, or why undefined")]
    keys = [key for key in fitting(entries.get("answer")) if key in entries]
    # Decisions are 0 and 1: not to pass and to pass.
    named = {"0": "no pass", "1": "a pass"} if "thresholds" in entries else {}
    each = entries.get("specific", {})
    specific = {f"agreement on {named.get(v, v)}": one for v, one in each.items()}
    for name, entry in {**{key: entries[key] for key in keys}, **specific}.items():
        target = entry["generalises_to"] or entry["options"].get("no_interval") or ""
        value = number(entry["value"])
        rows.append((name, value, _interval(entry), target, str(entry["n"]), _note(entry)))
        rows += [
            ("", "", _interval(other), other["generalises_to"], "", "also")
            for other in entry.get("also", ())
        ]
    return grid(rows)


VERDICTS = {
    "yes": "annotators agree well enough to rely on their judgments",
    "tentative": "annotators agree well enough for tentative conclusions",
    "no": "annotators agree too little to rely on single judgments",
    "unsure": "inconclusive whether annotators agree well enough: the interval contains .667",
    "all agree": "inconclusive whether annotators agree well enough: all agree, so no interval",
    "no width": "inconclusive whether annotators agree well enough: every draw is alike",
    "no interval": "inconclusive whether annotators agree well enough: there is no interval",
    "undefined": "inconclusive whether annotators agree well enough: agreement is undefined",
}


def _answer(entry: Mapping[str, Any]) -> list[str]:
    """Return the verdict of a scale, and the intraclass correlation suited to its design."""
    if "answer" not in entry:
        return []
    answer = entry["answer"]
    line = f"{VERDICTS[answer['verdict']]} ({answer['coefficient']})"
    if answer["verdict"] == "no interval":
        line += f": {entry[answer['coefficient']]['options'].get('no_interval', '')}"
    if fit_of_answer(answer) == "ordered":
        line += f"; design: {answer['icc']}"
    if answer["bands"]:
        line += ", " + " to ".join(dict.fromkeys(answer["bands"]))
    if answer.get("gold"):
        line += f" ({answer['gold']['generalises_to']})"
    extra = entry.get("extra_ratings")
    if not extra or not extra["notice"]:
        return [line]
    return [
        line,
        f"texts with more ratings disagree more ({extra['more']:.2f} of pairs, else "
        f"{extra['fewer']:.2f}): if ratings were added where annotators disagreed, all is biased",
    ]


def _influence(entry: Mapping[str, Any]) -> list[str]:
    """Return the coefficients without each annotator, and their intervals for new annotators."""
    if "influence" not in entry:
        return []
    influence = entry["influence"]
    if influence["reason"]:
        return ["", f"influence: {influence['reason']}"]
    rows = [("without", "ratings", *influence["names"])]
    rows += [
        (
            row["annotator"],
            str(row["n"]),
            *(number(row["values"][name]) for name in influence["names"]),
        )
        for row in influence["annotators"]
    ]
    if influence["new_annotators"]:
        new = [influence["new_annotators"][name] for name in influence["names"]]
        rows.append(("95 %, new annotators", "", *(_interval(one) or "-" for one in new)))
    return ["", *grid(rows)]


def _chance(entry: Mapping[str, Any]) -> list[str]:
    """Return the permutation test of chance agreement."""
    if "chance" not in entry:
        return []
    chance = entry["chance"]
    if chance["reason"]:
        return ["", f"chance: {chance['reason']}"]
    rows = [("better than chance?", "value", "by chance", "p")]
    for name, test in chance["tests"].items():
        rows.append((name, number(test["value"]), number(test["chance"]), f"{test['p_value']:.2g}"))
    return ["", f"{chance['permutations']} permutations: {chance['method']}", *grid(rows)]


def agreement_text(report: Mapping[str, Any]) -> str:
    """Return the report of `agreement` as tables, one per scale."""
    lines = [report["warning"], ""] if report.get("warning") else []
    blocks = {**report["scales"]}
    blocks |= {f"PASS {name}": entry for name, entry in report.get("passes", {}).items()}
    for scale, entry in blocks.items():
        lines.append(
            f"{scale}: {entry['n_units']} units, {entry['n_annotators'] or 'anonymous'} "
            f"annotators, {entry['n_ratings']} ratings"
        )
        lines += [*_answer(entry), *_statistics(entry), *_influence(entry), *_chance(entry), ""]
    return "\n".join(lines).rstrip()


INDEPENDENT = "independent: texts taken as independent, as in papers, which they are not"


def correlation_text(report: Mapping[str, Any], *, as_in_paper: bool = False) -> str:
    """Return the report of `correlate` as tables, two per human column; with `as_in_paper` also
    what takes texts for independent."""
    clusters = report["clusters"]
    lines = [f"{report['n']} rows" + ("" if clusters is None else f" in {clusters} clusters")]
    lines += [report["warning"]] if report.get("warning") else []
    if report.get("turned"):
        lines.append(f"lower is better, so the sign is reversed: {', '.join(report['turned'])}")
    for human, block in report["human"].items():
        own = ("p, independent",) if as_in_paper else ()
        rows = [(human, "coefficient", "value", "95 %", *own, "n", "method, or why undefined")]
        for metric, coefficients in block["metrics"].items():
            for name, entry in {**coefficients, **block["further"][metric]}.items():
                own = (_p_value(entry.get("p_value")),) if as_in_paper else ()
                ends = _interval(entry) or entry["options"].get("no_interval", "")
                cells = (metric, name, number(entry["value"]), ends, *own, str(entry["n"]))
                rows.append((*cells, _note(entry)))
        lines += ["", *grid(rows)]
        if block["comparisons"]:
            lines += ["", *_comparisons(block["comparisons"])]
            lines += ["", *_published(block["comparisons"])] if as_in_paper else []
            lines += ["", *_letters(block["significance_letters"])]
            cannot = cannot_tell(clusters or report["n"], TWO_METRICS, len(block["comparisons"]))
            lines += [cannot] if cannot else []
    return "\n".join(lines)


def _letters(letters: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Return the letters of metrics (permutation test, Holm), best first."""
    return [
        f"{name}, best first; a letter in common: not told apart: "
        + ", ".join(f"{metric} {one}" for metric, one in by_metric.items())
        for name, by_metric in letters.items()
    ]


def _p_value(value: float | None) -> str:
    return "-" if value is None else f"{value:.2g}"


def _comparisons(entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the differences of metrics with the tests by cluster."""
    tests = ("permutation_p", "holm_p", "mcnemar_clustered_p")
    rows: list[tuple[str, ...]] = [
        ("comparison", "difference of r", "95 %", *tests, "undefined because")
    ]
    for entry in entries:
        gap = entry["difference"]
        why = {entry["reasons"].get(test, "") for test in tests} - {""}
        rows.append(
            (
                f"{entry['a']} - {entry['b']}",
                "-" if gap is None else number(gap["value"]),
                "" if gap is None else _interval(gap),
                *(_p_value(entry[test]) for test in tests),
                "; ".join(sorted(why)),
            )
        )
    return grid(rows)


def _published(entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the tests that take texts for independent."""
    tests = ("williams_p", "steiger_p", "meng_p", "mcnemar_p")
    rows: list[tuple[str, ...]] = [
        ("independent", *tests, "Zou 95 %", "undefined because, or too bold")
    ]
    for entry in entries:
        zou = entry.get("zou")
        why = {entry["reasons"].get(test, "") for test in tests} | {*entry["warnings"].values()}
        rows.append(
            (
                f"{entry['a']} - {entry['b']}",
                *(_p_value(entry[test]) for test in tests),
                f"[{zou['low']:.3f}, {zou['high']:.3f}]" if zou else "-",
                "; ".join(sorted(why - {""})),
            )
        )
    return [INDEPENDENT, *grid(rows)]


# Results as text for the terminal: the table of the guide, pairs and clusters of systems.


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
    for scale in scales:
        rows = _intervals(systems, scale)
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
    for key in ("pass_all", "pass_all_bootstrap", "pass_all_interval", "coverage", "n"):
        written = _ends if key in INTERVALS_OF_ALL else str if key == "n" else _share
        if as_in_paper or key != "pass_all_interval":
            rows.append((SYSTEM[key].line, *(written(one[key]) for one in of)))
    return rows


def _intervals(systems: Json, scale: str) -> list[tuple[str, ...]]:
    of = [one["scales"][scale] for one in systems.values()]
    if all(one["mean"] is None for one in of):
        return []
    return [
        _head(f"{scale} MEAN", systems),
        (SCALE["mean"].line, *(_share(one["mean"]) for one in of)),
        (SCALE["mean_bootstrap"].line, *(_ends(one["mean_bootstrap"]) for one in of)),
    ]


def _counts(report: Json) -> list[str]:
    lines = [
        f"{report['phrases']} phrases ({report['phrases_excluded']} excluded), "
        f"{report['contexts']} contexts, {report['judgments']} judgments; unit: {report['unit']}."
    ]
    lines += [report["warning"]] if report.get("warning") else []
    made = report.get("gold")
    if made:
        lines.append(f"Gold: {made['made_by']}.")
        lines += [made["pass_reason"]] if made["pass_reason"] else []
    return [*lines, *([report["exclusion_rule"]] if "exclusion_rule" in report else []), ""]


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
