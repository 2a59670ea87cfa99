"""Starting, cancelling and retrying metric runs; metrics that need no file run by themselves after
an import, if the campaign wants it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db import IntegrityError
from django.db.models import Max, Q, QuerySet, Sum
from django.db.models.functions import Coalesce, Now
from django.utils.translation import gettext as _

from annotation.campaigns.queries import languages_of
from annotation.database import Actor, audit, short_write
from annotation.errors import Conflict, Invalid
from annotation.models import Campaign, Reference, Substitution
from paraanno.common.places import need_extra
from paraanno.common.records import columns
from paraanno.common.texts import joined, message_of
from paraanno.template_filters import translated
from scoring.metrics.base import Metric
from scoring.metrics.registry import MetricSpec, metric_class, names, parse_spec
from scoring.metrics.values import MADE_EARLIER, Counts, Met, mixture
from scoring.models import Run, RunChunk, Score
from scoring.models.runs import run_options_hash
from scoring.runs.queries import newest_output, newest_reference
from scoring.runs.store import chunks_plan, wake
from scoring.runs.texts import (
    Frame,
    counts_of,
    item_ranges,
    metric_in,
    metric_of_run,
    readable,
    stored_options,
    usable,
)
from scoring.work.workers import RUN_WORK, notify_workers

OPEN_CHUNKS = (RunChunk.Status.QUEUED, RunChunk.Status.RUNNING)
CANCELLED = {"status": RunChunk.Status.CANCELLED, "worker": "", "token": ""}


@dataclass(frozen=True, slots=True)
class RunRequest:
    """A requested metric; requests with the same `options_hash` are for the same run."""

    key: str
    label: str
    metric: Metric[Any]
    options: dict[str, str]
    options_hash: str


def run_read(
    spec: MetricSpec | str, scope: str, campaign: Campaign, actor: Actor = None
) -> RunRequest:
    """Validate a request. Raises Invalid if metric, options or scope are wrong, or if the metric
    reads another language than that of the campaign's texts, and NotFound for a resource that the
    actor may not use for it."""
    if scope not in Run.Scope.values:
        raise Invalid(
            _("There is no scope %(scope)s: use one of %(values)s.")
            % {"scope": f"{scope!r}", "values": ", ".join(Run.Scope.values)}
        )
    try:
        spec = parse_spec(spec) if isinstance(spec, str) else spec
        among = usable(campaign_id=campaign.pk, actor=actor)
        spoken = languages_of(campaign=campaign)
        given, metric = metric_in(spec.name, dict(spec.options), spoken, among)
        if metric.queue == "korean":
            need_extra("korean", "kiwipiepy")
    except ValueError as error:
        raise Invalid(translated(message_of(error))) from error
    if metric.sentences_only and scope != Run.Scope.SENTENCE:
        raise Invalid(
            _("%(metric)s scores whole sentences: choose the scope sentence.")
            % {"metric": metric.name}
        )
    options = stored_options(metric, given)
    label = readable(metric.labelled(spec.key), among)
    return RunRequest(
        spec.key, label, metric, options, run_options_hash(metric.name, options, scope)
    )


def run_start(
    *,
    campaign: Campaign,
    spec: MetricSpec | str,
    actor: Actor,
    scope: str = Run.Scope.SENTENCE,
) -> Run:
    """Start a metric over all outputs of a campaign; workers score it. See `runs_start`."""
    return runs_start(campaign=campaign, specs=[spec], actor=actor, scope=scope)[0]


def runs_start(
    *,
    campaign: Campaign,
    specs: Sequence[MetricSpec | str],
    actor: Actor,
    scope: str = Run.Scope.SENTENCE,
    automatic: bool = False,
) -> list[Run]:
    """Start metrics over all outputs of a campaign, all of them or none; workers score them.

    A spec has the syntax of the `score` command (`bleu:lowercase=yes`). If a run of the same metric
    and options is active, that run is returned. `automatic`: they follow an import (`runs_follow`).
    Raises Invalid if a metric or its options are wrong, if there is nothing to score, or if some
    texts have references, others have none, and a metric was not told what to do then.
    """
    # Read before the languages themselves: a change that comes between makes the runs outdated.
    changes = Campaign.objects.values_list("language_changes", flat=True).get(pk=campaign.pk)
    requests = [run_read(spec, scope, campaign, actor) for spec in specs]
    frame = frame_now(campaign, scope)
    counts = counts_of(frame=frame)
    refuse_mixture([one.metric for one in requests], counts)
    total = sum(counts.values())
    return [_start(campaign, one, frame, total, changes, actor, automatic) for one in requests]


def refuse_mixture(metrics: Sequence[Metric[Any]], counts: Counts) -> None:
    """Raise Invalid if a metric would compare some texts with references and others with the
    original without having been told to."""
    names = dict.fromkeys(metric.name for metric in metrics if metric.is_auto())
    if names and (reason := mixture(counts)):
        raise Invalid(translated(joined(": ", (", ".join(names), reason))))


def _outputs(campaign_id: int) -> QuerySet[Substitution]:
    return Substitution.objects.filter(campaign_id=campaign_id, role=Substitution.Role.OUTPUT)


def frame_now(campaign: Campaign, scope: str) -> Frame:
    """The texts and references of now. Raises Invalid if there is nothing to score."""
    last = _outputs(campaign.pk).aggregate(last=Max("pk"))["last"]
    if last is None:
        raise Invalid(_("This campaign has no outputs to score: import items first."))
    return Frame(campaign.pk, scope, last, newest_reference(campaign.pk))


def _start(
    campaign: Campaign,
    request: RunRequest,
    frame: Frame,
    total: int,
    changes: int,
    actor: Actor,
    automatic: bool,
) -> Run:
    metric = request.metric
    try:
        with short_write():
            run = Run.objects.create(
                campaign=campaign,
                metric=metric.name,
                label=request.label[:200],
                scope=frame.scope,
                options=request.options,
                options_hash=request.options_hash,
                signature=run_signature(metric, frame.scope),
                higher_is_better=metric.higher_is_better,
                queue=metric.queue,
                language_changes=changes if metric.reads() else None,
                last_substitution=frame.last_substitution,
                last_reference=frame.last_reference,
                total=total,
                automatic=automatic,
                created_by_id=actor.pk if actor else None,
            )
            audit(actor=actor, verb="start", about=run, campaign=campaign, spec=request.key)
            notify_workers(RUN_WORK, run.pk, queue=run.queue)
    except IntegrityError:
        active = Run.objects.filter(
            campaign=campaign, options_hash=request.options_hash, status__in=Run.ACTIVE
        ).first()
        if active is None:
            raise
        return active
    return run


def run_cancel(*, run: Run, actor: Actor) -> bool:
    """Cancel a run; its scores are kept, and a retry continues from there.

    Returns False for a run that is already over. The scores of a chunk in progress are discarded.
    Raises Conflict for imported scores.
    """
    not_imported(run)
    with short_write():
        ended = Run.objects.filter(pk=run.pk, status__in=Run.ACTIVE).update(
            status=Run.Status.CANCELLED, finished_at=Now(), worker="", token=""
        )
        if ended:
            run.chunks.filter(status__in=OPEN_CHUNKS).update(**CANCELLED)
            audit(actor=actor, verb="cancel", about=run, campaign=run.campaign)
    run.refresh_from_db()
    return bool(ended)


def run_retry(*, run: Run, actor: Actor) -> Run:
    """Requeue what failed or was cancelled; existing scores are kept.

    Raises Conflict for a run that is active or has nothing to retry, for one whose metric is active
    in another run, and for imported scores.
    """
    not_imported(run)
    again = Q(status__in=[RunChunk.Status.FAILED, RunChunk.Status.CANCELLED]) | Q(failed__gt=0)
    chunks = list(run.chunks.filter(again))
    prepared = run.chunks.exists()
    if prepared and not chunks:
        raise Conflict(_("Every text of this run has been processed: there is nothing to retry."))
    status = Run.Status.RUNNING if prepared else Run.Status.QUEUED
    try:
        with short_write():
            back = (
                Run.objects.filter(pk=run.pk)
                .exclude(status__in=Run.ACTIVE)
                .update(
                    status=status,
                    finished_at=None,
                    worker="",
                    token="",
                    heartbeat=Now(),
                    resumed_at=None,
                    resumed_done=0,
                    attempts=0,
                    retries=0,
                    not_before=None,
                    **columns("error", ""),
                )
            )
            if not back:
                raise Conflict(_("This run is still active: cancel it first."))
            for chunk in chunks:
                _forget(run, chunk)
            run_count(run_pk=run.pk)
            audit(actor=actor, verb="retry", about=run, campaign=run.campaign)
            wake(run=run, chunks=len(chunks))
    except IntegrityError as error:
        raise Conflict(_("The same metric is active in another run of this campaign.")) from error
    run.refresh_from_db()
    return run


def not_imported(run: Run) -> None:
    """Raise Conflict for imported scores."""
    if run.imported:
        raise Conflict(
            _("These scores were imported: to change them, import a file under the same name.")
        )


def _forget(run: Run, chunk: RunChunk) -> None:
    """Reset a chunk to its state before the first attempt."""
    Score.objects.filter(
        run=run,
        substitution__campaign_id=run.campaign_id,
        substitution__item_id__gte=chunk.first_item,
        substitution__item_id__lte=chunk.last_item,
    ).delete()
    RunChunk.objects.filter(pk=chunk.pk).update(
        status=RunChunk.Status.QUEUED,
        attempts=0,
        done=0,
        failed=0,
        suspect=None,
        worker="",
        token="",
        retries=0,
        started_at=None,
        **columns("error", ""),
    )


def run_count(*, run_pk: int) -> None:
    """Recount a run from its chunks and scores: a chunk done twice counts once.

    Call it in a transaction that has updated the run's row, whose lock serialises workers.
    """
    counts = RunChunk.objects.filter(run_id=run_pk).aggregate(
        done=Coalesce(Sum("done"), 0), failed=Coalesce(Sum("failed"), 0)
    )
    reused = Score.objects.filter(run_id=run_pk, reused=True).count()
    Run.objects.filter(pk=run_pk).update(**counts, reused=reused)


def run_signature(metric: Metric[Any], scope: str) -> str:
    """The metric's signature, and the scope of the texts it was given."""
    return f"{metric.signature()}|scope:{scope}"


