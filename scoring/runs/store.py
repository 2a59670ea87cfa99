"""Storing scores: those of several runs in one short transaction, with bulk statements."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from annotation.database import short_write
from annotation.models import Item
from paraanno.common.records import columns, error_sentence, parts_of, with_parts
from paraanno.jobs.engine import Claim, claim
from scoring.jobs import CHUNK
from scoring.metrics.base import Metric
from scoring.metrics.values import Pair, Vector
from scoring.metrics.values import Score as Value
from scoring.models import Run, RunChunk, Score
from scoring.runs.texts import Frame, ItemRange, Texts, items_between, read_texts
from scoring.work.workers import RUN_WORK, notify_workers, processes_for

# Claims of chunks: several runs over the same texts at a time.


# After so many attempts its texts are scored one at a time.
WHOLE_CHUNK_ATTEMPTS = 3
CANDIDATES = 8


@dataclass(frozen=True, slots=True)
class Ready:
    """An active run with its metric, loaded."""

    run: Run
    metric: Metric[Any]


class ChunkClaim(Claim):
    """A chunk that this process has claimed."""

    def __init__(self, ready: Ready, chunk: RunChunk) -> None:
        super().__init__(CHUNK, chunk, chunk.token)
        self.run, self.metric, self.chunk = ready.run, ready.metric, chunk


def chunks_claim(ready: Sequence[Ready]) -> list[ChunkClaim]:
    """Claim a waiting chunk of the first run, and the waiting chunks of the other runs over the
    same items, so that the metrics share cached analyses of the texts.

    Empty if the first run has none waiting. A chunk that was tried before is claimed alone, because
    it may crash the process.
    """
    lead, *others = ready
    chunk = _claim_next(lead.run)
    if chunk is None:
        return []
    claims = [ChunkClaim(lead, chunk)]
    if chunk.attempts > 1 or not others:
        return claims
    like = RunChunk.objects.filter(
        run_id__in=[one.run.pk for one in others],
        first_item=chunk.first_item,
        last_item=chunk.last_item,
        total=chunk.total,
        attempts=0,
        status=RunChunk.Status.QUEUED,
    )
    waiting = list(like.values_list("pk", flat=True))
    token = claim(CHUNK, waiting) if waiting else ""
    rows = RunChunk.objects.filter(pk__in=waiting, token=token) if token else ()
    by_run = {one.run.pk: one for one in others}
    claims += [ChunkClaim(by_run[row.run_id], row) for row in rows]
    return sorted(claims, key=lambda one: (one.chunk.pk != chunk.pk, one.run.pk))


def _claim_next(run: Run) -> RunChunk | None:
    while True:
        waiting = list(
            RunChunk.objects.filter(run_id=run.pk, status=RunChunk.Status.QUEUED)
            .order_by("number")
            .values_list("pk", flat=True)[:CANDIDATES]
        )
        if not waiting:
            return None
        # Processes start at different candidates, so that they rarely race for the same one.
        turn = os.getpid() % len(waiting)
        for pk in waiting[turn:] + waiting[:turn]:
            # On this table alone: a condition on the run would be evaluated once at the beginning,
            # and two processes could both succeed. A run that is over has no waiting chunks.
            if claim(CHUNK, [pk]):
                return RunChunk.objects.get(pk=pk)


def claim_give_back(claim: ChunkClaim, error: Exception) -> None:
    """Requeue the chunk after an error of the metric; one that fails text by text has failed."""
    last = claim.chunk.attempts > WHOLE_CHUNK_ATTEMPTS
    with short_write():
        claim.held.update(
            status=RunChunk.Status.FAILED if last else RunChunk.Status.QUEUED,
            worker="",
            token="",
            **columns("error", error_sentence(error)),
        )


# Prefix of the reason of a text on which the metric failed, unlike an undefined score.
FAILED = "Scoring failed"
Row = tuple[int, int, float | None, str, str | None, bool, str | None, str | None]
COLUMNS = (
    "run_id",
    "substitution_id",
    "value",
    "reason",
    "reason_parts",
    "reused",
    "detail",
    "statistics",
)
TYPES = ("bigint", "bigint", "float8", "text", "text", "bool", "text", "text")
CASTS = {"reason_parts": "::json", "detail": "::json", "statistics": "::json"}
INSERT = f"INSERT INTO {Score._meta.db_table} ({', '.join(COLUMNS)})"


@dataclass(frozen=True, slots=True)
class TextScore:
    """A text's score. `stored`: already stored in this run; `reused`: copied from another run."""

    substitution: int
    score: Value
    statistics: Vector | None = None
    stored: bool = False
    reused: bool = False

    @property
    def failed(self) -> bool:
        return self.score.reason.startswith(FAILED)


