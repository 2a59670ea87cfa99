"""LaTeX tables of the reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from scoring.paper.compared import compared_with
from scoring.paper.facts import ScaleFacts
from scoring.paper.latex import Heading, Row, escape, latex_table, number, with_interval

Report = Mapping[str, Any]
CLOSING = "-- marks undefined values."
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
        found = [
            None if key in block.get("unfit", ()) else block.get(key) for block in blocks.values()
        ]
        if any(found):
            rows.append([escape(names[key]), *(_cell(one) for one in found)])
    called: dict[str, Callable[[str], str]] = {scale.name: scale.called for scale in scales}
    each = [
        _each(block, called.get(name, str) if name in report["scales"] else DECIDED.__getitem__)
        for name, block in blocks.items()
    ]
    labels = dict.fromkeys(label for found in each for label in found)
    rows += [[escape(label), *(_cell(one.get(label)) for one in each)] for label in labels]
    caption = f"Inter-annotator agreement. {_meaning(blocks.values())}{CLOSING}"
    return latex_table(
        ["", *blocks], rows, caption=caption, label="tab:agreement", source=signature
    )


def _each(block: Report, called: Callable[[str], str]) -> dict[str, Report]:
    """The agreement on each value, by what it is called."""
    return {f"Agreement on {called(v)}": one for v, one in block.get("specific", {}).items()}


def _order(scales: Sequence[Report], names: Mapping[str, str]) -> list[str]:
    unordered = bool(scales) and all("specific" in block for block in scales)
    head = [key for key in scales[0]["leads"] if key in names] if unordered else []
    return [*head, *(key for key in names if key not in head)]


def _cell(found: Report | None) -> str:
    if found is None:
        return ""
    return with_interval(found["value"], found.get("ci_low"), found.get("ci_high"))


def _meaning(blocks: Iterable[Report]) -> str:
    """Return what the intervals generalise to, which may differ between statistics."""
    said = {
        found["generalises_to"]
        for block in blocks
        for found in block.values()
        if isinstance(found, Mapping) and found.get("generalises_to")
    }
    return f"In brackets: 95 % intervals for {' or '.join(sorted(said))}. " if said else ""


def results_table(report: Report, names: Mapping[str, str], signature: str) -> str:
    """A row per system: how much it gave, its means, and the shares that pass; `names` by key."""
    systems = report["systems"]
    scales = list(next(iter(systems.values()))["scales"]) if systems else []
    header = ["System", names["n"], names["coverage"]]
    header += [f"{scale} {names['mean']}" for scale in scales]
    limits = report["thresholds"]
    header += [
        f"{scale} {names['pass']} ({limits[scale]:g})" for scale in scales if scale in limits
    ]
    header += [names["pass_all"]] if limits else []
    rows = []
    for label, system in systems.items():
        row = [escape(label), f"{system['n']:,}", number(system["coverage"])]
        row += [_drawn(system["scales"][scale], "mean") for scale in scales]
        row += [_drawn(system["scales"][scale], "pass") for scale in scales if scale in limits]
        rows.append(row + ([_drawn(system, "pass_all")] if limits else []))
    method = _method(systems)
    counted = "judgments of its texts" if report["unit"] == "judgment" else "its texts"
    caption = (
        f"Results per system by {report['unit']}; n: {counted}, in all {report['judgments']:,} of "
        f"{report['contexts']:,} items. {method}{CLOSING}"
    )
    return latex_table(header, rows, caption=caption, label="tab:results", source=signature)


def _drawn(found: Report, key: str) -> str:
    interval = found.get(f"{key}_bootstrap") or {}
    return with_interval(found.get(key), interval.get("low"), interval.get("high"))


def _method(systems: Mapping[str, Report]) -> str:
    for system in systems.values():
        method = (system.get("pass_all_bootstrap") or {}).get("method")
        if method:
            return f"In brackets: {method}. "
    return ""


def correlation_table(
    report: Report, names: Mapping[str, str], signature: str, *, metrics: Mapping[str, str]
) -> str:
    """A part per human column, in it a row per metric with n and the coefficients of `names`, and
    what people reach. metrics: printed names of the metrics by label."""
    rows: list[Row] = []
    for column, block in report["human"].items():
        rows.append(Heading(rf"\emph{{{escape(column)}}}"))
        for label, found in block["metrics"].items():
            cells = [_cell(found.get(key)) for key in names]
            rows.append([escape(metrics.get(label, label)), _texts(found, names), *cells])
        for kind, found in report.get("ceiling", {}).get(column, {}).items():
            cells = [_cell(found.get(key)) for key in names]
            rows.append([PEOPLE.get(kind, escape(kind)), _texts(found, names), *cells])
    turned = [metrics.get(run["label"], run["label"]) for run in report["runs"] if run["turned"]]
    meaning = _meaning(
        found for block in report["human"].values() for found in block["metrics"].values()
    )
    caption = (
        f"Correlation of metrics with human judgments ({report['n']:,} texts of "
        f"{report['clusters']:,} items; n: texts with both values), and of people with people. "
        "Higher is better in every column"
        f"{_reversed(turned)}. {compared_with(report['runs'], metrics)}{meaning}{CLOSING}"
    )
    header = ["", "n", *names.values()]
    return latex_table(header, rows, caption=caption, label="tab:correlation", source=signature)


def _texts(found: Report, names: Iterable[str]) -> str:
    """The number of texts behind a row: that of its first coefficient, for others count pairs."""
    n = next((found[key]["n"] for key in names if key in found), None)
    return f"{n:,}" if n else "--"


def _reversed(turned: list[str]) -> str:
    return f"; signs are reversed of {', '.join(turned)}" if turned else ""
