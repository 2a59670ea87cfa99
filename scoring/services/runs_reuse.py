"""Scores that are there already: of this run, or of another one with the same signature.

A signature says all that a number depends on but the texts. So a score of any run, of any
campaign, counts for a pair that is exactly equal, and reveals nothing that would not be computed
anyway. Equal texts are found by the digests of item, text and context, and then compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Q

from scoring.metrics.base import Metric, Pair
from scoring.metrics.base import Score as Value
from scoring.models import Run, Score
from scoring.services.runs_claim import Claim
from scoring.services.runs_store import FAILED, Found
from scoring.services.runs_texts import Frame, Texts, read_texts

# Newest first; more would make the search longer than the scoring.
MOST_RUNS = 20
COLUMNS = ("run_id", "substitution_id", "value", "reason", "detail", "statistics")
# By run, by substitution.
Known = dict[int, dict[int, Found]]


def scores_known(claims: Sequence[Claim], texts: Texts) -> Known:
    """What needs no scoring of the texts in these chunks; failed texts are scored again where
    another run failed."""
    known: Known = {claim.run.pk: {} for claim in claims}
    rows = Score.objects.filter(run_id__in=known, substitution_id__in=texts.ids)
    for run, pk, *score in rows.values_list(*COLUMNS):
        known[run][pk] = _found(pk, *score, kept=True)
    wanting = [claim for claim in claims if len(known[claim.run.pk]) < len(texts.ids)]
    for frame, runs in _sources(wanting).items():
        _add_from(frame, runs, wanting, texts, known)
    return known


def _sources(claims: Iterable[Claim]) -> dict[Frame, list[Run]]:
    """Runs with the signatures of these, by the texts they are about."""
    signatures = {claim.run.signature for claim in claims}
    runs = Run.objects.filter(
        signature__in=signatures, done__gt=0, last_reference__isnull=False
    ).exclude(pk__in=[claim.run.pk for claim in claims])
    sources: dict[Frame, list[Run]] = defaultdict(list)
    for run in runs.defer("state").order_by("-pk")[:MOST_RUNS]:
        sources[Frame.of(run)].append(run)
    return sources


def _add_from(
    frame: Frame, runs: list[Run], claims: Sequence[Claim], texts: Texts, known: Known
) -> None:
    theirs = read_texts(
        frame=frame,
        items=Q(
            item__campaign_id=frame.campaign,
            item__identity_hash__in={identity for identity, *_ in texts.keys},
        ),
        groups=any(claim.metric.grouped for claim in claims),
    )
    places = {key: place for place, key in enumerate(theirs.keys)}
    # Their substitution, our place: the same text at least; each metric says if the pair is.
    same = {
        theirs.ids[places[key]]: (places[key], place)
        for place, key in enumerate(texts.keys)
        if key in places
    }
    if not same:
        return
    scores: dict[str, list[tuple[int, Found]]] = defaultdict(list)
    signed = {run.pk: run.signature for run in runs}
    rows = Score.objects.filter(run_id__in=signed, substitution_id__in=same)
    for run, pk, *score in rows.exclude(reason__startswith=FAILED).values_list(*COLUMNS):
        scores[signed[run]].append((pk, _found(texts.ids[same[pk][1]], *score, reused=True)))
    for claim in claims:
        own = known[claim.run.pk]
        for pk, found in scores[claim.run.signature]:
            their_place, place = same[pk]
            pairs = (theirs.pairs[their_place], texts.pairs[place])
            if found.substitution not in own and _same(claim.metric, *pairs):
                own[found.substitution] = found


def _same(metric: Metric[Any], theirs: Pair, ours: Pair) -> bool:
    """Whether the pair is the same to this metric."""
    if (theirs.original, theirs.paraphrase) != (ours.original, ours.paraphrase):
        return False
    if metric.grouped and theirs.group != ours.group:
        return False
    return theirs.references == ours.references


def _found(
    pk: int, value: float | None, reason: str, detail: Any, statistics: Any, **origin: bool
) -> Found:
    vector = None if statistics is None else tuple(statistics)
    return Found(pk, Value(value, reason, detail or {}), vector, **origin)
