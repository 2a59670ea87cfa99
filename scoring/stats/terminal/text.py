"""Reports of agreement and correlation as text for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.stats.agreement.catalogue import fit_of_answer, fitting
from scoring.stats.agreement.influence import cannot_grade
from scoring.stats.agreement.verdicts import VERDICTS
from scoring.stats.intervals import cannot_tell_metrics, how_made


def number(value: float | None) -> str:
    """Format with three decimals, or as a dash if missing."""
    return "-" if value is None else f"{value:.3f}"


def _interval(entry: Mapping[str, Any]) -> str:
    if entry["ci_low"] is None:
        return ""
    return f"[{entry['ci_low']:.3f}, {entry['ci_high']:.3f}]"


def _interval_or_reason(entry: Mapping[str, Any]) -> str:
    return _interval(entry) or str(entry["options"].get("no_interval", ""))


def _about_intervals(report: Mapping[str, Any]) -> list[str]:
    """Return how the intervals of a report were made, and the warning about few clusters."""
    how = how_made(report)
    made = [f"intervals of 95 %: {how}"] if how else []
    return made + ([report["warning"]] if report.get("warning") else [])


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


def _answer(entry: Mapping[str, Any]) -> list[str]:
    """Return the verdict of a scale, and the intraclass correlation suited to its design."""
    if "answer" not in entry:
        return []
    answer = entry["answer"]
    line = f"{VERDICTS[answer['verdict']].printed} ({answer['coefficient']})"
    if answer["verdict"] == "no interval":
        line += f": {entry[answer['coefficient']]['options'].get('no_interval', '')}"
    if fit_of_answer(answer) == "ordered":
        line += f"; design: {answer['icc']}"
    if answer["bands"]:
        line += ", cannot say: " if cannot_grade(answer["bands"]) else ", "
        line += " to ".join(dict.fromkeys(answer["bands"]))
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
    rows = [("better than chance?", "value", "by chance", "p, independent")]
    for name, test in chance["tests"].items():
        rows.append((name, number(test["value"]), number(test["chance"]), f"{test['p_value']:.2g}"))
    return ["", f"{chance['permutations']} permutations: {chance['method']}", *grid(rows)]


def agreement_text(report: Mapping[str, Any]) -> str:
    """Return the report of `agreement` as tables, one per scale."""
    about = _about_intervals(report)
    lines = [*about, ""] if about else []
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
    lines += _about_intervals(report)
    if report.get("turned"):
        lines.append(f"lower is better, so the sign is reversed: {', '.join(report['turned'])}")
    for human, block in report["human"].items():
        over_texts = {
            metric: {**coefficients, **block["further"][metric]}
            for metric, coefficients in block["metrics"].items()
        }
        lines += ["", *_coefficients(human, over_texts, as_in_paper)]
        if block.get("systems"):
            over_systems = {
                metric: {name: one for name, one in level.items() if name != "systems"}
                for metric, level in block["systems"].items()
            }
            lines += ["", *_coefficients(f"{human}, systems", over_systems, as_in_paper)]
        if block["comparisons"]:
            lines += ["", *_comparisons(block["comparisons"])]
            lines += ["", *_published(block["comparisons"])] if as_in_paper else []
            lines += ["", *_letters(block["significance_letters"])]
            cannot = cannot_tell_metrics(block, clusters or report["n"])
            lines += [cannot] if cannot else []
    return "\n".join(lines)


def _coefficients(
    head: str, entries: Mapping[str, Mapping[str, Mapping[str, Any]]], as_in_paper: bool
) -> list[str]:
    own = ("p, independent",) if as_in_paper else ()
    rows = [(head, "coefficient", "value", "95 %", *own, "n", "method, or why undefined")]
    for metric, named in entries.items():
        for name, entry in named.items():
            own = (_p_value(entry.get("p_value")),) if as_in_paper else ()
            cells = (metric, name, number(entry["value"]), _interval_or_reason(entry), *own)
            rows.append((*cells, str(entry["n"]), _note(entry)))
    return grid(rows)


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
                "" if gap is None else _interval_or_reason(gap),
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
        why = {entry["reasons"].get(test, "") for test in tests}
        why |= {f"{test}: {one}" for test, one in entry["warnings"].items()}
        rows.append(
            (
                f"{entry['a']} - {entry['b']}",
                *(_p_value(entry[test]) for test in tests),
                f"[{zou['low']:.3f}, {zou['high']:.3f}]" if zou else "-",
                "; ".join(sorted(why - {""})),
            )
        )
    return [INDEPENDENT, *grid(rows)]
