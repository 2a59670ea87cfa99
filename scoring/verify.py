"""Rules of `verify` about runs, scores and reports that no constraint can express.

They are registered with annotation/verify when this app starts (scoring/apps.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from annotation.models import Campaign, Output, Substitution
from annotation.verify import broken_ids, rule
from scoring.metrics.values import state_hash
from scoring.models import Report, Run, RunChunk, Score, SystemScore
from scoring.models.runs import run_options_hash
from scoring.ratings.choice import Choice

DIGEST = re.compile("[0-9a-f]{64}")


def _runs(campaign: Campaign) -> QuerySet[Run]:
    return Run.objects.filter(campaign=campaign).defer("state")


@rule("A run scores outputs that its campaign had when it began, and its systems")
def _own_texts(campaign: Campaign) -> Iterator[str]:
    own = Q(
        substitution__campaign=F("run__campaign"),
        substitution__role=Substitution.Role.OUTPUT,
        substitution__lte=F("run__last_substitution"),
    )
    scores = Score.objects.filter(run__campaign=campaign)
    yield from broken_ids(scores.exclude(own))
    # These rows have no database-level foreign keys.
    there = Substitution.objects.filter(pk=OuterRef("substitution_id"))
    yield from broken_ids(scores.exclude(Exists(there)))
    system_scores = SystemScore.objects.filter(run__campaign=campaign)
    yield from broken_ids(system_scores.exclude(system__campaign=F("run__campaign")))


@rule("A run's counts are those of its chunks")
def _counts(campaign: Campaign) -> Iterator[str]:
    summed = _runs(campaign).annotate(
        parts=Coalesce(Sum("chunks__done"), 0), broken=Coalesce(Sum("chunks__failed"), 0)
    )
    yield from broken_ids(summed.exclude(done=F("parts"), failed=F("broken")))


@rule("The chunks of a run have no item in common")
def _chunks(campaign: Campaign) -> Iterator[str]:
    run, last = 0, 0
    chunks = RunChunk.objects.filter(run__campaign=campaign).order_by("run_id", "first_item", "pk")
    for pk, owner, first, end in chunks.values_list("pk", "run_id", "first_item", "last_item"):
        if owner == run and first <= last:
            yield f"run chunk {pk}"
        run, last = owner, end


@rule("A run that is done has done chunks alone, and one score for every text it is about")
def _done(campaign: Campaign) -> Iterator[str]:
    outputs = Substitution.objects.filter(campaign=campaign, role=Substitution.Role.OUTPUT)
    done = _runs(campaign).filter(status=Run.Status.DONE)
    unfinished = RunChunk.objects.exclude(status=RunChunk.Status.DONE).values("run")
    taken = Count("scores", filter=Q(scores__reused=True))
    for run in done.annotate(found=Count("scores"), taken=taken).order_by("pk"):
        texts = outputs.filter(pk__lte=run.last_substitution).count()
        if not (run.found == run.done == run.total == texts and run.taken == run.reused):
            yield f"run {run.pk}"
    yield from broken_ids(done.filter(pk__in=unfinished))


@rule("A system's score rests on texts of the system, and on one at least")
def _system_scores(campaign: Campaign) -> Iterator[str]:
    rows = SystemScore.objects.filter(run__campaign=campaign, run__status=Run.Status.DONE)
    made = dict(
        Output.objects.filter(system__campaign=campaign, substitution__isnull=False)
        .order_by()
        .values_list("system")
        .annotate(Count("substitution", distinct=True))
    )
    for pk, system, value, n in rows.values_list("pk", "system", "value", "n").order_by("pk"):
        if n > made.get(system, 0) or (n == 0 and value is not None):
            yield f"system score {pk}"


@rule("A run is signed, and its options and its prepared state are those of their hashes")
def _signatures(campaign: Campaign) -> Iterator[str]:
    for run in Run.objects.filter(campaign=campaign).order_by("pk").iterator(chunk_size=1):
        options = run_options_hash(run.metric, run.options, run.scope)
        begun = run.status in (Run.Status.RUNNING, Run.Status.DONE)
        state = not begun or state_hash(run.state) == run.state_hash
        if not (run.signature and options == run.options_hash and state):
            yield f"run {run.pk}"


@rule("A report's hash is that of its options, and its fingerprint is one")
def _reports(campaign: Campaign) -> Iterator[str]:
    rows = Report.objects.filter(campaign=campaign).order_by("pk")
    for pk, options, digest, mark in rows.values_list(
        "pk", "options", "options_hash", "fingerprint"
    ):
        if Choice.from_json(options).digest() != digest or not DIGEST.fullmatch(mark):
            yield f"report {pk}"
