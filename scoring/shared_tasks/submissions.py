"""Submissions of shared tasks, and what follows them: boards to make, the end of a task, its files
and baselines.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import zlib
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

import numpy as np
from django.db import IntegrityError
from django.db.models import F, Max
from django.utils.translation import gettext as _

from annotation.database import Actor, audit, lock_row, short_write
from annotation.errors import Conflict, Invalid, NotFound
from annotation.models import Campaign
from annotation.models.fields import text_digest, token_digest
from paraanno import clock
from paraanno.common.records import format_of
from paraanno.common.texts import Problem, say
from paraanno.jobs.engine import job_work
from paraanno.jobs.row import ACTIVE, OVER
from scoring.shared_tasks.access import failed_on, part_shown
from scoring.shared_tasks.jobs import BOARD, SUBMISSION
from scoring.shared_tasks.models import (
    Content,
    DayCount,
    SharedTask,
    Submission,
    TaskBoard,
    TaskFile,
    Team,
    Track,
)
from scoring.stats.shared_tasks.board import Frozen
from scoring.stats.shared_tasks.submissions import (
    MOST_BYTES,
    Answers,
    Form,
    decisions,
    read_submission,
    scores,
)
from scoring.stats.table import FloatArray, IntArray
from scoring.work.lanes import sweep
from scoring.work.workers import is_alive

# When boards are made: after each submission, after closing, and when one shows an old state.


Part = TaskBoard.Part


def board_ask(*, task: SharedTask, part: str = "") -> TaskBoard:
    """Queue the board of a task, of the part that it shows now; in the caller's transaction.

    One at work looks again when it is done (`board_over`).
    """
    part = part or part_shown(task)
    board, _new = TaskBoard.objects.get_or_create(task=task, part=part)
    TaskBoard.objects.filter(pk=board.pk, status__in=OVER).update(
        status=TaskBoard.Status.QUEUED, attempts=0, retries=0, worker="", finished_at=None
    )
    BOARD.notify(board.pk)
    return board


def boards_due() -> None:
    """Queue the boards of open tasks that show another state than that of the submissions: the
    message, or the process that was to ask for it, is lost. On the timer of each worker."""
    for task in SharedTask.objects.filter(state=SharedTask.State.OPEN):
        shown = TaskBoard.objects.filter(task=task, part=Part.PUBLIC).first()
        if (shown is None or not shown.active) and board_state(task) != _state_of(shown):
            board_ask(task=task)


def _state_of(board: TaskBoard | None) -> str:
    return text_digest() if board is None else board.state_hash


def board_state(task: SharedTask) -> str:
    """The submissions that a board of the task shows, as a hash."""
    rows = Submission.objects.filter(track__task=task, withdrawn_at=None, status="done")
    return text_digest(*map(str, rows.order_by("pk").values_list("pk", "primary")))


def board_ready(board_pk: int) -> bool:
    """Whether the board is public, or final and every submission has been scored."""
    board = TaskBoard.objects.filter(pk=board_pk).first()
    if board is None or board.part == Part.PUBLIC:
        return board is not None
    of_task = Submission.objects.filter(track__task=board.task_id, withdrawn_at=None)
    return not of_task.filter(status__in=ACTIVE).exists()


def board_over(board: TaskBoard) -> None:
    """Look again after a public board: submissions may have come or gone meanwhile."""
    shown = TaskBoard.objects.filter(pk=board.pk, part=Part.PUBLIC).first()
    if shown and not shown.task.over and shown.state_hash != board_state(shown.task):
        board_ask(task=shown.task)


# Close a task, publish it, and finish work where no worker is alive.


State = SharedTask.State


def task_close(*, task: SharedTask, actor: Actor) -> SharedTask:
    """Take no more submissions; a worker makes the final board.

    A team that has chosen no primary submission in a track has its last one. Closing twice is a
    Conflict.
    """
    with short_write():
        # Submissions under way hold or await this row: each is in whole, or refused.
        done = SharedTask.objects.filter(pk=task.pk, state=State.OPEN).update(
            state=State.CLOSED, closed_at=clock.now()
        )
        if not done:
            raise Conflict(_("This task is not open."))
        _choose_last(task)
        board_ask(task=task, part=TaskBoard.Part.FINAL)
        audit(actor=actor, verb="close task", about=task, campaign=task.campaign, task=task.slug)
    return SharedTask.objects.get(pk=task.pk)


def _choose_last(task: SharedTask) -> None:
    rows = Submission.objects.filter(track__task=task, baseline="", withdrawn_at=None)
    chosen = set(rows.filter(primary=True).values_list("team", "track"))
    last = rows.exclude(status="failed").order_by().values_list("team", "track")
    pks = [pk for team, track, pk in last.annotate(Max("pk")) if (team, track) not in chosen]
    Submission.objects.filter(pk__in=pks).update(primary=True)


def task_publish(*, task: SharedTask, actor: Actor) -> SharedTask:
    """Show the final board, gold and all files to everybody. Raises Conflict unless the task is
    closed and its final board made."""
    made = TaskBoard.objects.filter(task=task, part="final", status="done").exists()
    if task.state != State.CLOSED or not made:
        raise Conflict(_("A task is published once it is closed and its final board is made."))
    with short_write():
        done = SharedTask.objects.filter(pk=task.pk, state=State.CLOSED).update(
            state=State.PUBLISHED, published_at=clock.now()
        )
        if not done:
            raise Conflict(_("This task is published already."))
        audit(actor=actor, verb="publish task", about=task, campaign=task.campaign, task=task.slug)
    return SharedTask.objects.get(pk=task.pk)


def work_finish(*, task: SharedTask) -> None:
    """Do what workers would do, if none is alive; also what a dead one left behind."""
    if is_alive():
        return
    sweep(idle=False, queues=[])
    for kind, rows in (
        (SUBMISSION, Submission.objects.filter(track__task=task)),
        (BOARD, TaskBoard.objects.filter(task=task)),
    ):
        boards_due()
        for pk in rows.filter(status="queued").order_by("pk").values_list("pk", flat=True):
            job_work(kind.name, pk)


def close_due() -> int:
    """Close the tasks whose time has come; return how many. A worker's timer calls this."""
    due = SharedTask.objects.filter(state=State.OPEN, closes_at__lte=clock.now())
    closed = 0
    for task in due.select_related("campaign"):
        try:
            task_close(task=task, actor=None)
        except Conflict:  # Another worker was first.
            continue
        closed += 1
    return closed


