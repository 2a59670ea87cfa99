"""Metrics that need no file run by themselves after an import, if the campaign wants it."""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.database import Actor
from annotation.errors import Conflict, Invalid
from annotation.models import Campaign, Substitution
from scoring.metrics.registry import metric_class, names
from scoring.metrics.values import mixture
from scoring.models import Run, Score
from scoring.runs.start import RunRequest, frame_now, run_read, run_update, runs_start
from scoring.runs.texts import counts_of

SCOPE = Run.Scope.SENTENCE


def runs_follow(campaign: Campaign, actor: Actor) -> None:
    """Start every metric that needs neither a file, nor an option, nor a queue of its own, and
    reads the language of the texts; bring those up to date that started so before.

    Where some texts have references and others have none, all are compared with their originals.
    """
    outputs = Substitution.objects.filter(campaign=campaign, role=Substitution.Role.OUTPUT)
    if not outputs.exists():
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
