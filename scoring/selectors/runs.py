"""Reading runs: their progress, and their scores as arrays.

Callers have checked the user's access to the campaign (annotation/selectors/access.py).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

import numpy as np
from django.core.exceptions import ValidationError
from django.db.models import Count, Max, Q, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from annotation.errors import NotFound
from annotation.models import Campaign, Output, Reference, Substitution
from scoring.models import Run, Score, SystemScore
from scoring.queues import queue_name, starts_on_demand
from scoring.selectors.demo import demo_pending
from scoring.selectors.workers import queues_taken


@dataclass(frozen=True, slots=True)
class RunProgress:
    """The progress of a run. `rate` (texts per second) and `seconds_left` are None if unknown.

    The rate covers work since the last start, without scores that a retry or an update kept.
    `later` counts texts added after the run started; `outdated` is also true for new references and
    for new systems with known texts, and if `relabelled`: the language of texts was set since, and
    the metric reads one language. `waits_for` is a queue that no live worker consumes.
    """

    run: Run
    fraction: float
    rate: float | None
    seconds_left: int | None
    later: int = 0
    outdated: bool = False
    relabelled: bool = False
    waits_for: str = ""

    @property
    def active(self) -> bool:
        return self.run.status in Run.ACTIVE


@dataclass(frozen=True, slots=True)
class UnderWay:
    """How many of a campaign's runs are over while some are not; 0 of 0: none has started."""

    over: int
    total: int


def runs_of(*, campaign: Campaign) -> QuerySet[Run]:
    """The runs of a campaign, newest first, without their large columns."""
    return Run.objects.filter(campaign=campaign).defer("state").select_related("created_by")


def run_get(*, campaign: Campaign, key: UUID | str) -> Run:
    """One run of this campaign; NotFound for any other."""
    try:
        return runs_of(campaign=campaign).get(key=key)
    except (Run.DoesNotExist, ValidationError) as error:
        raise NotFound(_("There is no such run.")) from error


def runs_progress(*, campaign: Campaign) -> list[RunProgress]:
    """All runs with progress, newest first; seven queries at most."""
    rows = list(runs_of(campaign=campaign).order_by("-pk"))
    return _progress_of(campaign, rows)


def run_progress(*, campaign: Campaign, key: UUID | str) -> RunProgress:
    """One run with progress; NotFound for a run of another campaign."""
    return _progress_of(campaign, [run_get(campaign=campaign, key=key)])[0]


def runs_under_way(*, campaign: Campaign, begun_within: timedelta | None = None) -> UnderWay | None:
    """None if no run is active (or none of those begun in this time), and none about to be
    started; one query."""
    active = Q(status__in=Run.ACTIVE)
    recent = active if begun_within is None else active & Q(created_at__gte=Now() - begun_within)
    counts = Run.objects.filter(campaign=campaign).aggregate(
        total=Count("pk"), active=Count("pk", filter=active), recent=Count("pk", filter=recent)
    )
    if not counts["recent"] and demo_pending() != campaign.pk:
        return None
    return UnderWay(counts["total"] - counts["active"], counts["total"])


def _progress_of(campaign: Campaign, runs: Sequence[Run]) -> list[RunProgress]:
    done = [run for run in runs if run.status == Run.Status.DONE]
    later = _later(campaign, {run.last_substitution for run in done})
    outputs = newest_output(campaign.pk) if done else 0
    references = newest_reference(campaign.pk) if done else 0
    active = any(run.status in Run.ACTIVE for run in runs)
    taken = queues_taken() if active else {}
    found = []
    for run in runs:
        progress = _progress(run)
        if run.status == Run.Status.DONE:
            n = later[run.last_substitution]
            # Runs of earlier versions did not record it.
            newer = run.last_reference is not None and (
                outputs > run.last_output or references > run.last_reference
            )
            relabelled = run.language_changes not in (None, campaign.language_changes)
            progress = replace(
                progress, later=n, outdated=bool(n) or newer or relabelled, relabelled=relabelled
            )
        elif run.status in Run.ACTIVE and _without_worker(run.queue, taken):
            progress = replace(progress, waits_for=run.queue)
        found.append(progress)
    return found


