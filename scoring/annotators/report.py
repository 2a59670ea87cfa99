"""The annotators report: statistics of every annotator of a campaign, in a constant number of
queries.

Severity, agreement and the like use the judgments that count, of role output. Repeats, controls and
times use all finished work, as on the quality pages.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

import numpy as np
from django.db.models import Count, Exists, Max, Min, OuterRef
from django.db.models.functions import Coalesce

from annotation.models import (
    Campaign,
    Expected,
    Judgment,
    JudgmentVersion,
    QualityPlan,
    Scale,
    Slot,
)
from annotation.quality.checks import NEARLY, Role, Scope, point
from annotation.sheets.own_work import PAUSE
from scoring.ratings.choice import Choice
from scoring.ratings.tables import CHUNK, FloatArray, IntArray, Ratings, ratings_get
from scoring.stats import RatingTable
from scoring.stats.agreement.coefficients import ANONYMOUS
from scoring.stats.annotators.catalogue import (
    CATALOGUE,
    AnnotatorNumbers,
    AnnotatorsBlock,
    AnnotatorsReport,
    KnownAnnotator,
)
from scoring.stats.annotators.own_judgments import (
    Controls,
    Pace,
    Repeats,
    Statistics,
    annotator_statistics,
    pace_statistics,
    profiles,
)
from scoring.stats.intervals import LEAST_CLUSTERS, few_clusters
from scoring.stats.table import Estimate

# When a judgment was made.
AT = Coalesce("judged_at", "recorded_at")


def annotators_for(
    *,
    campaign: Campaign,
    choice: Choice = Choice(),
) -> AnnotatorsReport:
    """{scales: {S: {reason, methods, voices: {CODE: {n_ratings, STAT: {...}}}}}, pace: {reason,
    methods, voices: {CODE: {STAT: {...}}}}, fast_seconds, voices: [{code, key, origin}]}.

    Annotators are those whose judgments count. Anonymous ones have no statistics; `reason` says so.
    """
    ratings = ratings_get(campaign=campaign, choice=choice)
    annotator_ids = np.array([one.pk for one in ratings.annotators], dtype=np.int64)
    orders = _orders(campaign, ratings, choice, annotator_ids)
    repeats, controls = repeats_of(campaign, annotator_ids), _controls(campaign, annotator_ids)
    plan = QualityPlan.objects.filter(campaign=campaign).first() or QualityPlan(campaign=campaign)
    used = np.zeros(annotator_ids.size, dtype=np.int64)
    anonymous = any(table.anonymous for table in ratings.tables.values())
    scales: dict[str, AnnotatorsBlock] = {}
    behind: list[int] = []
    for scale in ratings.scales:
        table = ratings.tables[scale.name]
        given = np.bincount(table.annotator, minlength=annotator_ids.size)
        used += given
        phrases = np.unique(np.column_stack([table.annotator, ratings.phrase[table.unit]]), axis=0)
        behind += np.bincount(phrases[:, 0]).tolist()
        statistics = annotator_statistics(
            table,
            clusters=ratings.phrase,
            order=orders[scale.pk],
            point=point(scale),
            repeats=repeats.get(scale.pk),
            controls=controls.get(scale.pk),
        )
        if scale.level == Scale.Level.NOMINAL:
            statistics = {one.key: statistics[one.key] for one in CATALOGUE if one.nominal}
        block = scales[scale.name] = _block(statistics, ratings, given, anonymous)
        levels, own, others = profiles(table)
        block["profiles"] = {
            "levels": levels,
            "voices": {
                one.code: {"given": own[code].tolist(), "others": others[code].tolist()}
                for code, one in enumerate(ratings.annotators)
                if one.code in block["voices"]
            },
        }
    pace = pace_statistics(_pace(campaign, annotator_ids, plan.fast_seconds), annotator_ids.size)
    listed: list[KnownAnnotator] = [
        {"code": one.code, "key": str(one.key), "origin": one.origin}
        for one, n in zip(ratings.annotators, used, strict=True)
        if n and not anonymous
    ]
    return {
        "scales": scales,
        "fast_seconds": plan.fast_seconds,
        "pace": _block(pace, ratings, used, anonymous),
        "voices": listed,
        "warning": few_clusters(n for n in behind if n >= LEAST_CLUSTERS),
    }


def _block(
    statistics: Statistics, ratings: Ratings, given: IntArray, anonymous: bool
) -> AnnotatorsBlock:
    """One block of the report: methods once for all annotators, the rest by code."""
    annotators: dict[str, AnnotatorNumbers] = {}
    for code in [] if anonymous else np.flatnonzero(given).tolist():
        numbers: AnnotatorNumbers = {"n_ratings": int(given[code])}
        own = {name: _unshared(estimates[code]) for name, estimates in statistics.items()}
        annotators[ratings.annotators[code].code] = cast(AnnotatorNumbers, {**numbers, **own})
    methods = {name: estimates[0].method for name, estimates in statistics.items() if estimates}
    return {"reason": ANONYMOUS if anonymous else None, "methods": methods, "voices": annotators}


def _unshared(estimate: Estimate) -> dict[str, object]:
    """What is the annotator's own."""
    shared = ("method", "seed")
    return {name: part for name, part in estimate.as_json().items() if name not in shared}


