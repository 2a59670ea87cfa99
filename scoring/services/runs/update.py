"""Update of a finished run with texts that were added later."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import islice

from django.db import IntegrityError
from django.db.models import Max
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid
from annotation.models import Campaign, Reference, Substitution
from annotation.services.audit import Actor, audit
from annotation.services.transactions import short_write
from paraanno.plain.sentence import said
from paraanno.plain.sentence_columns import columns
from paraanno.translated import translated
from scoring.metrics.base import MADE_EARLIER, Metric
from scoring.metrics.references import Counts, Met
from scoring.models import Run, RunChunk, Score
from scoring.selectors.runs import newest_output, newest_reference
from scoring.services.runs.plan import chunks_plan
from scoring.services.runs.resources import metric_of_run
from scoring.services.runs.start import not_imported, refuse_mixture, run_count, run_signature
from scoring.services.runs.texts import Frame, counts_of, item_ranges

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
    outputs = Substitution.objects.filter(
        campaign_id=run.campaign_id, role=Substitution.Role.OUTPUT
    )
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
            _forget(run, anew)
            number = max((chunk.number for chunk in chunks), default=-1) + 1
            chunks_plan(run=run, ranges=ranges, first_number=number)
            run_count(run_pk=run.pk)
            audit(
                actor=actor, verb="bring up to date", about=run, campaign=run.campaign,
                items=len(changed),
            )  # fmt: skip
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
            % {"reason": translated(said(error))}
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
        pk=run.pk, status=Run.Status.DONE, last_substitution=run.last_substitution,
        last_reference=run.last_reference,
    ).update(
        status=Run.Status.RUNNING, finished_at=None, worker="", heartbeat=Now(), resumed_at=None,
        created_by=run.created_by_id, resumed_done=0, total=total, met=met.as_json(),
        **columns("error", ""),
        last_substitution=frame.last_substitution, last_reference=frame.last_reference,
        language_changes=None if run.language_changes is None else changes,
    )  # fmt: skip
    if not back:
        raise Conflict(_("This run is being brought up to date already."))


def _forget(run: Run, items: Iterable[int]) -> None:
    rest = iter(items)
    while piece := list(islice(rest, PIECE)):
        Score.objects.filter(run=run, substitution__item_id__in=piece).delete()
