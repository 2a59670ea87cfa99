"""Reading runs: their progress, and their scores as arrays.

Callers have checked the user's access to the campaign (annotation/access.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import reduce
from operator import or_
from statistics import median
from typing import Any
from uuid import UUID

import numpy as np
from django.core.exceptions import ValidationError
from django.db.models import Count, F, Max, Q, QuerySet, Value
from django.db.models.functions import Now
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from annotation.errors import Conflict, NotFound
from annotation.models import Campaign, Output, Reference, Substitution
from annotation.models.fields import text_digest, text_key
from scoring.metrics.phrases.judged_matches import MatchedPair, MatchedText, sample
from scoring.models import Run, Score, SystemScore
from scoring.work.workers import (
    demo_pending,
    is_starting,
    queue_name,
    queues_taken,
    starts_on_demand,
)

# The phrase pairs that a run of ParaEval matched.


PARAEVAL = "paraeval"
CUTS = ("words", "none")


def has_matches(run: Run) -> bool:
    """Whether the run can be asked for a sample."""
    return run.metric == PARAEVAL and run.status == Run.Status.DONE


def matched_sample(*, run: Run, n: int, seed: int) -> list[MatchedPair]:
    """A sample of the multi-word matches of a run. Raises Conflict for a run of another metric, one
    that is not done, and one that cut words in a way in which they cannot be found again."""
    if not has_matches(run):
        raise Conflict(_("Only runs of ParaEval that are done have matches to judge."))
    cut = str(run.options.get("tokenize", CUTS[0]))
    if cut not in CUTS:
        raise Conflict(
            _("Matches can be found again only in texts tokenized into words or at white space.")
        )
    return sample(_texts(run), n, seed=seed, tokenize=cut)


def _texts(run: Run) -> Iterator[MatchedText]:
    references: dict[int, list[str]] = defaultdict(list)
    of_campaign = Reference.objects.filter(item__campaign_id=run.campaign_id)
    for item, text in of_campaign.order_by("item_id", "position").values_list("item_id", "text"):
        references[item].append(text)
    columns = (
        "detail",
        "substitution__text",
        "substitution__item_id",
        "substitution__item__sentence",
        "substitution__item__start",
        "substitution__item__end",
        "substitution__own_sentence",
        "substitution__own_start",
        "substitution__own_end",
    )
    scores = Score.objects.filter(run=run, value__isnull=False).order_by("substitution_id")
    for detail, text, item, sentence, start, end, *own in scores.values_list(*columns).iterator():
        matches = [
            one
            for one in (detail or {}).get("tier_1", ())
            if min(
                one["reference_span"][1] - one["reference_span"][0],
                one["paraphrase_span"][1] - one["paraphrase_span"][0],
            )
            > 1
        ]
        if matches:
            around, first, last = (sentence, start, end) if own[0] is None else own
            whole = around[:first] + text + around[last:]
            yield MatchedText((*references[item], sentence), whole, matches)


# The progress of runs.


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
    def as_it_should_be(self) -> bool:
        """Whether the run is done, with all texts."""
        run = self.run
        return run.status == Run.Status.DONE and not (run.failed or self.outdated)

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
    """All runs with progress, the newest first of those with something to say, then of the others;
    seven queries at most."""
    rows = list(runs_of(campaign=campaign).order_by("-pk"))
    return sorted(_progress_of(campaign, rows), key=lambda one: one.as_it_should_be)


def run_progress(*, campaign: Campaign, key: UUID | str) -> RunProgress:
    """One run with progress; NotFound for a run of another campaign."""
    return _progress_of(campaign, [run_get(campaign=campaign, key=key)])[0]


def runs_under_way(*, campaign: Campaign, begun_within: timedelta | None = None) -> UnderWay | None:
    """None if no run is active (or none of those begun in this time), and none about to be
    started; one query."""
    active = Q(status__in=Run.ACTIVE)
    recent = active if begun_within is None else active & Q(created_at__gte=Now() - begun_within)
    counts = Run.objects.filter(campaign=campaign).aggregate(
        total=Count("*"),
        active=Count(Value(1), filter=active),
        recent=Count(Value(1), filter=recent),
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
    results = []
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
        results.append(progress)
    return results


def _without_worker(queue: str, taken: Collection[str]) -> bool:
    return queue_name(queue) not in taken and not starts_on_demand(queue) and not is_starting()


def _later(campaign: Campaign, marks: set[int]) -> dict[int, int]:
    """Number of outputs with an id above each mark; one query."""
    if not marks:
        return {}
    outputs = Substitution.objects.filter(
        campaign=campaign, role=Substitution.Role.OUTPUT, pk__gt=min(marks)
    )
    counts = {f"after_{mark}": Count(Value(1), filter=Q(pk__gt=mark)) for mark in marks}
    totals = outputs.aggregate(**counts)
    return {mark: totals[f"after_{mark}"] for mark in marks}


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


SHORT_REFERENCES = 0.5  # Share of the sentence's characters; see annotation/importing/plan.py.
SAMPLE = 2000


def short_references(*, campaign: Campaign) -> float | None:
    """The median length of references as a share of their sentences', if it is so small that they
    seem to replace the phrase, of the first ones; one query."""
    rows = (
        Reference.objects.filter(item__campaign=campaign)
        .exclude(item__phrase__text=F("item__sentence"))
        .order_by("pk")
        .values_list("text", "item__sentence")[:SAMPLE]
    )
    shares = [len(text) / len(sentence) for text, sentence in rows]
    share = median(shares) if shares else 1.0
    return share if share < SHORT_REFERENCES else None


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
        scores = rows[rows["run"] == pk]
        at = np.searchsorted(ids[order], scores["substitution"])
        at_safe = np.minimum(at, len(ids) - 1)
        matched = ids[order][at_safe] == scores["substitution"]
        column[order[at_safe[matched]]] = scores["value"][matched]
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
    newest = Reference.objects.filter(item__campaign_id=campaign).aggregate(last=Max("pk"))["last"]
    return int(newest or 0)


def newest_output(campaign: int) -> int:
    """The greatest id of an output; 0 if there is none."""
    newest = Output.objects.filter(system__campaign_id=campaign).aggregate(last=Max("pk"))["last"]
    return int(newest or 0)


# What texts are, in words: the columns by which a number in any file is traced to its text.


CHUNK = 5000
TEXT_NAMES = ("text_key", "phrase", "paraphrase", "systems")
_COLUMNS = (
    "pk",
    "text",
    "own_sentence",
    "own_start",
    "own_end",
    "item__phrase__text",
    "item__sentence",
    "item__start",
    "item__end",
    "item__language",
    "campaign__language",
)


@dataclass(frozen=True, slots=True)
class NamedText:
    """A text with its key and the key of its item, both made from their contents."""

    text_key: str
    item_key: str
    phrase: str
    sentence: str
    start: int
    end: int
    paraphrase: str
    systems: tuple[str, ...]
    language: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The values of TEXT_NAMES."""
        return self.text_key, self.phrase, self.paraphrase, "|".join(self.systems)


