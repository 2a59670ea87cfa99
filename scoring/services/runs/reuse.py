"""Reuse of existing scores: of this run, or of another one with the same signature.

A signature covers everything that a score depends on except the texts. So a score of any run of any
campaign is valid for an equal pair, and reveals nothing that would not be computed anyway. Equal
texts are found by the digests of item, text and context, and then compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from django.db.models import F, Q

from annotation.models import Item
from paraanno.plain.sentence_columns import kept
from scoring.metrics.base import Metric, Pair
from scoring.metrics.base import Score as Value
from scoring.models import Run, Score
from scoring.services.runs.claim import ChunkClaim
from scoring.services.runs.store import Found
from scoring.services.runs.texts import Frame, Texts, items_between, read_texts

# Newest first; with more, the search would take longer than scoring.
MOST_RUNS = 20
# Ids further apart than this are queried as separate ranges.
WIDE = 64
COLUMNS = (
    "run_id", "substitution_id", "value", "reason", "reason_parts", "detail", "statistics",
)  # fmt: skip
# By run, by substitution.
Known = dict[int, dict[int, Found]]


def scores_known(claims: Sequence[ChunkClaim], texts: Texts) -> Known:
    """Known scores of the texts in these chunks. Failures of other runs are not reused."""
    known: Known = {claim.run.pk: {} for claim in claims}
    for run, pk, *score in _rows(known, texts.ids):
        known[run][pk] = _found(pk, *score, kept=True)
    wanting = [claim for claim in claims if len(known[claim.run.pk]) < len(texts.ids)]
    for frame, runs in _sources(wanting).items():
        _add_from(frame, runs, wanting, texts, known)
    return known


def _sources(claims: Iterable[ChunkClaim]) -> dict[Frame, list[Run]]:
    """Other runs with the same signatures, by the texts they cover."""
    signatures = {claim.run.signature for claim in claims}
    runs = Run.objects.filter(
        # Scores from before a change of language were made of texts in another one.
        Q(language_changes=None) | Q(language_changes=F("campaign__language_changes")),
        signature__in=signatures, done__gt=0, last_reference__isnull=False,
    ).exclude(pk__in=[claim.run.pk for claim in claims])  # fmt: skip
    sources: dict[Frame, list[Run]] = defaultdict(list)
    for run in runs.defer("state").order_by("-pk")[:MOST_RUNS]:
        sources[Frame.of(run)].append(run)
    return sources


def _add_from(
    frame: Frame, runs: list[Run], claims: Sequence[ChunkClaim], texts: Texts, known: Known
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
    scores: dict[str, list[tuple[int, Found]]] = defaultdict(list)
    signed = {run.pk: run.signature for run in runs}
    for run, pk, *score in _rows(signed, same):
        found = _found(texts.ids[same[pk][1]], *score, reused=True)
        if not found.failed:
            scores[signed[run]].append((pk, found))
    for claim in claims:
        own = known[claim.run.pk]
        for pk, found in scores[claim.run.signature]:
            their_place, place = same[pk]
            pairs = (theirs.pairs[their_place], texts.pairs[place])
            if found.substitution not in own and _same(claim.metric, *pairs):
                own[found.substitution] = found


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
    """Scores of some runs for some texts, as COLUMNS.

    Queried by ranges of ids, which are close together: given a list of ids, PostgreSQL may scan all
    scores of the run, because its planner statistics date from when the run had few.
    """
    wanted = set(texts)
    for first, last in _ranges(sorted(wanted)):
        rows = Score.objects.filter(
            run_id__in=runs, substitution_id__gte=first, substitution_id__lte=last
        )
        yield from (row for row in rows.values_list(*COLUMNS) if row[1] in wanted)


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


def _found(
    pk: int,
    value: float | None,
    reason: str,
    parts: Any,
    detail: Any,
    statistics: Any,
    **origin: bool,
) -> Found:
    vector = None if statistics is None else tuple(statistics)
    return Found(pk, Value(value, kept(reason, parts), detail or {}), vector, **origin)
