"""Results as text for the terminal: the table of the guide, pairs and clusters of systems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from scoring.stats.systems.catalogue import named
from scoring.stats.terminal.text import grid

Json = Mapping[str, Any]
DASH = "-"
INTERVALS = 10
DECIDED = ("p_clustered", "p_value", "level")  # Of McNemar's tests.
COLUMNS = (
    "n", "ties", "difference", "interval", "p_value", "p_max_t", "p_holm", "p_clustered",
    "mcnemar", "level",
)  # fmt: skip
LISTED_VALUES = 30
SYSTEM, SCALE, PAIR = named("system"), named("scale"), named("pair")
CLUSTERS = named("clusters")


def results_lines(found: Json, *, unadjusted: bool = False) -> list[str]:
    """Return the JSON of `results` as lines, with a dash for a missing value; with `unadjusted` the
    clusters of the WMT shared tasks too."""
    systems = found["systems"]
    scales = list(next(iter(systems.values()))["scales"]) if systems else []
    lines = []
    for scale in scales:
        lines += [*grid(_distribution(systems, scale)), ""]
    lines += [*grid(_passes(found, systems)), ""]
    for scale in scales:
        rows = _intervals(systems, scale)
        lines += [*grid(rows), ""] if rows else []
    lines += _counts(found)
    for entry in found["clusters"]:
        lines += _clusters(entry, unadjusted)
    if found["clusters"]:
        lines += [found["cluster_rule"], ""]
    lines += grid(_pairs(found["pairs"])) if found["pairs"] else []
    looks = found.get("looks") or {}
    lines += [looks["told"]] if looks.get("told") else []
    reasons = sorted({row["reason"] for row in found["pairs"] if row["reason"]})
    return [*lines, *reasons, *([found["pairs_reason"]] if found.get("pairs_reason") else [])]


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


def _passes(found: Json, systems: Json) -> list[tuple[str, ...]]:
    limits = ", ".join(f"{scale} {value:g}" for scale, value in found["thresholds"].items())
    rows = [_head(f"PASSED ({limits})" if limits else "NO THRESHOLD", systems)]
    of = list(systems.values())
    rows += [
        (scale, *(_share(one["scales"][scale]["pass"]) for one in of))
        for scale in found["thresholds"]
    ]
    for key, written in (
        ("pass_all", _share), ("pass_all_interval", _ends), ("pass_all_bootstrap", _ends),
        ("coverage", _share), ("n", str),
    ):  # fmt: skip
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


def _counts(found: Json) -> list[str]:
    lines = [
        f"{found['phrases']} phrases ({found['phrases_excluded']} excluded), {found['contexts']} "
        f"contexts, {found['judgments']} judgments; unit: {found['unit']}."
    ]
    lines += [found["warning"]] if found.get("warning") else []
    made = found.get("gold")
    if made:
        lines.append(f"Gold: {made['made_by']}.")
        lines += [made["pass_reason"]] if made["pass_reason"] else []
    return [*lines, *([found["exclusion_rule"]] if "exclusion_rule" in found else []), ""]


def _clusters(entry: Json, unadjusted: bool) -> Iterator[str]:
    for key in ("groups", *(["groups_unadjusted"] if unadjusted else [])):
        groups = " > ".join(" = ".join(group) for group in entry[key])
        yield f"{CLUSTERS[key].line} by {_outcome(entry)}: {groups or DASH}"
    ranks = [f"{label} {low}-{high}" for label, (low, high) in entry["ranks"].items()]
    yield f"{CLUSTERS['ranks'].line} by {_outcome(entry)}: {', '.join(ranks) or DASH}"


def _pairs(rows: Iterable[Json]) -> list[tuple[str, ...]]:
    table: list[tuple[str, ...]] = [("pair", "by", *(PAIR[key].line for key in COLUMNS))]
    for row in rows:
        mcnemar = row.get("mcnemar")
        gap = row["difference"]
        table.append((
            f"{row['a']} - {row['b']}", _outcome(row), str(row["n"]), str(row["ties"]),
            DASH if gap is None else f"{gap:+.3f}", _ends(row["interval"]),
            _p(row["p_value"]), _p(row["p_max_t"]), _p(row["p_holm"]),
            *(_p(mcnemar.get(key)) if mcnemar else "" for key in DECIDED),
        ))  # fmt: skip
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
