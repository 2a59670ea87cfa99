"""LaTeX tables of the reports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.paper.latex import escape, latex_table, number, with_interval

Report = Mapping[str, Any]
CLOSING = "-- marks undefined values."


def agreement_table(report: Report, names: Mapping[str, str], signature: str) -> str:
    """Return a row per coefficient, in the order of `names`; a column per scale and decision."""
    blocks = {**report["scales"]}
    for name, block in report.get("passes", {}).items():
        blocks["All pass" if name == "ALL" else f"{name} passes"] = block
    rows = []
    for key, name in names.items():
        found = [block.get(key) for block in blocks.values()]
        if any(found):
            rows.append([escape(name), *(_cell(one) for one in found)])
    sizes = [f"{scale} {block['n_units']} units" for scale, block in blocks.items()]
    caption = f"Inter-annotator agreement ({', '.join(sizes)}). {_meaning(blocks)}{CLOSING}"
    return latex_table(
        ["", *blocks], rows, caption=caption, label="tab:agreement", source=signature
    )


def _cell(found: Report | None) -> str:
    if found is None:
        return ""
    return with_interval(found["value"], found.get("ci_low"), found.get("ci_high"))


def _meaning(blocks: Mapping[str, Report]) -> str:
    """Return what the intervals generalise to, which may differ between statistics."""
    said = {
        found["generalises_to"]
        for block in blocks.values()
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
        row = [escape(label), str(system["n"]), number(system["coverage"])]
        row += [_drawn(system["scales"][scale], "mean") for scale in scales]
        row += [_drawn(system["scales"][scale], "pass") for scale in scales if scale in limits]
        rows.append(row + ([_drawn(system, "pass_all")] if limits else []))
    method = _method(systems)
    caption = f"Results per system by {report['unit']}. {method}{CLOSING}"
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


def correlation_table(report: Report, names: Mapping[str, str], signature: str) -> str:
    """A row per metric, the coefficients of `names` for every human column beside each other."""
    human = report["human"]
    metrics = list(next(iter(human.values()))["metrics"]) if human else []
    header = [""] + [f"{column}: {name}" for column in human for name in names.values()]
    rows = [
        [
            escape(metric),
            *(
                _cell(block["metrics"][metric].get(key))
                for block in human.values()
                for key in names
            ),
        ]
        for metric in metrics
    ]
    caption = (
        f"Correlation of metrics with human judgments ({report['n']} units). Higher is better in "
        f"every column. {CLOSING}"
    )
    return latex_table(header, rows, caption=caption, label="tab:correlation", source=signature)