def _codes(annotator_ids: IntArray, annotators: Any) -> tuple[IntArray, Any]:
    """Positions of annotator ids among the codes, and a mask of the known ones."""
    if not annotator_ids.size:
        return np.zeros(len(annotators), dtype=np.int64), np.zeros(len(annotators), bool)
    at = np.minimum(np.searchsorted(annotator_ids, annotators), annotator_ids.size - 1)
    return at.astype(np.int64), annotator_ids[at] == annotators


def _orders(
    campaign: Campaign, ratings: Ratings, choice: Choice, annotator_ids: IntArray
) -> dict[int, FloatArray]:
    """By scale: the rank of each rating of the table in the order of judging. Two queries.

    Times are those of the imported file, else when the server stored the current value. NaN for an
    import without times, because all its rows have the same moment.
    """
    rows = Judgment.objects.filter(
        campaign=campaign, kind=Judgment.Kind.RATING, occasion=choice.occasion, value__isnull=False
    )
    batches = rows.order_by().filter(batch__isnull=False).values_list("annotator_id", "batch_id")
    timeless = {
        (annotator, batch)
        for annotator, batch, first, last, n in batches.annotate(
            first=Min(AT), last=Max(AT), n=Count("*")
        )
        if n > 1 and first == last
    }
    columns = ("annotator_id", "substitution_id", "scale_id", "batch_id")
    judgments = np.fromiter(
        (
            (annotator, unit, scale, (annotator, batch) not in timeless)
            for annotator, unit, scale, batch in rows.order_by("annotator_id", AT, "pk")
            .values_list(*columns)
            .iterator(CHUNK)
        ),
        dtype=[("annotator", np.int64), ("unit", np.int64), ("scale", np.int64), ("told", bool)],
    )
    place = np.where(judgments["told"], np.arange(float(judgments.size)), np.nan)
    code, is_member = _codes(annotator_ids, judgments["annotator"])
    unit = ratings.position(judgments["unit"])
    orders = {}
    for scale in ratings.scales:
        chosen = np.flatnonzero(is_member & (unit >= 0) & (judgments["scale"] == scale.pk))
        table = ratings.tables[scale.name]
        orders[scale.pk] = _matched(table, unit[chosen], code[chosen], place[chosen])
    return orders


def _matched(
    table: RatingTable, unit: IntArray, annotator: IntArray, place: FloatArray
) -> FloatArray:
    """The rank of each rating of the table; NaN for one saved between the queries."""
    width = max(table.n_annotators, 1)
    key, wanted = unit * width + annotator, table.unit * width + table.annotator
    if not key.size:
        return np.full(wanted.size, np.nan)
    order = np.argsort(key)
    at = order[np.minimum(np.searchsorted(key[order], wanted), key.size - 1)]
    return np.where(key[at] == wanted, place[at], np.nan)


