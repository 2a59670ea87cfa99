"""Storing scores: those of several runs in one short transaction, with bulk statements."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.db.models import F
from django.db.models.functions import Now

from annotation.services.transactions import short_write
from paraanno.plain.sentence_columns import columns, parts_of
from scoring.metrics.base import Score as Value
from scoring.metrics.base import Vector
from scoring.models import Run, RunChunk, Score
from scoring.services.runs.claim import ChunkClaim

# Prefix of the reason of a text on which the metric failed, unlike an undefined score.
FAILED = "Scoring failed"
Row = tuple[int, int, float | None, str, str | None, bool, str | None, str | None]
COLUMNS = (
    "run_id", "substitution_id", "value", "reason", "reason_parts", "reused", "detail",
    "statistics",
)  # fmt: skip
TYPES = ("bigint", "bigint", "float8", "text", "text", "bool", "text", "text")
CASTS = {"reason_parts": "::json", "detail": "::json", "statistics": "::json"}
INSERT = f"INSERT INTO {Score._meta.db_table} ({', '.join(COLUMNS)})"


@dataclass(frozen=True, slots=True)
class Found:
    """A text's score. `kept`: already stored in this run; `reused`: copied from another run."""

    substitution: int
    score: Value
    statistics: Vector | None = None
    kept: bool = False
    reused: bool = False

    @property
    def failed(self) -> bool:
        return self.score.reason.startswith(FAILED)


@dataclass(frozen=True, slots=True)
class Scored:
    """A chunk with all its scores, and the rows to write."""

    claim: ChunkClaim
    found: Sequence[Found]
    rows: Sequence[Row]


def rows_of(claim: ChunkClaim, found: Sequence[Found]) -> list[Row]:
    """The rows to store for a chunk."""
    return [row_of(claim, one) for one in found if not one.kept]


def row_of(claim: ChunkClaim, one: Found) -> Row:
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
        mine = set(
            RunChunk.objects.select_for_update()
            .filter(
                pk__in=[one.claim.chunk.pk for one in scored], run_id__in=going,
                status=RunChunk.Status.RUNNING, token__in={one.claim.token for one in scored},
            )
            .values_list("pk", flat=True)
        )  # fmt: skip
        kept = [one for one in scored if one.claim.chunk.pk in mine]
        scores_upsert([row for one in kept for row in one.rows])
        _count(kept)
    return len(kept)


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
        failed = [text for text in one.found if text.failed]
        reused = sum(text.reused for text in one.found)
        error = failed[0].score.reason if failed else ""
        done = len(one.found)
        closed[done, len(failed), error].append(one.claim.chunk.pk)
        counted[done, len(failed), reused, len(one.rows)].append(one.claim.run.pk)
    for (done, broken, error), chunks in closed.items():
        RunChunk.objects.filter(pk__in=chunks).update(
            status=RunChunk.Status.DONE, worker="", token="", done=done, failed=broken,
            suspect=None,            **columns("error", error),
        )  # fmt: skip
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
    told: Callable[[Any], str] = _quoted if text else repr
    return "{" + ",".join(["NULL" if one is None else told(one) for one in column]) + "}"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
