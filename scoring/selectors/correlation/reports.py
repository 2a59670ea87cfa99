"""The contents of the correlation reports."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from django.db.models import Exists, OuterRef

from annotation.models import Campaign, Reference, Substitution
from paraanno.plain.progress import step, steps
from scoring.models import SystemScore
from scoring.selectors.correlation.columns import UnitColumns, columns_get
from scoring.selectors.ratings.tables import Choice, systems_get
from scoring.selectors.runs import reads_old_language, system_scores
from scoring.stats import Bootstrap
from scoring.stats.estimate import ITEMS
from scoring.stats.evaluation import report as meta
from scoring.stats.evaluation.ceiling import ceiling
from scoring.stats.evaluation.distributions import correlation_matrix
from scoring.stats.evaluation.json_types import (
    CorrelationReport,
    HumanStability,
    RankingReport,
    RunsAbout,
    StabilityReport,
    SystemsReport,
)
from scoring.stats.evaluation.pairwise import Majority
from scoring.stats.evaluation.power import powers
from scoring.stats.evaluation.ranking import Layout, paraphrase_ranking
from scoring.stats.evaluation.stability import by_annotators, by_items
from scoring.stats.table import BoolArray, RatingTable

PLAN = Bootstrap(1000, seed=0, clusters=ITEMS)
CEILING_PLAN = Bootstrap(500)
# Metrics that combine a model's score with another metric, by their names in the tables of White
# (2012).
MODELS = {"model_metric": "Model + metric", "approx_hter": "Approximating HTER"}


def correlation_for(*, campaign: Campaign, choice: Choice) -> CorrelationReport:
    """The JSON of `correlate` over the newest finished run of each metric, with the runs, the human
    ceiling, and the correlations between metrics.

    Larger means better in every column: if lower is better the sign is reversed, and this is noted.
    """
    columns = columns_get(campaign=campaign, choice=choice)
    ratings = columns.ratings
    with step(0, 0.1):
        ceilings = {
            name: ceiling(table, clusters=ratings.item, plan=CEILING_PLAN)
            for name, table in steps(list(ratings.columns().items()))
        }
    compared = meta.Compared(
        columns.human, columns.metrics, ratings.item, columns.passed, ceilings=ceilings
    )
    parts = ("coefficients", "comparisons", "ties", "within", "roc")
    options = meta.MetaOptions(PLAN, meta.permutations_for(len(columns.metrics)), parts=parts)
    with step(0.1, 1):
        found = meta.meta_evaluation(compared, options).to_json()
    return {
        **found,
        "ceiling": {
            name: {
                kind: {key: one.as_json() for key, one in found.items()}
                for kind, found in kinds.items()
            }
            for name, kinds in ceilings.items()
        },
        "among": correlation_matrix(columns.metrics).to_json(),
        **about(columns),
    }


def systems_for(*, campaign: Campaign, choice: Choice) -> SystemsReport:
    """Metrics against human judgments over systems (means and corpus scores), and within each
    system."""
    columns = columns_get(campaign=campaign, choice=choice)
    ratings = columns.ratings
    texts = systems_get(campaign=campaign, ratings=ratings, choice=choice)
    corpus: dict[str, dict[str, float]] = defaultdict(dict)
    kept = system_scores(runs=columns.runs).filter(kind=SystemScore.Kind.CORPUS)
    for score in kept.exclude(value=None):
        sign = 1 if score.run.higher_is_better else -1
        corpus[columns.labels[score.run_id]][score.system.label] = sign * float(score.value or 0)
    compared = meta.Compared(
        columns.human, columns.metrics, ratings.item, systems=texts, corpus=corpus
    )
    options = meta.MetaOptions(PLAN, parts=("per_system", "systems"))
    return {**meta.meta_evaluation(compared, options).to_json(), **about(columns)}


def stability_for(*, campaign: Campaign, choice: Choice) -> StabilityReport:
    """Coefficients by number of items and of ratings, and the number of items needed to distinguish
    two metrics."""
    columns = columns_get(campaign=campaign, choice=choice)
    ratings = columns.ratings
    human: dict[str, HumanStability] = {}
    for name, table in steps(list(ratings.columns().items())):
        sign = -1.0 if name in columns.turned_human else 1.0
        turned = {label: sign * column for label, column in columns.metrics.items()}
        with step(0, 0.2):
            curves = by_items(columns.human[name], columns.metrics, ratings.item)
        with step(0.2, 0.85):
            by_number = by_annotators(table, turned)
        with step(0.85, 1):
            power = powers(columns.human[name], columns.metrics, ratings.item)
        human[name] = {
            "items": [one.to_json() for one in curves],
            "annotators": [one.to_json() for one in by_number],
            "power": [one.to_json() for one in power],
        }
    return {"human": human, "n": len(ratings.units), **about(columns)}


def ranking_for(*, campaign: Campaign, choice: Choice) -> RankingReport:
    """White's ranking of paraphrases of one item, by each human column."""
    columns = columns_get(campaign=campaign, choice=choice)
    exact = _equal_to_a_reference(campaign, columns)
    layout = _layout(columns)
    human = {
        name: paraphrase_ranking(
            column, columns.metrics, columns.ratings.item, exact=exact, layout=layout
        ).to_json()
        for name, column in columns.human.items()
    }
    majority = {
        name: None
        if table.anonymous
        else paraphrase_ranking(
            columns.human[name], columns.metrics, columns.ratings.item, exact=exact, layout=layout,
            majority=_majority(columns, name, table),
        ).to_json()
        for name, table in columns.ratings.columns().items()
        if name in columns.human
    }  # fmt: skip
    return {
        "human": human, "majority": majority, "metrics": list(layout.metrics), **about(columns),
    }  # fmt: skip