# Update of a finished run with texts that were added later.


PIECE = 5000


def run_update(*, run: Run, actor: Actor) -> Run:
    """Score texts added after a run started, with its prepared state; existing scores are kept.

    Texts of items with new references are scored again and, for metrics that look at all
    paraphrases of an original at once, texts of items with new paraphrases; all texts, if the
    metric reads one language and that of texts was set since. System scores are recomputed. Raises
    Conflict if nothing was added, if the run is not done, and, with the reason, if only a new run
    is possible.
    """
    not_imported(run)
    if run.status != Run.Status.DONE:
        raise Conflict(_("Only a run that is done can be brought up to date."))
    if run.created_by_id is None and actor is not None:
        run.created_by_id = actor.pk  # Of an archive: from now on it uses what the actor may use.
    metric = _same_metric(run)
    outputs = _outputs(run.campaign_id)
    last = outputs.aggregate(last=Max("pk"))["last"] or run.last_substitution
    frame = Frame(run.campaign_id, run.scope, last, newest_reference(run.campaign_id))
    extended = _items(outputs.filter(pk__gt=run.last_substitution))
    referenced = _items(
        Reference.objects.filter(item__campaign_id=run.campaign_id, pk__gt=run.last_reference)
    )
    changes = Campaign.objects.values_list("language_changes", flat=True).get(pk=run.campaign_id)
    relabelled = run.language_changes not in (None, changes)
    newer = newest_output(run.campaign_id) > run.last_output
    if not (extended or referenced or newer or relabelled):
        raise Conflict(_("No text was added after this run: there is nothing to bring up to date."))
    counts = counts_of(frame=frame)
    _refuse_mixture(metric, counts)
    chunks = sorted(run.chunks.all(), key=lambda chunk: chunk.first_item)
    changed = sorted(extended | referenced)
    again = [chunk for chunk in chunks if relabelled or _holds_one(chunk, changed)]
    rest = [] if relabelled else [chunk for chunk in chunks if not _holds_one(chunk, changed)]
    ranges = item_ranges(
        frame=frame,
        size=metric.chunk_size,
        taken=[(chunk.first_item, chunk.last_item) for chunk in rest],
    )
    anew = referenced | extended if metric.grouped else referenced
    try:
        with short_write():
            _set_to_work(run, frame, sum(counts.values()), metric.met(counts), changes)
            RunChunk.objects.filter(pk__in=[chunk.pk for chunk in again]).delete()
            if relabelled:
                Score.objects.filter(run=run).delete()
            _update_forget(run, anew)
            number = max((chunk.number for chunk in chunks), default=-1) + 1
            chunks_plan(run=run, ranges=ranges, first_number=number)
            run_count(run_pk=run.pk)
            audit(
                actor=actor,
                verb="bring up to date",
                about=run,
                campaign=run.campaign,
                items=len(changed),
            )
    except IntegrityError as error:
        raise Conflict(_("The same metric is active in another run of this campaign.")) from error
    run.refresh_from_db()
    return run