# The bytes of files, and what is read from them.


CACHED_TASKS = 4  # Frozen tasks that a process keeps: the test of ParaBank takes 20 MB.


def file_bytes(file: TaskFile) -> bytes:
    """The content of a file; one query."""
    return content_data(file.content)


def content_data(content: Content) -> bytes:
    """The bytes that were packed."""
    return zlib.decompress(bytes(content.packed))


def frozen_get(*, task: SharedTask) -> Frozen:
    """Gold, split and ids of a frozen task. Callers are services: no page shows it."""
    file = TaskFile.objects.get(task=task, role=TaskFile.Role.FROZEN)
    return _frozen(file.sha256, file.pk)


@lru_cache(maxsize=CACHED_TASKS)
def _frozen(sha256: str, pk: int) -> Frozen:
    file = TaskFile.objects.select_related("content").get(pk=pk, sha256=sha256)
    return Frozen.from_bytes(file_bytes(file))


# Baselines: submissions that the product makes of its own metrics.


TEAM = "paraanno"
BASELINES = ("bleu", "nist", "meteor", "ter", "chrf")
# Needs realisations of the originals with their model scores, which an organiser may add.
OF_NBEST = "approx_hter"


def baselines_enter(*, task: SharedTask) -> list[Submission]:
    """Enter the metrics whose inputs a track allows; workers score them. Called in the transaction
    that freezes the task.

    All but approx_hter compare with the original, so they are in no track that hides it.
    """
    if task.kind == SharedTask.Kind.SYSTEMS:
        return []
    team = Team.objects.create(
        task=task, name=TEAM, is_baseline=True, token_hash=token_digest(secrets.token_urlsafe(32))
    )
    nbest = set(
        TaskFile.objects.filter(task=task, role=TaskFile.Role.NBEST).values_list("track", flat=True)
    )
    now = clock.now()
    made = [
        Submission(
            track=track,
            team=team,
            number=number,
            name=name,
            baseline=name,
            form="score",
            primary=True,
            created_at=now,
        )
        for track in task.tracks.all()
        if track.reference
        for number, name in enumerate(
            [*BASELINES, *([OF_NBEST] if {None, track.pk} & nbest else [])], 1
        )
    ]
    return Submission.objects.bulk_create(made)