def _majority(columns: UnitColumns, name: str, table: RatingTable) -> Majority:
    """What each annotator prefers by a scale, or by the sum of scales; greater is better."""
    sign = -1.0 if name in columns.turned_human else 1.0
    return Majority(table.annotator, table.unit, sign * table.value, columns.human[name])


def _equal_to_a_reference(campaign: Campaign, columns: UnitColumns) -> BoolArray:
    """Mask of units that, put into their sentence, equal one of its references; two queries."""
    known: dict[int, set[str]] = defaultdict(set)
    references = Reference.objects.filter(item__campaign=campaign)
    for item, text in references.values_list("item", "text"):
        known[item].add(text)
    equal = np.zeros(len(columns.ratings.units), dtype=bool)
    mine = references.filter(item=OuterRef("item"))
    rows = Substitution.objects.filter(Exists(mine), campaign=campaign, own_sentence=None)
    ids = [
        pk
        for pk, item, text, sentence, start, end in rows.values_list(
            "pk", "item", "text", "item__sentence", "item__start", "item__end"
        )
        if f"{sentence[:start]}{text}{sentence[end:]}" in known[item]
    ]
    at = columns.ratings.position(np.array(ids, dtype=np.int64))
    equal[at[at >= 0]] = True
    return equal


def _layout(columns: UnitColumns) -> Layout:
    """Rows of White's tables: metrics alone and, if both were run, combined with a model."""
    alone = {run.metric: columns.labels[run.pk] for run in columns.runs if run.metric not in MODELS}
    together = {
        (MODELS[run.metric], alone[base]): columns.labels[run.pk]
        for run in columns.runs
        if run.metric in MODELS and (base := run.options.get("metric", "")) in alone
    }
    models = tuple(dict.fromkeys(model for model, _ in together))
    return Layout(models, tuple(columns.labels[run.pk] for run in columns.runs
                                if run.metric not in MODELS), together)  # fmt: skip


def about(columns: UnitColumns) -> RunsAbout:
    """The runs behind the columns, and whose sign was reversed."""
    old = reads_old_language(columns.runs)
    return {
        "turned": list(columns.turned_human),
        "runs": [
            {
                "key": str(run.key),
                "label": columns.labels[run.pk],
                "signature": run.full_signature,
                "met": run.met,
                "turned": not run.higher_is_better,
                "old_language": run.pk in old,
                "finished_at": run.finished_at.isoformat() if run.finished_at else None,
            }
            for run in columns.runs
        ],
    }