def repeats_of(campaign: Campaign, annotator_ids: IntArray) -> dict[int, Repeats]:
    """By scale: values of later occasions beside those of the first. Two queries."""
    judgments = Scope(campaign).judgments()
    again = Judgment.objects.filter(
        annotator=OuterRef("annotator"), substitution=OuterRef("substitution"), occasion__gt=1
    )
    columns = ("annotator_id", "substitution_id", "scale_id")
    first = {
        row[:3]: row[3]
        for row in judgments.filter(Exists(again), occasion=1).values_list(*columns, "value")
    }
    rows = [
        (scale, annotator, phrase, first[annotator, text, scale], value)
        for annotator, text, scale, phrase, value in judgments.filter(occasion__gt=1).values_list(
            *columns, "substitution__item__phrase_id", "value"
        )
        if (annotator, text, scale) in first
    ]
    table = np.array(rows, dtype=np.float64).reshape(-1, 5)
    code, is_member = _codes(annotator_ids, table[:, 1])
    phrase = np.unique(table[:, 2], return_inverse=True)[1]
    parts = {}
    for scale in np.unique(table[:, 0]).tolist():
        row = np.flatnonzero(is_member & (table[:, 0] == scale))
        parts[int(scale)] = Repeats(code[row], phrase[row], table[row, 3], table[row, 4])
    return parts


def _controls(campaign: Campaign, annotator_ids: IntArray) -> dict[int, Controls]:
    """By scale: whether the judgments of controls are within their bands. Two queries."""
    bands = {
        (one.substitution_id, one.scale_id): one
        for one in Expected.objects.filter(
            substitution__campaign=campaign, substitution__role=Role.CONTROL
        )
    }
    rows = [
        (scale, annotator, band.low - NEARLY <= value <= band.high + NEARLY)
        for annotator, text, scale, value in Scope(campaign)
        .judgments()
        .filter(substitution__role=Role.CONTROL)
        .values_list("annotator_id", "substitution_id", "scale_id", "value")
        if (band := bands.get((text, scale))) is not None and value is not None
    ]
    table = np.array(rows, dtype=np.float64).reshape(-1, 3)
    code, is_member = _codes(annotator_ids, table[:, 1])
    return {
        int(scale): Controls(code[row], table[row, 2])
        for scale in np.unique(table[:, 0]).tolist()
        for row in [np.flatnonzero(is_member & (table[:, 0] == scale))]
    }


def _pace(campaign: Campaign, annotator_ids: IntArray, least: float) -> Pace:
    """The time spent on every finished sheet or, for imported judgments with times, on every item.

    By the server's clock when each question was first answered. Two queries.
    """
    saves = JudgmentVersion.objects.filter(
        judgment__campaign=campaign,
        version=1,
        request_id__isnull=False,
        judgment__slot__state=Slot.State.DONE,
    ).order_by()
    sheets = saves.values_list(
        "judgment__annotator_id", "judgment__slot_id", "judgment__slot__claimed_at"
    ).annotate(Min("recorded_at"), Max("recorded_at"), n=Count("*"))
    timed = Judgment.objects.filter(
        campaign=campaign, kind=Judgment.Kind.RATING, judged_at__isnull=False
    ).order_by()
    items = timed.values_list("annotator_id", "substitution__item_id", "occasion").annotate(
        Min("judged_at"), Max("judged_at"), n=Count("*")
    )
    rows = [(row[0], _seconds(row[2]), *_span(row)) for row in sheets.iterator(CHUNK)]
    rows += [(row[0], np.nan, *_span(row)) for row in items.iterator(CHUNK)]
    table = np.array(rows, dtype=np.float64).reshape(-1, 5)
    code, is_member = _codes(annotator_ids, table[:, 0])
    table, code = table[is_member], code[is_member]
    return Pace.of(
        code,
        (table[:, 1], table[:, 2], table[:, 3]),
        table[:, 4].astype(np.int64),
        least=least,
        pause=PAUSE.total_seconds(),
    )


def _span(row: Any) -> tuple[float, float, int]:
    return _seconds(row[3]), _seconds(row[4]), row[5]


def _seconds(moment: datetime | None) -> float:
    return np.nan if moment is None else moment.timestamp()
