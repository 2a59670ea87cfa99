"""What people do with jobs: cancel, do again, pause a kind of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _

from annotation.database import Actor, audit, short_write
from annotation.errors import Conflict
from annotation.models import PausedWork
from paraanno.jobs.engine import KINDS, Kind, again, cancel
from scoring.work.queries import JobLine


def job_cancel(*, job: JobLine, actor: Actor) -> None:
    """End a job that waits or is at work. Raises Conflict if it is over, or cannot be cancelled.
    Callers have looked it up for the actor."""
    if not job.can_cancel:
        raise Conflict(_("This job cannot be cancelled: it is over, or others wait for it."))
    _change(job, actor, "cancel", job.of.cancel, cancel, _("This job is over."))


def job_again(*, job: JobLine, actor: Actor) -> None:
    """Let a job that failed or was cancelled wait once more. Raises Conflict if it cannot."""
    if not job.can_repeat:
        raise Conflict(
            _(
                "This job cannot be done again: it is active, still stopping, or its file is gone. "
                "Ask for it anew where you did."
            )
        )
    refusal = _("This job is active, or still stopping: wait a moment.")
    _change(job, actor, "do again", job.of.again, again, refusal)


def _change(
    job: JobLine,
    actor: Actor,
    verb: str,
    own: Callable[..., object] | None,
    change: Callable[[Kind, Any], bool],
    refusal: str,
) -> None:
    """Change a job as its kind does (`own`), or its row alone. Raises Conflict with the refusal if
    that is not possible any more."""
    if own is not None:
        own(**{job.of.name: job.row}, actor=actor)
        return
    with short_write():
        if not change(job.of, job.row):
            raise Conflict(refusal)
        audit(
            actor=actor,
            verb=verb,
            about=job.row,
            campaign=job.campaign,
            kind=job.kind,
            name=job.name,
        )


def work_pause(*, kind: str, pause: bool, actor: Actor) -> None:
    """Have workers leave a kind of jobs alone, or take it up again; what is at work goes on.
    Callers check that the actor administers the site."""
    with short_write():
        if pause:
            row, _made = PausedWork.objects.get_or_create(
                name=kind, defaults={"paused_by_id": actor.pk if actor else None}
            )
            audit(actor=actor, verb="pause work", about=row, campaign=None, kind=kind)
            return
        for row in PausedWork.objects.filter(name=kind):
            audit(actor=actor, verb="resume work", about=row, campaign=None, kind=kind)
            row.delete()
        for pk in KINDS[kind].waiting.values_list("pk", flat=True):
            KINDS[kind].notify(pk)