def _same_metric(run: Run) -> Metric:
    """The metric of the run. Raises Conflict if it would give different scores now."""
    if run.last_reference is None:
        raise Conflict(translated(MADE_EARLIER))
    try:
        metric = metric_of_run(run)
    except ValueError as error:
        raise Conflict(
            _("%(reason)s The run cannot continue without it: start a new one.")
            % {"reason": translated(message_of(error))}
        ) from error
    try:
        if run.state_hash:
            metric.use(run.state)
    except ValueError as error:
        raise Conflict(translated(MADE_EARLIER)) from error
    signature = run_signature(metric, run.scope)
    if signature != run.signature:
        raise Conflict(
            _(
                "The metric would score with %(now)s, but this run has %(then)s. Numbers of the "
                "two must not be mixed: start a new run."
            )
            % {"now": signature, "then": run.signature}
        )
    return metric


def _refuse_mixture(metric: Metric, counts: Counts) -> None:
    try:
        refuse_mixture([metric], counts)
    except Invalid as refusal:
        raise Conflict(refusal.message) from refusal


def _items(rows) -> set[int]:  # type: ignore[no-untyped-def]  # A QuerySet of either model.
    return set(rows.order_by().values_list("item_id", flat=True).distinct())


def _holds_one(chunk: RunChunk, items: Sequence[int]) -> bool:
    place = bisect_left(items, chunk.first_item)
    return place < len(items) and items[place] <= chunk.last_item