# Files for participants, and everything for everybody after publishing.


STARTER = "starter.py"


def visible_files(*, task: SharedTask) -> list[TaskFile]:
    """The files that participants may have, without their contents."""
    rows = TaskFile.objects.filter(task=task).exclude(role__in=TaskFile.SECRET)
    return list(rows.select_related("track").order_by("track__position", "name"))


def file_get(*, task: SharedTask, key: UUID) -> TaskFile:
    """A file that participants may have, with its content. Raises NotFound."""
    rows = TaskFile.objects.filter(task=task, key=key).exclude(role__in=TaskFile.SECRET)
    file = rows.select_related("content", "track").first()
    if file is None:
        raise NotFound(_("There is no such file."))
    return file


def starter_script() -> bytes:
    """A script that makes a valid submission; nothing but Python is needed to run it."""
    return Path(__file__).with_name(STARTER).read_bytes()


def participant_files(*, task: SharedTask) -> dict[str, bytes]:
    """All that participants get, by path: those of one track are in its folder.

    Where there is one track, its files are at the top too. Raises Conflict before freezing.
    """
    if task.state == SharedTask.State.DRAFT:
        raise Conflict(_("The task is not frozen: there are no files yet."))
    rows = TaskFile.objects.filter(task=task).exclude(role__in=TaskFile.SECRET)
    single = task.tracks.count() == 1
    files: dict[str, bytes] = {}
    for file in rows.select_related("content", "track").order_by("track__position", "name"):
        data = file_bytes(file)
        if file.track is None or single:
            files[file.name] = data
        if file.track is not None:
            files[f"{file.track.name}/{file.name}"] = data
    return {**files, STARTER: starter_script()}


# Files as rows: packed, and read back.


def packed_of(data: bytes) -> bytes:
    """Bytes as they are stored. Large ones take a second, so pack them before the transaction."""
    return zlib.compress(data, 6)


def content_add(packed: bytes) -> Content:
    """Store packed bytes. Called in the transaction of the row that they belong to."""
    return Content.objects.create(packed=packed)


def file_add(
    *, task: SharedTask, role: str, name: str, data: bytes, track: Track | None = None
) -> TaskFile:
    """Add a file of a task. Called in the transaction of the change."""
    return TaskFile.objects.create(
        task=task,
        track=track,
        role=role,
        name=name,
        size=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        content=content_add(packed_of(data)),
    )


def doubles(values: FloatArray | IntArray) -> bytes:
    """Directions or scores, as a submission keeps them."""
    return np.ascontiguousarray(values, dtype="<f8").tobytes()


def answers_written(answers: Answers, frozen: Frozen) -> bytes:
    """What a file says, as its submission keeps it."""
    if answers.form == "choice":
        return doubles(decisions(answers, frozen))
    if answers.form == "score":
        return doubles(scores(answers, frozen))
    texts = [answers.values[key] for key in frozen.originals]
    return json.dumps(texts, ensure_ascii=False).encode("utf-8")