def texts_named(ids: Sequence[int]) -> list[NamedText]:
    """The texts of these ids, in their order; two queries for each CHUNK."""
    return [text for at in range(0, len(ids), CHUNK) for text in _some(ids[at : at + CHUNK])]


def _some(ids: Sequence[int]) -> list[NamedText]:
    makers = makers_of(substitution__in=ids)
    texts = {}
    for row in Substitution.objects.filter(pk__in=ids).values_list(*_COLUMNS):
        pk, text, *own, phrase, sentence, start, end, language, of_campaign = row
        item = text_digest("item", phrase, sentence, start, end)[:16]
        if own[0] is not None:
            sentence, start, end = own
        key = text_key(phrase, (sentence, start, end), text)
        made_by = tuple(makers.get(pk, ()))
        texts[pk] = NamedText(
            key, item, phrase, sentence, start, end, text, made_by, language or of_campaign
        )
    return [texts[pk] for pk in ids]


def makers_of(**where: Any) -> dict[int, list[str]]:
    """The labels of the systems that produced each text, of the outputs that fit; one query."""
    made = Output.objects.filter(substitution__isnull=False, **where)
    by_text: dict[int, dict[str, None]] = {}
    for pk, label in made.order_by("system__label", "rank").values_list(
        "substitution_id", "system__label"
    ):
        by_text.setdefault(pk, {})[label] = None
    return {pk: list(labels) for pk, labels in by_text.items()}


def scored(texts: QuerySet[Substitution]) -> str:
    """Say that metrics have scored one of the texts; "" if none has but those that run by
    themselves."""
    if Score.objects.filter(substitution__in=texts, run__automatic=False).exists():
        return _("Metrics have scored texts of this import: it stays.")
    return ""


# What is to be done about the metrics of campaigns.


@dataclass(frozen=True, slots=True)
class MetricsState:
    """The metrics of a campaign.

    failed   how many failed and were not finished since
    runs     how many were run; if texts were added since, how many of them lack these
    later    how many texts were added after the first of these runs
    """

    failed: int
    runs: int
    later: int


def metrics_in(*, campaigns: Collection[Campaign]) -> dict[int, MetricsState]:
    """The metrics of each campaign; two queries for any number of them."""
    last: dict[int, dict[str, str]] = {one.pk: {} for one in campaigns}
    done: dict[int, dict[str, int]] = {one.pk: {} for one in campaigns}
    over = (Run.Status.DONE, Run.Status.FAILED)
    runs = Run.objects.filter(campaign__in=campaigns, status__in=over).order_by("pk")
    columns = ("campaign_id", "options_hash", "status", "last_substitution")
    for pk, metric, status, text in runs.values_list(*columns):
        last[pk][metric] = status
        if status == Run.Status.DONE:
            done[pk][metric] = text
    later = _later_texts({pk: min(texts.values()) for pk, texts in done.items() if texts})
    return {
        pk: MetricsState(
            failed=sum(status == Run.Status.FAILED for status in last[pk].values()),
            runs=sum(text < later[pk][-1] for text in texts.values()) if later[pk] else len(texts),
            later=len(later[pk]),
        )
        for pk, texts in done.items()
    }


def _later_texts(after: Mapping[int, int]) -> dict[int, list[int]]:
    """The texts of each campaign that were added after a text, in order; one query."""
    later: dict[int, list[int]] = defaultdict(list)
    if after:
        which = reduce(or_, (Q(campaign=pk, pk__gt=text) for pk, text in after.items()))
        rows = Substitution.objects.filter(which, role=Substitution.Role.OUTPUT).order_by("pk")
        for pk, text in rows.values_list("campaign_id", "pk"):
            later[pk].append(text)
    return later
