"""Reading runs: their progress, and their scores as arrays.

Callers pass a campaign that they have got for a user (annotation/selectors/access.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from annotation.models import Campaign
from annotation.services.errors import NotFound
from scoring.metrics.base import Option
from scoring.metrics.files import FileOption
from scoring.metrics.registry import metric_class, names
from scoring.models import Resource, Run, Score, SystemScore


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a run is. `rate` (texts a second) and `seconds_left` are None where unknown."""

    run: Run
    fraction: float
    rate: float | None
    seconds_left: float | None

    @property
    def active(self) -> bool:
        return self.run.status in Run.ACTIVE


@dataclass(frozen=True, slots=True)
class OptionChoice:
    """An option, and the values it can take with their labels; none where it is free."""

    name: str
    default: str
    summary: str
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class MetricChoice:
    """A metric that can be started, with the options that its form offers."""

    name: str
    title: str
    summary: str
    higher_is_better: bool
    options: tuple[OptionChoice, ...]


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
    """All runs with progress, newest first; one query."""
    rows = runs_of(campaign=campaign).annotate(now=Now()).order_by("-pk")
    return [_progress(run, run.now) for run in rows]


def run_progress(*, campaign: Campaign, key: UUID | str) -> RunProgress:
    """One run with progress; NotFound for a run of another campaign."""
    run = run_get(campaign=campaign, key=key)
    return _progress(
        run, Run.objects.annotate(now=Now()).values_list("now", flat=True).get(pk=run.pk)
    )


def _progress(run: Run, now: datetime) -> RunProgress:
    fraction = min(1.0, run.done / run.total) if run.total else float(run.status == Run.Status.DONE)
    rate = left = None
    if run.started_at is not None and run.done:
        elapsed = ((run.finished_at or now) - run.started_at).total_seconds()
        rate = run.done / elapsed if elapsed > 0 else None
    if rate and run.status == Run.Status.RUNNING:
        left = max(0, run.total - run.done) / rate
    return RunProgress(run, fraction, rate, left)


def newest_done_runs(*, campaign: Campaign) -> list[Run]:
    """The newest finished run of each metric with its options, in order of label."""
    newest: dict[str, Run] = {}
    for run in runs_of(campaign=campaign).filter(status=Run.Status.DONE).order_by("pk"):
        newest[run.options_hash] = run
    return sorted(newest.values(), key=lambda run: (run.label, run.pk))


def run_labels(runs: list[Run]) -> dict[int, str]:
    """A name for each run that no other has: its label, with scope or number where needed."""
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
    """The scores of runs on given substitutions: by run id, an array aligned with the ids.

    NaN where a run has no value for a text (undefined, failed, or the text came later).
    One query for all runs.
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


def score_reasons(*, run: Run) -> dict[int, str]:
    """Why texts of a run have no value: reasons by substitution id."""
    return dict(run.scores.filter(value=None).values_list("substitution_id", "reason"))


def system_scores(*, runs: Iterable[Run]) -> QuerySet[SystemScore]:
    """System scores of runs with their systems, in order of label."""
    return (
        SystemScore.objects.filter(run__in=list(runs))
        .select_related("system", "run")
        .order_by("run_id", "system__label", "kind")
    )


def metric_choices() -> list[MetricChoice]:
    """What the form for a new run offers: the metrics whose files are there."""
    ready: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for resource in Resource.objects.filter(status=Resource.Status.READY):
        ready[resource.kind].append((str(resource.key), resource.name))
    choices = []
    for name in names():
        found = metric_class(name)
        options = [_option_choice(option, ready) for option in found.OPTIONS]
        if None in options:
            continue
        choices.append(
            MetricChoice(
                name=name,
                title=found.title,
                summary=" ".join((found.__doc__ or "").strip().partition("\n\n")[0].split()),
                higher_is_better=found.higher_is_better,
                options=tuple(option for option in options if option is not None),
            )
        )
    return choices


def _option_choice(
    option: Option, ready: Mapping[str, list[tuple[str, str]]]
) -> OptionChoice | None:
    """None where the option needs a file and there is none of its kind."""
    values = [(value, value) for value in option.values]
    if isinstance(option, FileOption):
        values = list(ready.get(option.kind, []))
        if not option.default:
            return OptionChoice(option.name, "", option.summary, tuple(values)) if values else None
    if values and option.default not in dict(values):
        values.insert(0, (option.default, option.default or _("by default")))
    return OptionChoice(option.name, option.default, option.summary, tuple(values))
