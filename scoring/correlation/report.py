"""The contents of the correlation reports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from annotation.models import Campaign, Reference, Substitution
from paraanno.common.progress import step, steps
from paraanno.template_filters import translated
from scoring.figures.data import Axis, Figure, Mark, Series
from scoring.gold.report import gold_get
from scoring.metrics.registry import printed
from scoring.models import Run, SystemScore
from scoring.ratings.choice import Choice
from scoring.ratings.tables import FloatArray, Ratings, human_names, ratings_get, systems_get
from scoring.runs.queries import (
    newest_done_runs,
    reads_old_language,
    run_columns,
    run_labels,
    system_scores,
)
from scoring.stats import Bootstrap
from scoring.stats.evaluation import report as meta
from scoring.stats.evaluation.catalogue import at
from scoring.stats.evaluation.ceiling import HumanCeiling
from scoring.stats.evaluation.json_types import (
    CorrelationReport,
    HumanStability,
    MixesReport,
    RankingReport,
    RunsAbout,
    StabilityReport,
    SystemsReport,
)
from scoring.stats.evaluation.mixes import (
    FITS,
    MARKED,
    SCALES,
    BestMix,
    MixCurve,
    MixCurveJson,
    best_mix,
    mix_curve,
    pair_to_mix,
)
from scoring.stats.evaluation.one_metric import correlation_matrix
from scoring.stats.evaluation.pairwise import Majority
from scoring.stats.evaluation.ranking import Layout, paraphrase_ranking
from scoring.stats.evaluation.stability import by_annotators, by_items, powers
from scoring.stats.evaluation.system_level import other_first
from scoring.stats.table import PHRASES, BoolArray, EstimateJson, RatingTable

# Human judgments and metric scores as columns on the same units.


@dataclass(frozen=True, eq=False)
class UnitColumns:
    """Columns aligned with `ratings.units`; NaN means missing.

    `gold` holds gold by `choice.method` on each ordered scale and on their sum, `scored` the newest
    finished run of each metric with its options, both with their original sign. `human` and
    `metrics` hold the same with the sign reversed if lower is better, so that larger always means
    better. `passed` is 1 if the gold reaches every threshold, else 0.
    """

    ratings: Ratings
    runs: list[Run]
    gold: dict[str, FloatArray]
    scored: dict[str, FloatArray]
    passed: FloatArray
    turned_human: tuple[str, ...]

    @cached_property
    def labels(self) -> dict[int, str]:
        """A unique name for each run, by its id."""
        return run_labels(self.runs)

    @cached_property
    def human(self) -> dict[str, FloatArray]:
        return {
            name: -column if name in self.turned_human else column
            for name, column in self.gold.items()
        }

    @cached_property
    def metrics(self) -> dict[str, FloatArray]:
        return {
            self.labels[run.pk]: column if run.higher_is_better else -column
            for run in self.runs
            for column in [self.scored[self.labels[run.pk]]]
        }


def columns_get(
    *,
    campaign: Campaign,
    choice: Choice = Choice(),
    runs: Sequence[Run] | None = None,
) -> UnitColumns:
    """Gold and scores on the units of the choice; a constant number of queries.

    `runs` defaults to the newest finished run of each metric with its options. Imported gold fills
    in where judgments are missing; nominal scales have no column.
    """
    ratings = ratings_get(campaign=campaign, choice=choice)
    made = gold_get(campaign=campaign, ratings=ratings, choice=choice)
    gold = made.columns
    gold_values = {
        name: np.asarray(gold[name].value, dtype=np.float64)
        for name in ratings.columns()
        if name in gold
    }
    better = {scale.name: scale.higher_is_better for scale in ratings.scales}
    turned = tuple(
        name for name in gold_values if not all(better[part] for part in parts_of(name, ratings))
    )
    runs = newest_done_runs(campaign=campaign) if runs is None else list(runs)
    scores = run_columns(runs=runs, substitutions=ratings.units)
    labels = run_labels(runs)
    scored = {labels[run.pk]: scores[run.pk] for run in runs}
    return UnitColumns(ratings, runs, gold_values, scored, made.passes.value, turned)


def parts_of(name: str, ratings: Ratings) -> list[str]:
    """The scales of a column: the scale itself, or all ordered ones for their sum."""
    scales = [scale.name for scale in ratings.scales]
    return [name] if name in scales else [one for one in ratings.columns() if one in scales]


PLAN = Bootstrap(clusters=PHRASES)
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
            name: HumanCeiling.of(table, clusters=ratings.phrase, plan=PLAN)
            for name, table in steps(list(ratings.columns().items()))
        }
    compared = meta.Compared(
        columns.human,
        columns.metrics,
        ratings.phrase,
        columns.passed,
        ceilings=ceilings,
        items=ratings.item,
    )
    parts = ("coefficients", "comparisons", "ties", "within", "roc")
    options = meta.MetaOptions(PLAN, meta.permutations_for(len(columns.metrics)), parts=parts)
    with step(0.1, 1):
        results = meta.meta_evaluation(compared, options).to_json()
    texts = systems_get(campaign=campaign, ratings=ratings, choice=choice)
    for name, part in results["human"].items():
        part["other_first"] = other_first(columns.human[name], columns.metrics, texts)
    return {
        **results,
        "ceiling": {
            name: {
                kind: {key: one.as_json() for key, one in results.items()}
                for kind, results in people.estimates.items()
            }
            for name, people in ceilings.items()
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
    corpus_scores = system_scores(runs=columns.runs).filter(kind=SystemScore.Kind.CORPUS)
    for score in corpus_scores.exclude(value=None):
        sign = 1 if score.run.higher_is_better else -1
        corpus[columns.labels[score.run_id]][score.system.label] = sign * float(score.value or 0)
    compared = meta.Compared(
        columns.human, columns.metrics, ratings.phrase, systems=texts, corpus=corpus
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
            curves = by_items(
                columns.human[name], columns.metrics, ratings.phrase, items=ratings.item
            )
        with step(0.2, 0.85):
            by_number = by_annotators(table, turned)
        with step(0.85, 1):
            power = powers(columns.human[name], columns.metrics, ratings.phrase, plan=PLAN)
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
            column,
            columns.metrics,
            columns.ratings.item,
            clusters=columns.ratings.phrase,
            exact=exact,
            layout=layout,
        ).to_json()
        for name, column in columns.human.items()
    }
    majority = {
        name: None
        if table.anonymous
        else paraphrase_ranking(
            columns.human[name],
            columns.metrics,
            columns.ratings.item,
            clusters=columns.ratings.phrase,
            exact=exact,
            layout=layout,
            majority=_majority(columns, name, table),
        ).to_json()
        for name, table in columns.ratings.columns().items()
        if name in columns.human
    }
    return {
        "human": human,
        "majority": majority,
        "metrics": list(layout.metrics),
        **about(columns),
    }


def _majority(columns: UnitColumns, name: str, table: RatingTable) -> Majority:
    """What each annotator prefers by a scale, or by the sum of scales; greater is better."""
    sign = -1.0 if name in columns.turned_human else 1.0
    return Majority(table.annotator, table.unit, sign * table.value, columns.human[name])


def _equal_to_a_reference(campaign: Campaign, columns: UnitColumns) -> BoolArray:
    """Mask of units that, put into their sentence, equal one of its references; two queries."""
    reference_texts: dict[int, set[str]] = defaultdict(set)
    references = Reference.objects.filter(item__campaign=campaign)
    for item, text in references.values_list("item", "text"):
        reference_texts[item].add(text)
    equal = np.zeros(len(columns.ratings.units), dtype=bool)
    item_references = references.filter(item=OuterRef("item"))
    rows = Substitution.objects.filter(
        Exists(item_references), campaign=campaign, own_sentence=None
    )
    ids = [
        pk
        for pk, item, text, sentence, start, end in rows.values_list(
            "pk", "item", "text", "item__sentence", "item__start", "item__end"
        )
        if f"{sentence[:start]}{text}{sentence[end:]}" in reference_texts[item]
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
    return Layout(
        models,
        tuple(columns.labels[run.pk] for run in columns.runs if run.metric not in MODELS),
        together,
    )


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


# Mixes of metrics: two by weight, and all fitted to human judgments.


PAIR = ("first", "second")


def mixes_asked(*, campaign: Campaign, data: Mapping[str, str]) -> dict[str, str]:
    """What a query asks of `mixes_for`; empty without two metrics or an ordered scale. Equal
    questions are equal, and share a report. A metric that is left open is chosen by the report."""
    runs, names = newest_done_runs(campaign=campaign), human_names(campaign=campaign)
    if len(runs) < 2 or not names:
        return {}
    keys = {"", *(str(run.key) for run in runs)}
    first, second = (one if one in keys else "" for one in map(data.get, PAIR, ("", "")))
    human = data.get("scale", "")
    return {
        "first": first,
        "second": second if second != first else "",
        "scale": human if human in names else names[0],
        "scaling": scaling_of(data),
        "fit": fit_of(data),
    }


def mixes_for(
    *, campaign: Campaign, choice: Choice, parameters: Mapping[str, str] | None = None
) -> MixesReport:
    """The mix of two metrics by weight, and the best linear one of all, over the newest finished
    run of each. Both are None without two metrics or an ordered scale."""
    columns = columns_get(campaign=campaign, choice=choice)
    parameters = parameters or mixes_asked(campaign=campaign, data={})
    human = parameters.get("scale", "")
    if human not in columns.human or len(columns.runs) < 2:
        return {"curve": None, "best": None, **about(columns)}
    pair, scaling = mixed(columns, human, parameters), scaling_of(parameters)
    curve = mix_get(columns=columns, runs=pair, human=human, scale=scaling)
    best = best_mix_get(columns=columns, human=human, fit=fit_of(parameters))
    return {"curve": curve.to_json(), "best": best.to_json(), **about(columns)}


def mix_get(*, columns: UnitColumns, runs: tuple[Run, Run], human: str, scale: str) -> MixCurve:
    """The correlation of w A + (1 - w) B with human judgments, with intervals by phrase. A metric
    for which lower is better enters with its sign reversed. `columns` hold the two runs."""
    first, second = (
        (columns.labels[run.pk], columns.metrics[columns.labels[run.pk]]) for run in runs
    )
    return mix_curve(columns.human[human], first, second, columns.ratings.phrase, PLAN, scale=scale)


def best_mix_get(*, columns: UnitColumns, human: str, fit: str) -> BestMix:
    """The best linear mix of all metrics, evaluated on held-out phrases (cross-validation)."""
    return best_mix(columns.human[human], columns.metrics, columns.ratings.phrase, PLAN, fit=fit)


def mixed(columns: UnitColumns, human: str, data: Mapping[str, str]) -> tuple[Run, Run]:
    """The two runs with these keys; the best partner for one alone, the best pair for none."""
    by_label = {columns.labels[run.pk]: run for run in columns.runs}
    labels = {str(run.key): label for label, run in by_label.items()}
    given = (labels.get(data.get(one, ""), "") for one in PAIR)
    first, second = pair_to_mix(columns.human[human], columns.metrics, *given)
    return by_label[first], by_label[second]


def scaling_of(data: Mapping[str, str]) -> str:
    """How the two are scaled before they are mixed."""
    scaling = data.get("scaling", "")
    return scaling if scaling in SCALES else "minmax"


def fit_of(data: Mapping[str, str]) -> str:
    """Which weights the best mix may have."""
    fit = data.get("fit", "")
    return fit if fit in FITS else "nnls"


def mix_figure(curve: MixCurveJson) -> Figure:
    """Pearson and Spearman over the weight of the first metric."""
    series = []
    for key, label in at("curve").items():
        points = [
            (point["weight"], one)
            for point in curve["points"]
            for one in [cast(Mapping[str, EstimateJson], point)[key]]
            if one["value"] is not None
        ]
        series.append(
            Series(
                translated(label),
                tuple(weight for weight, _one in points),
                tuple(float(one["value"] or 0.0) for _weight, one in points),
                "line",
                tuple(one.get("ci_low") for _weight, one in points),
                tuple(one.get("ci_high") for _weight, one in points),
            )
        )
    marks = tuple(Mark(at, f"{round(10 * at)}:{round(10 * (1 - at))}") for at in MARKED)
    x = _("weight of %(first)s (the rest: %(second)s)") % {
        "first": printed(curve["first"]),
        "second": printed(curve["second"]),
    }
    return Figure("", Axis(x, 0, 1), Axis(_("correlation with people")), tuple(series), marks=marks)
