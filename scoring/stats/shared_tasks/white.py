"""White's tables 2 and 3 with submissions as models, and the tests beside a board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

import numpy as np

from scoring.stats.evaluation.json_types import MarkedJson, RankingJson
from scoring.stats.evaluation.ranking import Layout, ranking_of, tests_between
from scoring.stats.shared_tasks.board import Frozen
from scoring.stats.shared_tasks.measures import Settings, SubmittedValues
from scoring.stats.shared_tasks.submissions import combined, decisions_together, part_of
from scoring.stats.table import IntArray

MOST_MODELS = 12


class WhiteJson(TypedDict):
    """Tests of rows by what they are compared with, and his tables (2 and 3) in his layout."""

    best_baseline: str
    tests: dict[str, list[MarkedJson]]
    table_2: RankingJson | None
    table_3: RankingJson | None


def white_tables(
    frozen: Frozen,
    submissions: Mapping[str, SubmittedValues],
    how: Settings,
    *,
    ranked: Sequence[str],
    baselines: Sequence[str],
    shown: Mapping[str, str],
) -> WhiteJson | None:
    """Return the tests and tables of a track of pairs; None without a pair that people tell apart.

    ranked     labels from best to worst; baselines  those of the product
    shown      label: name in the tables
    A row is tested against the best baseline and the row above, by McNemar as White did and by
    swapping originals, the one that keeps its level. Models of the tables are teams' scores of
    texts; a combination is the sum of model and metric, each moved to 0 to 1.
    """
    columns = {name: one.directions(frozen) for name, one in submissions.items()}
    decisions = decisions_together(columns, frozen, how.rule, how.part)
    if not decisions.pairs.sum():
        return None
    names = list(columns)
    best = next((name for name in ranked if name in baselines), "")
    pairs = list(
        dict.fromkeys(
            (name, other)
            for place, name in enumerate(ranked)
            for other in (best, ranked[place - 1] if place else "")
            if other and other != name
        )
    )
    tests: dict[str, list[MarkedJson]] = {}
    for (name, _o), one in tests_between(
        decisions, names, pairs, how.permutations, how.seed
    ).items():
        tests.setdefault(name, []).append(one.to_json())
    return {
        "best_baseline": best,
        "tests": tests,
        "table_2": _table(frozen, submissions, how, baselines, shown, alone=False),
        "table_3": _table(frozen, submissions, how, baselines, shown, alone=True),
    }


def _table(
    frozen: Frozen,
    submissions: Mapping[str, SubmittedValues],
    how: Settings,
    baselines: Sequence[str],
    shown: Mapping[str, str],
    *,
    alone: bool,
) -> RankingJson | None:
    models = [n for n, one in submissions.items() if n not in baselines and one.form == "score"]
    models, metrics = models[:MOST_MODELS], [name for name in submissions if name in baselines]
    if not models or not metrics:
        return None
    columns: dict[str, IntArray] = {
        shown[name]: submissions[name].directions(frozen)
        for name in [*metrics, *(models if alone else [])]
    }
    combinations = {}
    for model in models:
        for metric in metrics:
            both = SubmittedValues(
                "score", combined(submissions[model].values, submissions[metric].values)
            )
            name = f"{shown[model]} + {shown[metric]}"
            columns[name] = both.directions(frozen)
            combinations[shown[model], shown[metric]] = name
    layout = Layout([shown[n] for n in models], [shown[n] for n in metrics], combinations)
    inside = part_of(frozen, how.part)[frozen.pair_cluster]
    tied = int((inside & (frozen.people(how.rule) == 0)).sum())
    decisions = decisions_together(columns, frozen, how.rule, how.part)
    return ranking_of(
        decisions,
        list(columns),
        layout,
        tied=tied,
        excluded=0,
        half_credit=True,
        permutations=how.permutations,
        seed=how.seed,
    ).to_json()


def from_numbers(form: str, data: bytes) -> SubmittedValues:
    """A submission as its row keeps it."""
    values = np.frombuffer(data, dtype="<f8")
    return SubmittedValues("choice" if form == "choice" else "score", values)
