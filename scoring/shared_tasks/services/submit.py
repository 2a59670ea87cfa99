"""Take submissions: all or nothing, at most so many a day, and never one in place of another."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import BinaryIO

from django.db import IntegrityError
from django.db.models import F, Max
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid
from annotation.models import Campaign
from annotation.services.audit import Actor, audit
from annotation.services.transactions import short_write
from paraanno import clock
from paraanno.plain.problems import Problem
from paraanno.plain.records import format_of
from paraanno.plain.sentence import say
from scoring.shared_tasks.jobs import SUBMISSION
from scoring.shared_tasks.models import DayCount, SharedTask, Submission, Team, Track
from scoring.shared_tasks.selectors.files import frozen_get
from scoring.shared_tasks.services.board_queue import board_ask
from scoring.shared_tasks.services.contents import content_add, packed_of
from scoring.stats.shared_tasks.frozen import Frozen
from scoring.stats.shared_tasks.submissions import MOST_BYTES, Answers, Form, read_submission

State = SharedTask.State


class SubmissionRefused(Invalid):
    """The file is refused; `problems` say why, line by line. The file was not kept."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


def submit(
    *, track: Track, team: Team, stream: BinaryIO, file_name: str, name: str = "",
    note: str = "", actor: Actor,
) -> Submission:  # fmt: skip
    """Check a file and keep it; a worker scores it.

    Raises SubmissionRefused for a bad file, Conflict before the task opens, after it closes (by the
    server's clock, when the file is there) and beyond the limit of the day. Callers check that the
    actor is of the team, or the organiser.
    """
    task = SharedTask.objects.select_related("campaign").get(pk=track.task_id)
    open_or_refuse(task, clock.now())
    if team.is_baseline or team.task_id != task.pk:
        raise Invalid(_("This team cannot submit here."))
    name, note = " ".join(name.split()), note.strip()
    if len(name) > 60 or not name.isprintable() or len(note) > 5000:
        raise Invalid(_("A name has at most 60 characters, a note 5000."))
    data = _read(stream, file_name)
    frozen = frozen_get(task=task)
    answers = answers_of(track, frozen, data, file_name)
    if not answers.ok:
        raise SubmissionRefused(answers.problems)
    return _keep(task.campaign, track, team, data, answers, name, note, actor)


def answers_of(track: Track, frozen: Frozen, data: bytes, file_name: str) -> Answers:
    """Read a file in the forms that a track takes."""
    ids: dict[Form, list[str]] = {"choice": frozen.pairs} if track.of_pairs else {}
    if track.measure == Track.Measure.PEOPLE:
        ids["text"] = frozen.originals
    else:
        ids["score"] = frozen.ids
    format = format_of(file_name, "tsv")
    return read_submission(data, file_name, ids=ids, format=format)


def _read(stream: BinaryIO, file_name: str) -> bytes:
    data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        why = say("the file is larger than %(most)s MB: send only answers", most=MOST_BYTES >> 20)
        raise SubmissionRefused((Problem(file_name, 1, None, why),))
    return data


def open_or_refuse(task: SharedTask, now: datetime) -> None:
    """Raise Conflict unless the task takes submissions at this time."""
    at = now.strftime("%Y-%m-%d %H:%M:%S UTC")
    if task.state == State.DRAFT or (task.opens_at is not None and now < task.opens_at):
        raise Conflict(
            _("The task is not open yet (the server’s clock says %(now)s).") % {"now": at}
        )
    if task.over or (task.closes_at is not None and now >= task.closes_at):
        raise Conflict(
            _("The task is closed; the file arrived at %(now)s by the server’s clock.")
            % {"now": at}
        )


def _keep(
    campaign: Campaign, track: Track, team: Team, data: bytes, answers: Answers, name: str,
    note: str, actor: Actor,
) -> Submission:  # fmt: skip
    digest, packed = hashlib.sha256(data).hexdigest(), packed_of(data)
    try:
        with short_write():
            # Closing waits for this row, or this transaction for closing: none slips in after it.
            task = SharedTask.objects.select_for_update().get(pk=track.task_id)
            now = clock.now()
            open_or_refuse(task, now)
            _count(track, team, now, task.per_day)
            earlier = Submission.objects.filter(track=track, team=team)
            number = (earlier.aggregate(most=Max("number"))["most"] or 0) + 1
            submission = Submission.objects.create(
                track=track, team=team, number=number, name=name or f"{team.name}-{number}"[-60:],
                note=note, form=answers.form, size=len(data),
                sha256=digest, content=content_add(packed),
                created_by_id=actor.pk if actor else None, created_at=now,
            )  # fmt: skip
            audit(
                actor=actor, verb="submit", about=submission, campaign=campaign,
                task=task.slug, team=team.name, track=track.name,
            )  # fmt: skip
            SUBMISSION.notify(submission.pk)
    except IntegrityError as error:
        raise Conflict(
            _("Your team has a submission called %(name)s in this track: choose another name.")
            % {"name": name}
        ) from error
    return submission


def _count(track: Track, team: Team, now: datetime, per_day: int) -> None:
    """Count a submission of the day, by a compare-and-set. Raises Conflict at the limit."""
    day = now.date()
    mine = DayCount.objects.filter(track=track, team=team, day=day, n__lt=per_day)
    if mine.update(n=F("n") + 1):
        return
    DayCount.objects.get_or_create(track=track, team=team, day=day)  # The first of a day.
    if not mine.update(n=F("n") + 1):
        raise Conflict(
            _(
                "Your team has made %(n)s submissions to this track today: that is the limit. The "
                "next day begins at 00:00 UTC."
            )
            % {"n": per_day}
        )


def primary_choose(*, submission: Submission, actor: Actor) -> None:
    """Make it the submission of its team that counts in its track; before closing only.

    Raises Conflict once the task is closed, or for one that was withdrawn or failed.
    """
    with short_write():
        task = SharedTask.objects.select_for_update().get(pk=submission.track.task_id)
        open_or_refuse(task, clock.now())
        if submission.withdrawn_at or submission.status == Submission.Status.FAILED:
            raise Conflict(_("This submission was withdrawn, or could not be scored."))
        same = Submission.objects.filter(track=submission.track, team=submission.team)
        same.filter(primary=True).exclude(pk=submission.pk).update(primary=False)
        same.filter(pk=submission.pk).update(primary=True)
        board_ask(task=task)
        audit(actor=actor, verb="choose primary", about=submission, campaign=task.campaign)


def submission_withdraw(*, submission: Submission, actor: Actor) -> None:
    """Take it off the boards; the file stays, and it counts towards the limit of its day."""
    with short_write():
        task = SharedTask.objects.select_for_update().get(pk=submission.track.task_id)
        open_or_refuse(task, clock.now())
        Submission.objects.filter(pk=submission.pk, withdrawn_at=None).update(
            withdrawn_at=clock.now(), primary=False
        )
        board_ask(task=task)
        audit(actor=actor, verb="withdraw submission", about=submission, campaign=task.campaign)