@dataclass(frozen=True, slots=True)
class Scored:
    """A chunk with all its scores, and the rows to write."""

    claim: ChunkClaim
    scores: Sequence[TextScore]
    rows: Sequence[Row]


def rows_of(claim: ChunkClaim, results: Sequence[TextScore]) -> list[Row]:
    """The rows to store for a chunk."""
    return [row_of(claim, one) for one in results if not one.stored]


def row_of(claim: ChunkClaim, one: TextScore) -> Row:
    """A score as a database row; ValueError or TypeError for a detail that is not JSON."""
    value, reason, detail = one.score.value, one.score.reason, one.score.detail
    parts = None
    if reason:
        parts, reason = parts_of(reason), str(reason)
    return (
        claim.run.pk,
        one.substitution,
        None if value is None else float(value),
        reason,
        None if parts is None else _json(parts),
        one.reused,
        _json(detail) if detail and claim.metric.keeps_detail else None,
        None if one.statistics is None else _json(one.statistics),
    )


def _json(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), allow_nan=False)


def scores_store(scored: Sequence[Scored]) -> int:
    """Store and count the scores of chunks; return the number of chunks stored.

    Chunks of runs that are over are skipped, and so are chunks claimed by another process
    meanwhile.
    """
    with short_write():
        _leave_to_the_disk()
        # Locked in a fixed order, so that workers storing chunks of the same runs cannot deadlock.
        going = set(
            Run.objects.select_for_update()
            .filter(pk__in=[one.claim.run.pk for one in scored], status=Run.Status.RUNNING)
            .order_by("pk")
            .values_list("pk", flat=True)
        )
        chunk_ids = set(
            RunChunk.objects.select_for_update()
            .filter(
                pk__in=[one.claim.chunk.pk for one in scored],
                run_id__in=going,
                status=RunChunk.Status.RUNNING,
                token__in={one.claim.token for one in scored},
            )
            .values_list("pk", flat=True)
        )
        stored = [one for one in scored if one.claim.chunk.pk in chunk_ids]
        scores_upsert([row for one in stored for row in one.rows])
        _count(stored)
    return len(stored)


