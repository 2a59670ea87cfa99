"""Compute the reported numbers again from data/*.csv, and compare them with expected.json.

    python reproduce.py [FOLDER]

Needs only pandas and numpy. Ends with 1 if a number differs. The formulas are written out here and
share nothing with the program that reported the numbers.

Sources: Krippendorff 2011 (alpha); Kendall 1945 (tau-b).
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any

TOLERANCE = 1e-9


def agreement(ratings: Any) -> dict[str, Any]:
    """The coefficients of each scale; `ratings` is data/ratings.csv."""
    coefficients = {}
    for scale, rows in ratings.groupby("scale"):
        units = [list(values) for _, values in rows.groupby("item")["value"]]
        paired = [values for values in units if len(values) > 1]
        coefficients[scale] = {
            "n_ratings": len(rows),
            "percent_agreement": _share(paired, 0),
            "within_one": _share(paired, 1),
            "alpha_nominal": _alpha(paired, "nominal"),
            "alpha_ordinal": _alpha(paired, "ordinal"),
            "alpha_interval": _alpha(paired, "interval"),
        }
    return coefficients


def counts(ratings: Any, texts: Any, path: Path) -> dict[str, Any]:
    """How many annotators, judgments (a text by an annotator), ratings and texts there are, and the
    digest of the data, which is that of the file of ratings."""
    return {
        "annotators": int(ratings["annotator"].nunique()),
        "judgments": len(ratings.drop_duplicates(["item", "annotator"])),
        "ratings": len(ratings),
        "texts": len(texts),
        "data": hashlib.sha256(path.read_bytes()).hexdigest(),
    }


def _share(paired: list[list[float]], apart: float) -> float | None:
    """The mean over texts of the share of pairs of ratings that are at most so far apart."""
    shares = []
    for values in paired:
        pairs = list(combinations(values, 2))
        shares.append(sum(abs(a - b) <= apart for a, b in pairs) / len(pairs))
    return sum(shares) / len(shares) if shares else None


def _alpha(paired: list[list[float]], kind: str) -> float | None:
    """1 - observed / expected disagreement, by the matrix of coincidences."""
    levels = sorted({value for values in paired for value in values})
    place = {value: at for at, value in enumerate(levels)}
    together: dict[tuple[int, int], float] = defaultdict(float)
    for values in paired:
        for one, a in enumerate(values):
            for two, b in enumerate(values):
                if one != two:
                    together[place[a], place[b]] += 1 / (len(values) - 1)
    totals = [sum(together[a, b] for b in range(len(levels))) for a in range(len(levels))]
    n = sum(totals)

    def distance(a: int, b: int) -> float:
        if kind == "nominal":
            return float(a != b)
        if kind == "interval":
            return (levels[a] - levels[b]) ** 2
        low, high = min(a, b), max(a, b)
        return (sum(totals[low : high + 1]) - (totals[low] + totals[high]) / 2) ** 2

    observed = sum(weight * distance(a, b) for (a, b), weight in together.items())
    expected = sum(
        totals[a] * totals[b] * distance(a, b)
        for a in range(len(levels))
        for b in range(len(levels))
    )
    return 1 - (n - 1) * observed / expected if expected else None


def results(ratings: Any, outputs: Any, thresholds: dict[str, Any]) -> dict[str, Any]:
    """The table of systems: every rating counts once for each system that made the text."""
    wide = ratings.pivot(index=["item", "annotator"], columns="scale", values="value").reset_index()
    made = outputs.merge(wide, left_on="text_key", right_on="item")
    systems = {}
    for system, rows in made.groupby("system"):
        passed: float | None = None
        judged = [name for name in thresholds if name in rows]
        scales = {}
        for scale in (name for name in wide.columns if name not in ("item", "annotator")):
            values = rows[scale].dropna()
            if values.empty:
                continue
            shares = values.value_counts(normalize=True)
            scales[scale] = {
                "n": len(values),
                "mean": float(values.mean()),
                "distribution": {f"{value:.12g}": float(share) for value, share in shares.items()},
                "pass": None,
            }
            if scale in thresholds:
                scales[scale]["pass"] = float(_passes(values, thresholds[scale]).mean())
        whole = rows.dropna(subset=judged)
        if judged and len(whole):
            every: Any = True
            for scale in judged:
                every = every & _passes(whole[scale], thresholds[scale])
            passed = float(every.mean())
        systems[system] = {"n": len(rows), "pass_all": passed, "scales": scales}
    return systems


def _passes(values: Any, threshold: dict[str, Any]) -> Any:
    if threshold["higher_is_better"]:
        return values >= threshold["value"]
    return values <= threshold["value"]


def correlation(texts: Any, wanted: dict[str, Any], turned: dict[str, Any]) -> dict[str, Any]:
    """Coefficients of gold and metrics over texts; `texts` is data/texts.csv."""
    coefficients: dict[str, Any] = {}
    for human, metrics in wanted.items():
        rows = texts.dropna(subset=[human, *metrics])
        gold = rows[human].tolist()
        coefficients[human] = {}
        for metric in metrics:
            sign = -1 if (human in turned["human"]) != (metric in turned["metrics"]) else 1
            scores = [sign * value for value in rows[metric].tolist()]
            coefficients[human][metric] = {
                "n": len(gold),
                "pearson": _pearson(gold, scores),
                "spearman": _pearson(_ranks(gold), _ranks(scores)),
                "kendall": _kendall(gold, scores),
            }
    return coefficients


def _pearson(x: list[float], y: list[float]) -> float | None:
    import numpy

    a, b = numpy.asarray(x, float), numpy.asarray(y, float)
    a, b = a - a.mean(), b - b.mean()
    below = math.sqrt(float((a * a).sum()) * float((b * b).sum()))
    return float((a * b).sum()) / below if below else None


def _ranks(values: list[float]) -> list[float]:
    import pandas

    return [float(rank) for rank in pandas.Series(values).rank(method="average")]


def _kendall(x: list[float], y: list[float]) -> float | None:
    """Tau-b, pair by pair."""
    import numpy

    a, b = numpy.asarray(x, float), numpy.asarray(y, float)
    score = only_a = only_b = 0
    for at in range(len(a) - 1):
        first, second = numpy.sign(a[at + 1 :] - a[at]), numpy.sign(b[at + 1 :] - b[at])
        score += int((first * second).sum())
        only_a += int((first != 0).sum())
        only_b += int((second != 0).sum())
    below = math.sqrt(only_a) * math.sqrt(only_b)
    return score / below if below else None


def differences(expected: Any, computed: Any, path: str = "") -> list[str]:
    """What of the expected numbers was computed otherwise."""
    if isinstance(expected, dict):
        there = computed if isinstance(computed, dict) else {}
        return [
            line
            for name, value in expected.items()
            for line in differences(value, there.get(name), f"{path}/{name}")
        ]
    same = expected == computed or (not expected and computed is None)
    if not same and isinstance(expected, int | float) and isinstance(computed, int | float):
        same = math.isclose(expected, computed, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return [] if same else [f"{path}: reported {expected}, computed {computed}"]


def _number(cell: str) -> float:
    return float(cell) if cell else math.nan


def _metrics(expected: dict[str, Any]) -> set[str]:
    return {metric for metrics in expected["correlation"].values() for metric in metrics}


def main(folder: str) -> int:
    """Compare; return the exit code."""
    import pandas

    home = Path(folder)
    expected = json.loads((home / "expected.json").read_text(encoding="utf-8"))
    tables = {}
    for name in ("ratings", "outputs", "texts"):
        # As text first: pandas would read some numbers a little off, and a name "NA" as missing.
        path = home / "data" / f"{name}.csv"
        tables[name] = pandas.read_csv(path, dtype=str, keep_default_na=False)
    ratings, texts = tables["ratings"], tables["texts"]
    ratings["value"] = ratings["value"].map(_number)
    for name in {*expected["correlation"], *_metrics(expected)}:
        texts[name] = texts[name].map(_number)
    computed = {
        "counts": counts(ratings, texts, home / "data" / "ratings.csv"),
        "agreement": agreement(ratings),
        "results": results(ratings, tables["outputs"], expected["thresholds"]),
        "correlation": correlation(texts, expected["correlation"], expected["turned"]),
    }
    wrong = []
    for name, actual in computed.items():
        wrong += differences(expected[name], actual, name)
    for line in wrong:
        sys.stdout.write(f"{line}\n")
    if not wrong:
        sys.stdout.write("Every number is as reported.\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else str(Path(__file__).parent)))
