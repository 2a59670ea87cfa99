"""What the board shows about agreement: each person with the others, the texts with most
disagreement, and whether agreement falls. Registered when the app starts (scoring/apps.py)."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from annotation.models import Campaign, Exclusion, Scale, Substitution
from annotation.selectors.quality.checks import point
from scoring.selectors.agreement import judged_when
from scoring.selectors.ratings.choice import Choice
from scoring.selectors.ratings.tables import Ratings, ratings_get
from scoring.stats import Bootstrap
from scoring.stats.agreement.json_types import CoursePart
from scoring.stats.agreement.time_course import course
from scoring.stats.agreement.verdict import Level, disputed
from scoring.stats.annotators.against_others import Rest, agreement, correlation

REPLICATES, SEED = 200, 0
TEXTS = 10  # on each scale


def board_agreement(campaign: Campaign) -> dict[str, Any]:
    """{agreement: {S: {statistic, people: {ID: [value, low, high, n]}}}, disagreement: {S: [text]},
    course: {S: {value, low, high, n, before}}}.

    agreement     Pearson's r with the mean of the others on the same texts; on a nominal scale the
                  share of equal values. Excluded people are compared with everybody, the others
                  with those who count. Without anonymous annotators.
    disagreement  the texts with the largest spread, as the report of agreement has them
    course        alpha of the newest part of the texts, and of the parts before it (their mean)
    """
    ratings = ratings_get(campaign=campaign)
    people = _people(campaign, ratings)
    out = set(
        Exclusion.objects.filter(campaign=campaign, ends_at=None, annotator__isnull=False)
        .values_list("annotator", flat=True)
    )  # fmt: skip
    if out:
        everybody = ratings_get(campaign=campaign, choice=Choice(surplus=True, excluded=True))
        for scale, found in _people(campaign, everybody).items():
            theirs = {pk: one for pk, one in found["people"].items() if int(pk) in out}
            people[scale]["people"] |= theirs
    return {
        "agreement": people,
        "disagreement": _texts(ratings),
        "course": _course(campaign, ratings),
    }


def _people(campaign: Campaign, ratings: Ratings) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for scale in ratings.scales:
        table = ratings.tables[scale.name]
        nominal = scale.level == Scale.Level.NOMINAL
        rows: dict[str, list[float | int | None]] = {}
        if not table.anonymous and table.n_ratings:
            rest = Rest.of(table, ratings.item, point(scale))
            column = agreement(rest)[0] if nominal else correlation(rest)
            for one, estimate in zip(ratings.annotators, column.estimates(), strict=True):
                if estimate.value is not None:
                    rows[str(one.pk)] = [
                        estimate.value, estimate.ci_low, estimate.ci_high, estimate.n,
                    ]  # fmt: skip
        found[scale.name] = {"statistic": "same" if nominal else "r", "people": rows}
    return found


def _texts(ratings: Ratings) -> dict[str, list[dict[str, Any]]]:
    found = {
        scale.name: disputed(ratings.tables[scale.name], cast(Level, scale.level), TEXTS)
        for scale in ratings.scales
    }
    wanted = {int(ratings.units[one["unit"]]) for some in found.values() for one in some}
    rows = Substitution.objects.filter(pk__in=wanted).values_list(
        "pk", "text", "item__phrase__text", "item__key"
    )
    named = {pk: (text[:200], phrase[:200], str(item)) for pk, text, phrase, item in rows}
    shown: dict[str, list[dict[str, Any]]] = {}
    for scale, some in found.items():
        shown[scale] = []
        for one in some:
            text, phrase, item = named[int(ratings.units[one["unit"]])]
            shown[scale].append(
                {"item": item, "phrase": phrase, "text": text, "values": one["values"]}
            )
    return shown


def _course(campaign: Campaign, ratings: Ratings) -> dict[str, Any]:
    when, found = judged_when(campaign, ratings, Choice()), {}
    for scale in ratings.scales:
        parts: list[CoursePart] = course(
            ratings.tables[scale.name], when, cast(Level, scale.level), clusters=ratings.item,
            plan=Bootstrap(REPLICATES, SEED),
        )  # fmt: skip
        known = [part["alpha"]["value"] for part in parts[:-1]]
        before = [one for one in known if one is not None]
        if not parts or not before:
            continue
        newest = parts[-1]["alpha"]
        found[scale.name] = {
            "value": newest["value"], "low": newest.get("ci_low"), "high": newest.get("ci_high"),
            "n": parts[-1]["n"], "before": float(np.mean(before)),
        }  # fmt: skip
    return found
