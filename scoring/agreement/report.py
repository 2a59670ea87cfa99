"""The report of agreement between annotators; a constant number of queries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypedDict, cast

import numpy as np
from django.db.models import Max
from django.db.models.functions import Coalesce

from annotation.models import Campaign, Exclusion, Judgment, Scale, ScalePoint, Substitution
from annotation.quality.checks import point
from paraanno.common.cells import known_tag
from paraanno.common.progress import steps
from scoring.ratings.choice import Choice
from scoring.ratings.tables import CHUNK, FloatArray, Ratings, cannot_judge, ratings_get
from scoring.stats import Bootstrap, RatingTable, agreement_report
from scoring.stats.agreement.coefficients import (
    AgreementReport,
    Block,
    Confusions,
    CoursePart,
    InfluenceReport,
    estimates_of,
)
from scoring.stats.agreement.influence import Level, chance, course, disputed, influence
from scoring.stats.agreement.kappa import Pairs
from scoring.stats.annotators.against_others import Rest, agreement, correlation
from scoring.stats.table import PHRASES

SEED = 0  # Of the permutations.
MOST_ANNOTATORS = 30  # More pairs are no table that anybody reads: the least agreeing are kept.
MOST_LEVELS = 12
MOST_PAIRS = 200
FEW = 20  # Shared units under which the kappa of a pair says little.


class Wording(TypedDict):
    """A text as a list of texts shows it; `item` is the key of its item."""

    text: str
    phrase: str
    item: str
    language: str


def agreement_for(
    *,
    campaign: Campaign,
    choice: Choice = Choice(),
) -> AgreementReport:
    """The JSON of `agreement`, with the annotators (code and origin), the counts of values, what
    intervals leave out, the most disputed texts and the tables of pairs."""
    ratings = ratings_get(campaign=campaign, choice=choice)
    clusters, plan = ratings.phrase, Bootstrap(clusters=PHRASES)
    report = agreement_report(
        ratings.tables,
        levels=ratings.levels(),
        thresholds=ratings.thresholds,
        kinds=scale_kinds(ratings),
        clusters=clusters,
        plan=plan,
    )
    report["drawn"] = PHRASES
    report["cannot_judge"] = cannot_judge(campaign=campaign, ratings=ratings, choice=choice)
    when = judged_when(campaign, ratings, choice)
    used: set[int] = set()
    for scale in ratings.scales:
        table, block = ratings.tables[scale.name], report["scales"][scale.name]
        block["distribution"] = _distribution(table, ratings.levels(at_most=20).get(scale.name))
        block["disputed"] = disputed(table, cast(Level, scale.level))
        block["confusions"] = _confusions(table)
        block["course"] = course(
            table, when, cast(Level, scale.level), clusters=clusters, plan=plan
        )
        used.update(table.used_annotators.tolist())
    _name_texts(report, ratings)
    for one in _blocks(report):
        _shorten(one)
    report["voices"] = [
        {"code": ratings.annotators[code].code, "origin": ratings.annotators[code].origin}
        for code in sorted(used)
    ]
    return report


def judged_when(campaign: Campaign, ratings: Ratings, choice: Choice) -> FloatArray:
    """Time in seconds of the newest judgment of each unit; NaN if there is none."""
    rows = Judgment.objects.filter(
        campaign=campaign, kind=Judgment.Kind.RATING, occasion=choice.occasion, value__isnull=False
    )
    if choice.moment is not None:
        rows = rows.filter(recorded_at__lte=choice.moment)
    newest = Max(Coalesce("judged_at", "recorded_at"))
    judgments = choice.judgments(rows).order_by().values_list("substitution").annotate(at=newest)
    times = np.fromiter(
        ((pk, at.timestamp()) for pk, at in judgments.iterator(CHUNK)),
        dtype=[("unit", np.int64), ("at", np.float64)],
    )
    unit = ratings.position(times["unit"])
    when = np.full(ratings.units.size, np.nan)
    when[unit[unit >= 0]] = times["at"][unit >= 0]
    return when


def value_names(*, campaign: Campaign) -> dict[str, dict[str, str]]:
    """The labels of the values of each scale, by value as reports write it."""
    labels: dict[str, dict[str, str]] = {}
    points = ScalePoint.objects.filter(scale__campaign=campaign).exclude(label="")
    for scale, value, label in points.values_list("scale__name", "value", "label"):
        labels.setdefault(scale, {})[f"{value:.12g}"] = label
    return labels


def scale_kinds(ratings: Ratings) -> dict[str, Level]:
    """The level of measurement of each scale."""
    return {scale.name: cast(Level, scale.level) for scale in ratings.scales}


def _distribution(table: RatingTable, levels: Any) -> dict[str, int]:
    values, counts = np.unique(table.value, return_counts=True)
    given = dict(zip(values.tolist(), counts.tolist(), strict=True))
    given = {**dict.fromkeys([] if levels is None else levels.tolist(), 0), **given}
    return {f"{v:.12g}": given[v] for v in sorted(given)}


def _confusions(table: RatingTable) -> Confusions | None:
    """{levels, pairs: [{a, b, cells}]}: rows are the values of a; None if there are too many."""
    if table.anonymous or not 0 < table.used_annotators.size <= MOST_ANNOTATORS:
        return None
    pairs = Pairs.of(table)
    if pairs.levels.size > MOST_LEVELS:
        return None
    return {
        "levels": [f"{value:.12g}" for value in pairs.levels.tolist()],
        "pairs": [
            {"a": table.annotator_label(a), "b": table.annotator_label(b), "cells": cells}
            for a, b, cells in zip(
                pairs.first.tolist(),
                pairs.second.tolist(),
                pairs.tables().astype(int).tolist(),
                strict=True,
            )
        ],
    }


def _name_texts(report: AgreementReport, ratings: Ratings) -> None:
    """Add the wording of disputed texts, their language and the key of their item; one query."""
    entries = [entry for block in report["scales"].values() for entry in block.get("disputed", [])]
    for entry, wording in _worded(ratings, entries):
        del entry["unit"]
        entry.update(wording)


def _worded(ratings: Ratings, entries: list[Any]) -> Iterator[tuple[Any, Wording]]:
    """Each entry with the wording of its unit; one query."""
    wanted = {int(ratings.units[entry["unit"]]) for entry in entries}
    rows = Substitution.objects.filter(pk__in=wanted).values_list(
        "pk", "text", "item__phrase__text", "item__key", "item__language", "campaign__language"
    )
    wordings: dict[int, Wording] = {
        pk: {
            "text": text[:200],
            "phrase": phrase[:200],
            "item": str(item),
            "language": known_tag(own or of_all),
        }
        for pk, text, phrase, item, own, of_all in rows
    }
    for entry in entries:
        yield entry, wordings[int(ratings.units[entry["unit"]])]


def _blocks(report: AgreementReport) -> Iterator[Block]:
    yield from report["scales"].values()
    yield from report.get("passes", {}).values()


def _shorten(block: Block) -> None:
    """If there are very many pairs, keep those with the lowest agreement on enough shared units,
    and note it."""
    if (block["n_annotators"] or 0) <= MOST_ANNOTATORS:
        return
    for entry in estimates_of(block).values():
        if "pairs" not in entry:
            continue
        candidates = [
            (pair["value"], at)
            for at, pair in enumerate(entry["pairs"])
            if pair["n"] >= FEW and pair["value"] is not None
        ]
        lowest = [entry["pairs"][at] for _, at in sorted(candidates)[:MOST_PAIRS]]
        entry["pairs_left_out"] = len(entry["pairs"]) - len(lowest)
        entry["pairs"] = lowest


def influence_for(
    *,
    campaign: Campaign,
    choice: Choice = Choice(),
) -> InfluenceReport:
    """{drawn, scales: {S: {influence, chance}}}: see `scoring.stats.agreement.influence`."""
    ratings = ratings_get(campaign=campaign, choice=choice)
    clusters, plan, listed = ratings.phrase, Bootstrap(clusters=PHRASES), ratings.levels()
    kinds = scale_kinds(ratings)
    return {
        "drawn": PHRASES,
        "scales": {
            name: {
                "influence": influence(
                    table, kinds[name], listed.get(name), clusters=clusters, plan=plan
                ),
                "chance": chance(table, kinds[name], listed.get(name), seed=SEED),
            }
            for name, table in steps(list(ratings.tables.items()))
        },
    }


# What the board shows about agreement: each person with the others, the texts with most
# disagreement, and whether agreement falls. Registered when the app starts (scoring/apps.py).


TEXTS = 10  # on each scale


def board_agreement(campaign: Campaign) -> dict[str, Any]:
    """{scales: [S], agreement: {S: {statistic, people: {ID: [value, low, high, n]}}},
    disagreement: {S: [text]}, course: {S: {value, low, high, n, before}}}.

    scales        in the campaign's order, which the keys of what is stored may lose
    agreement     Pearson's r with the mean of the others on the same texts; on a nominal scale the
                  share of equal values. Excluded people are compared with everybody, the others
                  with those who count. Without anonymous annotators.
    disagreement  the texts with the largest spread, as the report of agreement has them
    course        alpha of the newest part of the texts, and of the parts before it (their mean)
    """
    ratings = ratings_get(campaign=campaign)
    people = _people(campaign, ratings)
    out = set(
        Exclusion.objects.filter(
            campaign=campaign, ends_at=None, annotator__isnull=False
        ).values_list("annotator", flat=True)
    )
    if out:
        everybody = ratings_get(campaign=campaign, choice=Choice(surplus=True, excluded=True))
        for scale, block in _people(campaign, everybody).items():
            theirs = {pk: one for pk, one in block["people"].items() if int(pk) in out}
            people[scale]["people"] |= theirs
    return {
        "scales": list(people),
        "agreement": people,
        "disagreement": _texts(ratings),
        "course": _course(campaign, ratings),
    }


def _people(campaign: Campaign, ratings: Ratings) -> dict[str, Any]:
    by_scale: dict[str, Any] = {}
    for scale in ratings.scales:
        table = ratings.tables[scale.name]
        nominal = scale.level == Scale.Level.NOMINAL
        rows: dict[str, list[float | int | None]] = {}
        if not table.anonymous and table.n_ratings:
            rest = Rest.of(table, ratings.phrase, point(scale))
            column = agreement(rest)[0] if nominal else correlation(rest)
            for one, estimate in zip(ratings.annotators, column.estimates(), strict=True):
                if estimate.value is not None:
                    rows[str(one.pk)] = [
                        estimate.value,
                        estimate.ci_low,
                        estimate.ci_high,
                        estimate.n,
                    ]
        by_scale[scale.name] = {"statistic": "same" if nominal else "r", "people": rows}
    return by_scale


def _texts(ratings: Ratings) -> dict[str, list[dict[str, Any]]]:
    by_scale = {
        scale.name: disputed(ratings.tables[scale.name], cast(Level, scale.level), TEXTS)
        for scale in ratings.scales
    }
    shown: dict[str, list[dict[str, Any]]] = {scale: [] for scale in by_scale}
    entries = [{**one, "scale": scale} for scale, some in by_scale.items() for one in some]
    for entry, wording in _worded(ratings, entries):
        item, phrase, text = wording["item"], wording["phrase"], wording["text"]
        row = {"item": item, "phrase": phrase, "text": text, "values": entry["values"]}
        shown[entry["scale"]].append(row)
    return shown


def _course(campaign: Campaign, ratings: Ratings) -> dict[str, Any]:
    when, by_scale = judged_when(campaign, ratings, Choice()), {}
    for scale in ratings.scales:
        parts: list[CoursePart] = course(
            ratings.tables[scale.name],
            when,
            cast(Level, scale.level),
            clusters=ratings.phrase,
            plan=Bootstrap(clusters=PHRASES),
        )
        alphas = [part["alpha"]["value"] for part in parts[:-1]]
        before = [one for one in alphas if one is not None]
        if not parts or not before:
            continue
        newest = parts[-1]["alpha"]
        by_scale[scale.name] = {
            "value": newest["value"],
            "low": newest.get("ci_low"),
            "high": newest.get("ci_high"),
            "n": parts[-1]["n"],
            "before": float(np.mean(before)),
        }
    return by_scale
