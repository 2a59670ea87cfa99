"""How fast the statistics of agreement are; no database is involved.

Beside them the krippendorff package in a loop, as far as a bootstrap of ten draws tells, and the
report of a million judgments as a worker makes it, in a process of its own.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial

import krippendorff
import numpy as np

from scoring.stats import (
    Bootstrap,
    RatingTable,
    SystemTexts,
    Threshold,
    agreement_report,
    results,
)
from scoring.stats.evaluation.ceiling import HumanCeiling
from scoring.stats.evaluation.report import Compared, MetaOptions, meta_evaluation
from scoring.stats.resampling import Draws, Patterns, alpha_interval, count_replicates
from scoring.stats.table import FloatArray
from tools.bench.apart import apart
from tools.bench.table import line, note, peak_memory

REPLICATES = 1000
FIVE = np.arange(1.0, 6.0)


def measure(database: str, _seconds: int) -> None:
    """Once: the databases make no difference."""
    if database != "sqlite":
        note("the same on every database, measured above")
        return
    _alpha()
    _jackknife()
    _million()


def _alpha() -> None:
    """Interval alpha of 10,000 units x 5 annotators with 1,000 bootstrap replicates."""
    rng = np.random.default_rng(1)
    dense = np.clip(np.round(rng.normal(3, 1, (10_000, 1)) + rng.normal(0, 1, (10_000, 5))), 1, 5)
    begin = time.perf_counter()
    for _ in range(10):
        drawn = dense[rng.integers(10_000, size=10_000)]
        krippendorff.alpha(reliability_data=drawn.T, level_of_measurement="interval")
    loop = (time.perf_counter() - begin) / 10 * REPLICATES
    table = RatingTable.from_dense(dense)
    ours = []
    for seed in range(5):
        begin = time.perf_counter()
        draws = Draws.of(table, Bootstrap(REPLICATES, seed), None)
        count_replicates(Patterns.of(table, FIVE), {"alpha": alpha_interval}, draws)
        ours.append(time.perf_counter() - begin)
    here = float(np.median(ours))
    line(
        "alpha, 1,000 replicates, 10,000 units x 5, ms",
        here * 1000,
        "patterns and draws",
        rivals=f"krippendorff in a loop: {loop:.1f} s",
    )
    line(
        "the same, times as fast as krippendorff in a loop",
        loop / here,
        "x",
        goal=150,
        more_is_better=True,
    )


def _jackknife() -> None:
    """Reports with the jackknife beside those with 1,000 draws: as many phrases as people have, and
    so many that 100 groups are left out."""
    for phrases in (40, 400):
        table, systems, human, metrics = _study(phrases)
        tables = {"MEANING": table}
        limits = {"MEANING": Threshold(3)}
        made: dict[str, Callable[..., object]] = {
            "agreement": partial(
                agreement_report,
                tables,
                levels={"MEANING": FIVE},
                thresholds=limits,
                clusters=table.phrase,
            ),
            "results": partial(results, tables, systems, limits, permutations=1),
            "correlation": partial(_correlation, table, systems, human, metrics),
        }
        for name, report in made.items():
            draws, ours = (_seconds(report, Bootstrap(n)) for n in (REPLICATES, 0))
            line(
                f"{name}, {phrases} phrases: jackknife, of the processor time of 1,000 draws",
                ours / draws,
                "x",
                goal=1,
                rivals=f"{ours:.2f} s and {draws:.2f} s",
            )


def _correlation(
    table: RatingTable,
    systems: SystemTexts,
    human: FloatArray,
    metrics: dict[str, FloatArray],
    plan: Bootstrap,
) -> None:
    """As a page has it: with people beside the metrics, and over systems."""
    people = HumanCeiling.of(table, clusters=table.phrase, plan=plan)
    columns = Compared(
        {"MEANING": human},
        metrics,
        table.phrase,
        systems=systems,
        ceilings={"MEANING": people},
        items=table.item,
    )
    meta_evaluation(columns, MetaOptions(plan, permutations=1))


def _seconds(report: Callable[..., object], plan: Bootstrap) -> float:
    """Of the processor, whatever else the machine does: the median of three."""
    times = []
    for _ in range(3):
        begin = time.process_time()
        report(plan=plan)
        times.append(time.process_time() - begin)
    return float(np.median(times))


def _study(
    phrases: int,
) -> tuple[RatingTable, SystemTexts, FloatArray, dict[str, FloatArray]]:
    """Two items a phrase, six systems, three of ten annotators, and four metrics."""
    rng = np.random.default_rng(3)
    phrase = np.repeat(np.arange(phrases), 2 * 6)
    item, system = np.arange(phrase.size) // 6, np.arange(phrase.size) % 6
    quality = rng.normal(3, 0.6, phrases)[phrase] + system / 6 + rng.normal(0, 0.5, phrase.size)
    who = np.argsort(rng.random((phrase.size, 10)), axis=1)[:, :3]
    values = np.clip(np.round(quality[:, None] + rng.normal(0, 0.8, who.shape)), 1, 5)
    table = RatingTable(
        np.repeat(np.arange(phrase.size), 3),
        who.ravel(),
        values.ravel(),
        phrase.size,
        10,
        item=item,
        phrase=phrase,
    )
    systems = SystemTexts(np.arange(phrase.size), system, tuple(f"s{n}" for n in range(6)))
    metrics = {f"m{n}": quality + rng.normal(0, 1, phrase.size) for n in range(4)}
    return table, systems, values.mean(axis=1), metrics


def _million() -> None:
    answer = apart("tools.bench.stats")
    line("1,000,000 judgments, 200 annotators, all intervals", answer["seconds"], "s", goal=60)
    line("the same, greatest memory", answer["memory"] / 1024, "GiB", goal=2)


def report_of_a_million() -> dict[str, float]:
    """Two scales of 100,000 texts in 20,000 items, five of 200 annotators each, and the passes."""
    rng = np.random.default_rng(2)
    units, annotators, each = 100_000, 200, 5
    first = rng.integers(annotators, size=units)
    who = (first[:, None] + rng.permuted(np.tile([0, 7, 31, 64, 150], (units, 1)), axis=1)) % 200
    unit, truth = np.repeat(np.arange(units), each), rng.integers(1, 6, units)
    severity = rng.normal(0, 0.3, annotators)
    tables = {}
    for scale in ("MEANING", "GRAMMAR"):
        noise = rng.normal(0, 0.8, (units, each))
        values = np.clip(np.round(truth[:, None] + severity[who] + noise), 1, 5)
        tables[scale] = RatingTable(unit, who.ravel(), values.ravel(), units, annotators)
    begin = time.perf_counter()
    agreement_report(
        tables,
        levels=dict.fromkeys(tables, FIVE),
        thresholds={"MEANING": Threshold(3), "GRAMMAR": Threshold(4)},
        clusters=np.arange(units) // 5,
        plan=Bootstrap(),
    )
    return {"seconds": time.perf_counter() - begin, "memory": peak_memory()}


if __name__ == "__main__":
    print(json.dumps(report_of_a_million()))
