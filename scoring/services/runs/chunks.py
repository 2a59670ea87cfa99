"""Score claimed chunks: texts are read once, scored outside any transaction, stored together."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import DatabaseError

from paraanno.plain.sentence import say
from paraanno.plain.sentence_columns import told
from scoring.metrics.base import Metric, Pair
from scoring.metrics.base import Score as Value
from scoring.services.runs.claim import TOGETHER, ChunkClaim, claim_give_back
from scoring.services.runs.reuse import scores_known
from scoring.services.runs.store import Found, Scored, row_of, rows_of, score_store, scores_store
from scoring.services.runs.texts import Frame, Texts, items_between, read_texts

logger = logging.getLogger(__name__)
ENDED = say("Scoring failed: the worker process ended on this text.")


def claims_score(claims: Sequence[ChunkClaim]) -> int:
    """Score claimed chunks of one range of items and store the scores; return how many are done.

    Scores are discarded if their chunk was cancelled or claimed by another process meanwhile. If
    the metric raises an error, the chunk is requeued; from the fourth attempt its texts are scored
    one at a time, which identifies the failing ones.
    """
    try:
        return _score(claims)
    except DatabaseError:
        for claim in claims:
            claim.put_back()  # The metric is not to blame.
        raise
    except Exception as error:
        logger.exception("%s chunks of campaign %s", len(claims), claims[0].run.campaign_id)
        for claim in claims:
            claim_give_back(claim, error)
        return 0


def _score(claims: Sequence[ChunkClaim]) -> int:
    clock = [time.perf_counter()]
    first = claims[0]
    texts = read_texts(
        frame=Frame.of(first.run),
        items=items_between(first.chunk.first_item, first.chunk.last_item),
        groups=any(claim.metric.grouped for claim in claims),
    )
    known = scores_known(claims, texts)
    clock.append(time.perf_counter())
    scored, spent = [], []
    for claim in claims:
        begin = time.perf_counter()
        try:
            found = _found(claim, texts, known[claim.run.pk])
            if found is not None:
                scored.append(Scored(claim, found, rows_of(claim, found)))
        except DatabaseError:
            raise
        except Exception as error:
            logger.exception(
                "Chunk %s of run %s, attempt %s",
                claim.chunk.number, claim.run.pk, claim.chunk.attempts,
            )  # fmt: skip
            claim_give_back(claim, error)
        spent.append(f"{claim.run.metric} {time.perf_counter() - begin:.4f}")
    clock.append(time.perf_counter())
    stored = scores_store(scored) if scored else 0
    clock.append(time.perf_counter())
    logger.info(
        "Scored %d texts in seconds: read %.4f, stored %.4f, %s",
        len(texts.ids), clock[1] - clock[0], clock[3] - clock[2], ", ".join(spent),
    )  # fmt: skip
    return stored


def _found(claim: ChunkClaim, texts: Texts, known: Mapping[int, Found]) -> list[Found] | None:
    """A score for every text, in order; None if the claim was lost."""
    new = [(pk, pair) for pk, pair in zip(texts.ids, texts.pairs, strict=True) if pk not in known]
    if claim.chunk.attempts > TOGETHER:
        made = _one_at_a_time(claim, new)
        if made is None:
            return None
    else:
        values, vectors = claim.metric.score_and_statistics([pair for _, pair in new])
        made = {
            pk: Found(pk, value, vector)
            for (pk, _), value, vector in zip(new, values, vectors, strict=True)
        }
    return [known.get(pk) or made[pk] for pk in texts.ids]


def _one_at_a_time(claim: ChunkClaim, new: Sequence[tuple[int, Pair]]) -> dict[int, Found] | None:
    """Score each text alone and store it at once; None if the claim was lost.

    The text is recorded as suspect before it is scored. If the process dies on it (out of memory, a
    crash in a library), the next attempt marks it as failed and skips it.
    """
    made = {}
    for pk, pair in new:
        if not claim.held.update(suspect=pk):
            return None
        made[pk] = (
            Found(pk, Value.undefined(ENDED))
            if pk == claim.chunk.suspect
            else _score_alone(claim, pk, pair)
        )
        if not score_store(claim, row_of(claim, made[pk])):
            return None
    return made


def _score_alone(claim: ChunkClaim, pk: int, pair: Pair) -> Found:
    metric: Metric[Any] = claim.metric
    try:
        (value,), (vector,) = metric.score_and_statistics([pair])
        found = Found(pk, value, vector)
        row_of(claim, found)  # A detail that is not JSON counts as an error of the metric.
    except Exception as error:
        logger.exception("One text of run %s cannot be scored", claim.run.pk)
        return Found(pk, Value.undefined(say("Scoring failed: %(why)s", why=told(error))))
    return found
