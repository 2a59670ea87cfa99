"""A campaign's numbers as pandas DataFrames, for notebooks and scripts.

    from scoring import frames
    frames.judgments("my-campaign").groupby("scale")["value"].describe()

It sets Django up if that has not been done, so that a notebook needs nothing but to be started in
the folder of the application. Missing values are NaN or None, and are never 0. Each function raises
KeyError for a campaign that does not exist. Nothing is ever written.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Mapping, Set
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Literal

import django
from django.apps import apps

if not apps.ready:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "paraanno.settings")
    django.setup()

from django.db import connections

from annotation.models import Campaign, Judgment, Substitution
from scoring.agreement.report import agreement_for
from scoring.correlation.report import columns_get, correlation_for
from scoring.exports import gold as exports_gold
from scoring.exports import rows as exports_rows
from scoring.exports.design import rating_rows
from scoring.gold.report import results_for
from scoring.paper.rows import (
    AGREEMENT,
    CORRELATION,
    RESULTS,
    agreement_rows,
    correlation_rows,
    results_rows,
)
from scoring.ratings.choice import Choice
from scoring.ratings.tables import ratings_get

if TYPE_CHECKING:
    from pandas import DataFrame

Rows = tuple[tuple[str, ...], list[Mapping[str, Any]]]


def items(slug: str) -> DataFrame:
    """One row per output of a system: sentence, phrase, paraphrase, system, attributes."""
    return _frame(slug, lambda campaign: _exported(exports_rows.items(campaign=campaign)))


def judgments(slug: str, *, only_counted: bool = True) -> DataFrame:
    """One row per judgment: its text, annotator, scale, value, status and times, and if it counts.

    `counts`: it is one of the ratings that agreement, results and gold are computed from. Others
    are there with `only_counted=False`, as the export has them: excluded ones, those on controls
    and copies, repeats, drafts, surplus, adjudications and "cannot judge" (value NaN).
    """

    def read(campaign: Campaign) -> Rows:
        columns, rows = _exported(exports_rows.judgments(campaign=campaign))
        ratings = rating_rows(ratings=ratings_get(campaign=campaign))
        behind = {(row["item"], row["annotator"], row["scale"]) for row in ratings}
        marked: list[Mapping[str, Any]] = [{**row, "counts": _counts(row, behind)} for row in rows]
        selected = [row for row in marked if row["counts"]] if only_counted else marked
        return (*columns, "counts"), selected

    return _frame(slug, read)


def _counts(row: Mapping[str, Any], behind: Set[tuple[object, ...]]) -> bool:
    """Whether an answer is a rating behind the statistics: the first time, by an annotator."""
    first = row["occasion"] == 1 and row["kind"] == Judgment.Kind.RATING
    own = (row["text_key"], row["annotator"], row["scale"])
    return first and row["role"] == Substitution.Role.OUTPUT and own in behind


def gold(slug: str, method: str = "mean") -> DataFrame:
    """One row per text: the gold of each scale with n, deviation and interval, and whether it
    passes; `method` as in the export of gold."""
    return _frame(
        slug, lambda campaign: _exported(exports_gold.golds(campaign=campaign, method=method))
    )


def scores(slug: str) -> DataFrame:
    """One row per text: the newest scores of each metric, one column for each; NaN: undefined."""

    def read(campaign: Campaign) -> Rows:
        columns, rows = _exported(exports_gold.table(campaign=campaign))
        unit_columns = columns_get(campaign=campaign, choice=Choice())
        human = {*unit_columns.gold, "pass"}
        return tuple(name for name in columns if name not in human), rows

    return _frame(slug, read)


def table(slug: str) -> DataFrame:
    """One row per text: its systems, its gold, and its score by each metric."""
    return _frame(slug, lambda campaign: _exported(exports_gold.table(campaign=campaign)))


def results(slug: str, unit: Literal["judgment", "gold"] = "judgment") -> DataFrame:
    """One row per system and outcome (coverage, means, pass rates) with both intervals; `unit` is
    judgment or gold."""

    def read(campaign: Campaign) -> Rows:
        report = results_for(campaign=campaign, unit=unit, choice=Choice())
        return RESULTS, list(results_rows(report))

    return _frame(slug, read)


def agreement(slug: str) -> DataFrame:
    """One row per coefficient of each scale and decision, with interval, n, and a reason where it
    is undefined."""

    def read(campaign: Campaign) -> Rows:
        return AGREEMENT, list(agreement_rows(agreement_for(campaign=campaign, choice=Choice())))

    return _frame(slug, read)


def correlation(slug: str) -> DataFrame:
    """One row per human column, metric and coefficient, with interval and p-value."""

    def read(campaign: Campaign) -> Rows:
        report = correlation_for(campaign=campaign, choice=Choice())
        return CORRELATION, list(correlation_rows(report))

    return _frame(slug, read)


def _exported(export: exports_rows.Export) -> Rows:
    names = {column.source: column.name for column in export.columns}
    rows: Iterable[Mapping[str, Any]] = (
        {name: row.get(source) for source, name in names.items()} for row in export.rows
    )
    return tuple(names.values()), list(rows)


def _frame(slug: str, read: Callable[[Campaign], Rows]) -> DataFrame:
    from pandas import DataFrame

    def load() -> Rows:
        campaign = Campaign.objects.filter(slug=slug).first()
        if campaign is None:
            raise KeyError(f"there is no campaign {slug!r}")
        return read(campaign)

    columns, rows = _outside_of_a_loop(load)
    return DataFrame(rows, columns=list(columns))


def _outside_of_a_loop(work: Callable[[], Rows]) -> Rows:
    """Call `work` where Django allows it: notebooks run an event loop in this thread.

    Whoever has set that Django's own thread will do (DJANGO_ALLOW_ASYNC_UNSAFE) stays in it.
    """
    if os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE"):
        return work()
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return work()

    def alone() -> Rows:
        try:
            return work()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(alone).result()
