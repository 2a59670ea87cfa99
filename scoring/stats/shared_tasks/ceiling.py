"""Human ceiling of a shared task: what one annotator reaches against the gold of all others.

Each annotator who judged texts that others judged too is taken as a submission: the sums that he or
she gave are the scores, and gold is made again without them (leave-one-out, as in Mitchell and
Lapata 2008 for correlations). The ceiling is the mean over annotators, weighted by what they
answered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from scoring.stats.counts import ratio
from scoring.stats.evaluation.pairwise import direction
from scoring.stats.shared_tasks.frozen import Frozen, JudgedTexts, Rule, by_annotator
from scoring.stats.shared_tasks.measures import Said, Settings, measured
from scoring.stats.table import FloatArray, IntArray

PARTS = ("public", "final")
SHOWN = ("value", "strict", "half")
LEAST_TEXTS = 3  # Of an annotator, judged by others too.

Ceiling = dict[str, dict[str, dict[str, float]]]


def ceilings(
    judged: JudgedTexts, frozen: Frozen, places: IntArray, *, measures: Sequence[str], rule: Rule
) -> Ceiling:
    """Return {measure: {public, final: {value, strict, half, annotators}}}, numbers as on boards.

    places   (T,) of the judged texts among the frozen ones
    A measure and part without an annotator who can be compared is not in it: gold was imported, or
    nobody judged what others judged. strict and half are there for pairs only.
    """
    sums: dict[tuple[str, str], dict[str, float]] = {}
    for own, rest in _left_out(judged, frozen, places):
        said = {"one": Said("score", np.nan_to_num(own))}
        for measure in measures:
            for part in PARTS:
                how = Settings(measure, rule, part, replicates=0, permutations=1)
                rows = measured(rest, said, how)
                if not rows or not np.isfinite(rows[0]["value"] or np.nan):
                    continue
                total = sums.setdefault((measure, part), {"weight": 0.0, "annotators": 0})
                weight = float(rows[0].get("pairs") or np.isfinite(rest.gold).sum())
                total["weight"] += weight
                total["annotators"] += 1
                for name in SHOWN:
                    if (value := rows[0].get(name)) is not None:
                        total[name] = total.get(name, 0.0) + weight * float(str(value))
    found: Ceiling = {}
    for (measure, part), total in sums.items():
        shown = {name: total[name] / total["weight"] for name in SHOWN if name in total}
        found.setdefault(measure, {})[part] = {**shown, "annotators": total["annotators"]}
    return found


def _left_out(
    judged: JudgedTexts, frozen: Frozen, places: IntArray
) -> Iterator[tuple[FloatArray, Frozen]]:
    """Of each annotator the (T,) sums in frozen order, and the task without them."""
    n = len(judged.text)
    order = np.argsort(places)
    totals: FloatArray = np.bincount(judged.unit, judged.given, minlength=n)[order].astype(float)
    counts: FloatArray = np.bincount(judged.unit, minlength=n)[order].astype(float)
    votes = np.zeros(frozen.a.size)
    for sums in _in_order(judged, places):
        votes += _preferences(sums, frozen)
    for own in _in_order(judged, places):
        both = np.isfinite(own) & (counts > 1)
        if both.sum() < LEAST_TEXTS:
            continue
        gold = np.where(both, ratio(totals - np.nan_to_num(own), counts - 1), np.nan)
        kept = both[frozen.a] & both[frozen.b]
        a, b = frozen.a[kept], frozen.b[kept]
        rest = np.sign(votes - _preferences(own, frozen))[kept]
        yield own, replace(
            frozen, gold=gold, a=a, b=b,
            pairs=[one for one, there in zip(frozen.pairs, kept.tolist(), strict=True) if there],
            by_sum=direction(gold, a, b).astype(np.int64), by_majority=rest.astype(np.int64),
        )  # fmt: skip


def _in_order(judged: JudgedTexts, places: IntArray) -> Iterator[FloatArray]:
    order = np.argsort(places)
    for sums in by_annotator(judged):
        yield sums[order]


def _preferences(sums: FloatArray, frozen: Frozen) -> FloatArray:
    """(P,) 1 where an annotator prefers a, -1 for b, 0 for neither or unknown."""
    gap = np.nan_to_num(sums[frozen.a] - sums[frozen.b])
    return np.asarray(np.sign(np.where(np.abs(gap) > 1e-9, gap, 0.0)))