def _set_to_work(run: Run, frame: Frame, total: int, met: Met, changes: int) -> None:
    back = Run.objects.filter(
        pk=run.pk,
        status=Run.Status.DONE,
        last_substitution=run.last_substitution,
        last_reference=run.last_reference,
    ).update(
        status=Run.Status.RUNNING,
        finished_at=None,
        worker="",
        heartbeat=Now(),
        resumed_at=None,
        created_by=run.created_by_id,
        resumed_done=0,
        total=total,
        met=met.as_json(),
        **columns("error", ""),
        last_substitution=frame.last_substitution,
        last_reference=frame.last_reference,
        language_changes=None if run.language_changes is None else changes,
    )
    if not back:
        raise Conflict(_("This run is being brought up to date already."))


def _update_forget(run: Run, items: Iterable[int]) -> None:
    rest = iter(items)
    while piece := list(islice(rest, PIECE)):
        Score.objects.filter(run=run, substitution__item_id__in=piece).delete()


# Runs that follow an import.


SCOPE = Run.Scope.SENTENCE


def runs_follow(campaign: Campaign, actor: Actor) -> None:
    """Start every metric that needs neither a file, nor an option, nor a queue of its own, and
    reads the language of the texts; bring those up to date that started so before.

    Where some texts have references and others have none, all are compared with their originals.
    """
    if not _outputs(campaign.pk).exists():
        return
    mixed = bool(mixture(counts_of(frame=frame_now(campaign, SCOPE))))
    started: dict[str, Run] = {}
    for run in campaign.runs.filter(scope=SCOPE).order_by("pk"):
        started[run.options_hash] = run
    new: list[str] = []
    for name in names():
        request = _read(name, campaign, actor, mixed=mixed)
        if request is None:
            continue
        earlier = started.get(request.options_hash)
        if earlier is None:
            new.append(request.key)
        elif earlier.automatic and earlier.status == Run.Status.DONE:
            _follow(earlier, actor)
    if new:
        runs_start(campaign=campaign, specs=new, actor=actor, automatic=True)


def _read(name: str, campaign: Campaign, actor: Actor, *, mixed: bool) -> RunRequest | None:
    """The run of a metric with its defaults; None for one that does not run by itself."""
    try:
        metric = metric_class(name)
    except ValueError:
        return None
    if metric.queue or metric.family == "neural" or any(not one.default for one in metric.OPTIONS):
        return None
    try:
        request = run_read(name, SCOPE, campaign, actor)
        if mixed and request.metric.is_auto():
            request = run_read(f"{name}:against=original", SCOPE, campaign, actor)
    except Invalid:  # It does not read the language of the texts, or lacks an analyser.
        return None
    return None if request.metric.queue else request


def _follow(run: Run, actor: Actor) -> None:
    try:
        run_update(run=run, actor=actor)
    except Conflict:  # Nothing is new for it, or only a new run is possible: its page says so.
        return


def automatic_forget(texts: QuerySet[Substitution]) -> None:
    """Remove the runs that followed an import and scored a text that is taken back; those over the
    texts that stay begin anew."""
    scored = Score.objects.filter(substitution__in=texts, run__automatic=True)
    first = texts.order_by("pk").values_list("pk", flat=True).first()
    if first is None:
        return
    campaigns = texts.order_by().values("campaign").distinct()
    begun = Run.objects.filter(
        campaign__in=campaigns, automatic=True, last_substitution__gte=first
    ).values_list("pk", flat=True)
    gone = {*begun, *scored.order_by().values_list("run_id", flat=True).distinct()}
    Score.objects.filter(run__in=gone).delete()
    Run.objects.filter(pk__in=gone).delete()