def _leave_to_the_disk() -> None:
    """Do not wait for PostgreSQL to flush its log (asynchronous commit): if the machine stops at
    that moment, chunks and scores are lost together, and the chunks are scored again."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL synchronous_commit TO OFF")


def _count(scored: Sequence[Scored]) -> None:
    """Close chunks and update the counts of their runs, those with equal counts in one
    statement."""
    closed: dict[tuple[int, int, str], list[int]] = defaultdict(list)
    counted: dict[tuple[int, int, int, int], list[int]] = defaultdict(list)
    for one in scored:
        failed = [text for text in one.scores if text.failed]
        reused = sum(text.reused for text in one.scores)
        error = failed[0].score.reason if failed else ""
        done = len(one.scores)
        closed[done, len(failed), error].append(one.claim.chunk.pk)
        counted[done, len(failed), reused, len(one.rows)].append(one.claim.run.pk)
    for (done, broken, error), chunks in closed.items():
        RunChunk.objects.filter(pk__in=chunks).update(
            status=RunChunk.Status.DONE,
            worker="",
            token="",
            done=done,
            failed=broken,
            suspect=None,
            **columns("error", error),
        )
    for (done, broken, reused, treated), runs in counted.items():
        Run.objects.filter(pk__in=runs).update(
            heartbeat=Now(),
            done=F("done") + done,
            failed=F("failed") + broken,
            reused=F("reused") + reused,
            resumed_done=F("resumed_done") + treated,
        )


def score_store(claim: ChunkClaim, row: Row) -> bool:
    """Store one score of a chunk that is scored text by text; False if the claim was lost."""
    with short_write():
        going = Run.objects.filter(pk=claim.run.pk, status=Run.Status.RUNNING)
        if not (going.update(heartbeat=Now()) and claim.held.exists()):
            return False
        scores_upsert([row])
    return True


def scores_upsert(rows: Sequence[Row]) -> None:
    """Insert rows, or overwrite those of the same run and text."""
    if not rows:
        return
    update = ", ".join(f"{name} = excluded.{name}" for name in COLUMNS[2:])
    conflict = f"ON CONFLICT (run_id, substitution_id) DO UPDATE SET {update}"
    if connection.vendor == "postgresql":
        # Rows rarely exist already, and an upsert costs a third more than an insert.
        try:
            with transaction.atomic():
                _insert_arrays(rows)
        except IntegrityError:
            _insert_arrays(rows, conflict)
        return
    marks = ", ".join(["%s"] * len(COLUMNS))
    with connection.cursor() as cursor:
        cursor.executemany(f"{INSERT} VALUES ({marks}) {conflict}", rows)


def _insert_arrays(rows: Sequence[Row], conflict: str = "") -> None:
    """Insert with one statement: an array per column, or a scalar for a constant column."""
    arrays, picked, values = [], [], []
    for name, kind, column in zip(COLUMNS, TYPES, zip(*rows, strict=True), strict=True):
        if name != "substitution_id" and column.count(column[0]) == len(column):
            picked.append(f"%s::{kind}{CASTS.get(name, '')}")
            values.append(column[0])
        else:
            picked.append(f"{name}{CASTS.get(name, '')}")
            arrays.append((name, kind, _array(column)))
    source = ", ".join(f"%s::{kind}[]" for _name, kind, _column in arrays)
    names = ", ".join(name for name, _kind, _column in arrays)
    with connection.cursor() as cursor:
        cursor.execute(
            f"{INSERT} SELECT {', '.join(picked)} "  # noqa: S608 our own names
            f"FROM unnest({source}) AS new ({names}) {conflict}",
            [*values, *(column for _name, _kind, column in arrays)],
        )


def _array(column: Sequence[Any]) -> str:
    """A column as a PostgreSQL array literal; several times faster than the driver, which inspects
    the type of each value."""
    text = isinstance(next((one for one in column if one is not None), None), str)
    literal: Callable[[Any], str] = _quoted if text else repr
    return "{" + ",".join(["NULL" if one is None else literal(one) for one in column]) + "}"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


# Reuse of existing scores: of this run, or of another one with the same signature.
#
# A signature covers everything that a score depends on except the texts. So a score of any run of
# any campaign is valid for an equal pair, and reveals nothing that would not be computed anyway.
# Equal texts are found by the digests of item, text and context, and then compared.


# Newest first; with more, the search would take longer than scoring.
MOST_RUNS = 20
# Ids further apart than this are queried as separate ranges.
WIDE = 64
REUSE_COLUMNS = (
    "run_id",
    "substitution_id",
    "value",
    "reason",
    "reason_parts",
    "detail",
    "statistics",
)
# By run, by substitution.
ScoresByRun = dict[int, dict[int, TextScore]]


def scores_known(claims: Sequence[ChunkClaim], texts: Texts) -> ScoresByRun:
    """Known scores of the texts in these chunks. Failures of other runs are not reused."""
    cached: ScoresByRun = {claim.run.pk: {} for claim in claims}
    for run, pk, *score in _rows(cached, texts.ids):
        cached[run][pk] = _score_of(pk, *score, stored=True)
    wanting = [claim for claim in claims if len(cached[claim.run.pk]) < len(texts.ids)]
    for frame, runs in _sources(wanting).items():
        _add_from(frame, runs, wanting, texts, cached)
    return cached


def _sources(claims: Iterable[ChunkClaim]) -> dict[Frame, list[Run]]:
    """Other runs with the same signatures, by the texts they cover."""
    signatures = {claim.run.signature for claim in claims}
    runs = Run.objects.filter(
        # Scores from before a change of language were made of texts in another one.
        Q(language_changes=None) | Q(language_changes=F("campaign__language_changes")),
        signature__in=signatures,
        done__gt=0,
        last_reference__isnull=False,
    ).exclude(pk__in=[claim.run.pk for claim in claims])
    sources: dict[Frame, list[Run]] = defaultdict(list)
    for run in runs.defer("state").order_by("-pk")[:MOST_RUNS]:
        sources[Frame.of(run)].append(run)
    return sources


def _add_from(
    frame: Frame, runs: list[Run], claims: Sequence[ChunkClaim], texts: Texts, cached: ScoresByRun
) -> None:
    theirs = read_texts(
        frame=frame,
        items=_items(frame, claims[0], texts),
        groups=any(claim.metric.grouped for claim in claims),
    )
    places = {key: place for place, key in enumerate(theirs.keys)}
    # Their substitution, our position: equal texts; each metric checks whether the pair is equal.
    same = {
        theirs.ids[places[key]]: (places[key], place)
        for place, key in enumerate(texts.keys)
        if key in places
    }
    if not same:
        return
    scores: dict[str, list[tuple[int, TextScore]]] = defaultdict(list)
    signed = {run.pk: run.signature for run in runs}
    for run, pk, *score in _rows(signed, same):
        result = _score_of(texts.ids[same[pk][1]], *score, reused=True)
        if not result.failed:
            scores[signed[run]].append((pk, result))
    for claimed in claims:
        own = cached[claimed.run.pk]
        for pk, result in scores[claimed.run.signature]:
            their_place, place = same[pk]
            pairs = (theirs.pairs[their_place], texts.pairs[place])
            if result.substitution not in own and _same(claimed.metric, *pairs):
                own[result.substitution] = result


def _items(frame: Frame, claim: ChunkClaim, texts: Texts) -> Q:
    """The items of a campaign that are equal to those of the claimed chunk."""
    if frame.campaign == claim.run.campaign_id:
        return items_between(claim.chunk.first_item, claim.chunk.last_item)
    # A query of its own, which uses the index; joined with the texts it is slow.
    items = Item.objects.filter(
        campaign_id=frame.campaign, identity_hash__in={identity for identity, *_ in texts.keys}
    )
    return Q(item_id__in=list(items.values_list("pk", flat=True)))


def _rows(runs: Iterable[int], texts: Collection[int]) -> Iterator[tuple[Any, ...]]:
    """Scores of some runs for some texts, as REUSE_COLUMNS.

    Queried by ranges of ids, which are close together: given a list of ids, PostgreSQL may scan all
    scores of the run, because its planner statistics date from when the run had few.
    """
    wanted = set(texts)
    for first, last in _ranges(sorted(wanted)):
        rows = Score.objects.filter(
            run_id__in=runs, substitution_id__gte=first, substitution_id__lte=last
        )
        yield from (row for row in rows.values_list(*REUSE_COLUMNS) if row[1] in wanted)


def _ranges(ids: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Group sorted ids into ranges without wide gaps."""
    cuts = [at for at in range(1, len(ids)) if ids[at] - ids[at - 1] > WIDE]
    for begin, end in pairwise([0, *cuts, len(ids)]):
        yield ids[begin], ids[end - 1]


