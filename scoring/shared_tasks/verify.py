"""Rules of `verify` about shared tasks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from django.db.models import F

from annotation.models import Campaign
from annotation.verify import broken_ids, rule
from scoring.shared_tasks.access import task_fingerprint
from scoring.shared_tasks.freeze import fingerprint
from scoring.shared_tasks.models import SharedTask, Submission, TaskFile, TeamMember
from scoring.shared_tasks.submissions import content_data


@rule("The files of a frozen task are those of its fingerprint")
def _files(campaign: Campaign) -> Iterator[str]:
    for task in SharedTask.objects.filter(campaign=campaign).exclude(fingerprint=""):
        for file in TaskFile.objects.filter(task=task).select_related("content"):
            if hashlib.sha256(content_data(file.content)).hexdigest() != file.sha256:
                yield f"{file._meta.model_name} {file.pk}"
        if task_fingerprint(task=task) != task.fingerprint:
            yield f"{task._meta.model_name} {task.pk}"


@rule("A submission is the file that its team sent, and its certificate has its fingerprint")
def _submissions(campaign: Campaign) -> Iterator[str]:
    rows = Submission.objects.filter(track__task__campaign=campaign)
    for one in rows.filter(baseline="").select_related("content").iterator(20):
        data = content_data(one.content) if one.content is not None else b""
        if hashlib.sha256(data).hexdigest() != one.sha256:
            yield f"{one._meta.model_name} {one.pk}"
    for one in rows.filter(final__isnull=False):
        if fingerprint(one.final) != one.final.get("fingerprint"):
            yield f"{one._meta.model_name} {one.pk}"


@rule("Submissions, teams and members are of one task")
def _one_task(campaign: Campaign) -> Iterator[str]:
    rows = Submission.objects.filter(track__task__campaign=campaign)
    yield from broken_ids(rows.exclude(team__task=F("track__task")))
    members = TeamMember.objects.filter(task__campaign=campaign)
    yield from broken_ids(members.exclude(team__task=F("task")))


@rule("An open task has no final result")
def _no_final_while_open(campaign: Campaign) -> Iterator[str]:
    rows = Submission.objects.filter(track__task__campaign=campaign, final__isnull=False)
    yield from broken_ids(rows.filter(track__task__state__in=["draft", "open"]))