def _without_worker(queue: str, taken: Collection[str]) -> bool:
    return queue_name(queue) not in taken and not starts_on_demand(queue)


def _later(campaign: Campaign, marks: set[int]) -> dict[int, int]:
    """Number of outputs with an id above each mark; one query."""
    if not marks:
        return {}
    outputs = Substitution.objects.filter(
        campaign=campaign, role=Substitution.Role.OUTPUT, pk__gt=min(marks)
    )
    counts = {f"after_{mark}": Count("pk", filter=Q(pk__gt=mark)) for mark in marks}
    found = outputs.aggregate(**counts)
    return {mark: found[f"after_{mark}"] for mark in marks}


def _progress(run: Run) -> RunProgress:
    share = run.completed
    fraction = float(run.status == Run.Status.DONE) if share is None else share
    return RunProgress(run, fraction, run.rate, run.seconds_left)


def reads_old_language(runs: Sequence[Run]) -> set[int]:
    """The ids of runs that read the language of the texts before it was changed; one query."""
    now = dict(
        Campaign.objects.filter(pk__in={run.campaign_id for run in runs}).values_list(
            "pk", "language_changes"
        )
    )
    return {run.pk for run in runs if run.language_changes not in (None, now[run.campaign_id])}


def newest_done_runs(*, campaign: Campaign) -> list[Run]:
    """The newest finished run of each metric with its options, in order of label."""
    newest: dict[str, Run] = {}
    for run in runs_of(campaign=campaign).filter(status=Run.Status.DONE).order_by("pk"):
        newest[run.options_hash] = run
    return sorted(newest.values(), key=lambda run: (run.label, run.pk))


def run_labels(runs: list[Run]) -> dict[int, str]:
    """A unique name for each run: its label, with scope or number if needed."""
    names: dict[int, str] = {}
    for run in runs:
        name = run.label
        if sum(other.label == run.label for other in runs) > 1:
            name = f"{run.label} ({run.scope})"
        names[run.pk] = f"{name} #{run.pk}" if name in names.values() else name
    return names


def run_columns(
    *, runs: Iterable[Run], substitutions: Sequence[int] | NDArray[np.int64]
) -> dict[int, NDArray[np.float64]]:
    """The scores of runs by run id, as arrays aligned with the given substitution ids.

    NaN if a run has no value for a text (undefined, failed, or the text was added later). One query
    for all runs.
    """
    ids = np.asarray(substitutions, dtype=np.int64)
    order = np.argsort(ids, kind="stable")
    columns = {run.pk: np.full(len(ids), np.nan) for run in runs}
    if not columns or not len(ids):
        return columns
    rows = np.fromiter(
        Score.objects.filter(run_id__in=columns, value__isnull=False)
        .values_list("run_id", "substitution_id", "value")
        .iterator(chunk_size=5000),
        dtype=[("run", np.int64), ("substitution", np.int64), ("value", np.float64)],
    )
    for pk, column in columns.items():
        mine = rows[rows["run"] == pk]
        at = np.searchsorted(ids[order], mine["substitution"])
        at_safe = np.minimum(at, len(ids) - 1)
        found = ids[order][at_safe] == mine["substitution"]
        column[order[at_safe[found]]] = mine["value"][found]
    return columns


def system_scores(*, runs: Iterable[Run]) -> QuerySet[SystemScore]:
    """System scores of runs with their systems, in order of label."""
    return (
        SystemScore.objects.filter(run__in=list(runs))
        .select_related("system", "run")
        .order_by("run_id", "system__label", "kind")
    )


def undefined_scores(*, run: Run) -> QuerySet[Score]:
    """The scores without a value, with their texts; one query."""
    return run.scores.filter(value=None).select_related("substitution__item")


def newest_reference(campaign: int) -> int:
    """The greatest id of a reference; 0 if there is none."""
    found = Reference.objects.filter(item__campaign_id=campaign).aggregate(last=Max("pk"))["last"]
    return int(found or 0)


def newest_output(campaign: int) -> int:
    """The greatest id of an output; 0 if there is none."""
    found = Output.objects.filter(system__campaign_id=campaign).aggregate(last=Max("pk"))["last"]
    return int(found or 0)