def _same(metric: Metric[Any], theirs: Pair, ours: Pair) -> bool:
    """Whether the metric sees the two pairs as equal."""
    if (theirs.original, theirs.paraphrase) != (ours.original, ours.paraphrase):
        return False
    if metric.grouped and theirs.group != ours.group:
        return False
    if metric.language_refusal(theirs.language) != metric.language_refusal(ours.language):
        return False
    return theirs.references == ours.references


def _score_of(
    pk: int,
    value: float | None,
    reason: str,
    parts: Any,
    detail: Any,
    statistics: Any,
    **origin: bool,
) -> TextScore:
    vector = None if statistics is None else tuple(statistics)
    return TextScore(pk, Value(value, with_parts(reason, parts), detail or {}), vector, **origin)


# Planning the chunks of a run, and notifying workers of them.


def chunks_plan(*, run: Run, ranges: Sequence[ItemRange], first_number: int = 0) -> None:
    """Create the chunks and notify workers; call it in the transaction that starts the run."""
    RunChunk.objects.bulk_create(
        RunChunk(
            run=run, number=number, first_item=part.first, last_item=part.last, total=part.total
        )
        for number, part in enumerate(ranges, first_number)
    )
    wake(run=run, chunks=len(ranges))


def wake(*, run: Run, chunks: int) -> None:
    """Notify workers of waiting chunks, at least once: the run must be finished too.

    A task that leaves work behind sends the next message, so one message per process keeps all of
    them busy.
    """
    times = max(1, min(chunks, processes_for(run.queue)))
    notify_workers(RUN_WORK, run.pk, queue=run.queue, times=times)


def chunk_wake(chunk: int) -> None:
    """Notify a worker of the run of a chunk, which is to be scored again or has failed."""
    for run in Run.objects.filter(chunks=chunk).values_list("pk", flat=True):
        run_wake(run)


def run_wake(pk: int) -> None:
    """Notify a worker of a run."""
    for queue in Run.objects.filter(pk=pk).values_list("queue", flat=True):
        notify_workers(RUN_WORK, pk, queue=queue)