def answers_kept(*, submission: Submission, frozen: Frozen) -> bytes:
    """What the file of a submission says, as it was read when it came.

    Rows of former versions kept no texts: their files are read now. Raises SubmissionRefused for
    one that is no submission.
    """
    if submission.answers is not None:
        return content_data(submission.answers)
    assert submission.content is not None  # noqa: S101 a constraint says so
    name = f"{submission.name}.{submission.format}"
    answers = answers_of(submission.track, frozen, content_data(submission.content), name)
    if not answers.ok:
        raise SubmissionRefused(answers.problems)
    return answers_written(answers, frozen)


def texts_kept(*, submission: Submission, frozen: Frozen) -> list[str]:
    """The paraphrases of a submission, in the order of the originals."""
    texts: list[str] = json.loads(answers_kept(submission=submission, frozen=frozen))
    return texts


# Take submissions: all or nothing, at most so many a day, and never one in place of another.


class SubmissionRefused(Invalid):
    """The file is refused; `problems` say why, line by line. The file was not kept."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


def submit(
    *,
    track: Track,
    team: Team,
    stream: BinaryIO,
    file_name: str,
    name: str = "",
    note: str = "",
    actor: Actor,
) -> Submission:
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
    file = _Read(data, format_of(file_name, "tsv"), answers.form, answers_written(answers, frozen))
    return _keep(task.campaign, track, team, file, name, note, actor)


def answers_of(track: Track, frozen: Frozen, data: bytes, file_name: str) -> Answers:
    """Read a file in the forms that a track takes."""
    ids: dict[Form, list[str]] = {"choice": frozen.pairs} if track.of_pairs else {}
    if track.measure == Track.Measure.PEOPLE:
        ids["text"] = frozen.originals
    else:
        ids["score"] = frozen.ids
    return read_submission(data, file_name, ids=ids, format=format_of(file_name, "tsv"))


@dataclass(frozen=True, slots=True)
class _Read:
    """A file that was accepted: its bytes, and what they say."""

    data: bytes
    format: str
    form: Form
    answers: bytes


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
    campaign: Campaign,
    track: Track,
    team: Team,
    file: _Read,
    name: str,
    note: str,
    actor: Actor,
) -> Submission:
    digest = hashlib.sha256(file.data).hexdigest()
    packed, answers = packed_of(file.data), packed_of(file.answers)
    try:
        with short_write():
            # Closing waits for this row, or this transaction for closing: none slips in after it.
            task = lock_row(SharedTask, track.task_id, key=True)
            now = clock.now()
            open_or_refuse(task, now)
            _count(track, team, now, task.per_day)
            earlier = Submission.objects.filter(track=track, team=team)
            number = (earlier.aggregate(most=Max("number"))["most"] or 0) + 1
            submission = Submission.objects.create(
                track=track,
                team=team,
                number=number,
                name=name or f"{team.name}-{number}"[-60:],
                note=note,
                form=file.form,
                format=file.format,
                size=len(file.data),
                sha256=digest,
                content=content_add(packed),
                answers=content_add(answers),
                created_by_id=actor.pk if actor else None,
                created_at=now,
            )
            audit(
                actor=actor,
                verb="submit",
                about=submission,
                campaign=campaign,
                task=task.slug,
                team=team.name,
                track=track.name,
            )
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
    given_back = failed_on(day).filter(track=track, team=team).count()
    counter = DayCount.objects.filter(track=track, team=team, day=day, n__lt=per_day + given_back)
    if counter.update(n=F("n") + 1):
        return
    DayCount.objects.get_or_create(track=track, team=team, day=day)  # The first of a day.
    if not counter.update(n=F("n") + 1):
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
        task = lock_row(SharedTask, submission.track.task_id, key=True)
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
        task = lock_row(SharedTask, submission.track.task_id, key=True)
        open_or_refuse(task, clock.now())
        Submission.objects.filter(pk=submission.pk, withdrawn_at=None).update(
            withdrawn_at=clock.now(), primary=False
        )
        board_ask(task=task)
        audit(actor=actor, verb="withdraw submission", about=submission, campaign=task.campaign)
