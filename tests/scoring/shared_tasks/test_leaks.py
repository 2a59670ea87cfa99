"""Nobody sees what is not theirs: final gold, the hidden part, other teams' files."""

import hashlib
import json
import re
import zlib
from dataclasses import replace

import numpy as np
import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from scoring.shared_tasks.models import SharedTask, Submission, TaskBoard, TaskFile
from scoring.shared_tasks.submissions import (
    content_data,
    frozen_get,
    task_close,
    task_publish,
    work_finish,
)
from scoring.stats.shared_tasks.board import gold_file, text_gold_file
from tests.clients import client_of
from tests.scoring.shared_tasks.made import (
    choices_file,
    make_task,
    make_team,
    send,
)
from tests.site.permissions.world import all_routes

# Once: what is shown is read by selectors whose own tests run on PostgreSQL.
pytestmark = pytest.mark.once
SECRET_NAME, SECRET_NOTE = "ourbestname", "ourprivatenote"
TRACKS = ("metrics", "realization", "segment")


def visitors(*names):
    """A member of a team, a stranger and an annotator, or those named."""
    for name in names or ("anna", "charlie", "bob"):
        yield name, client_of(name)


def task_routes():
    return [route for route in all_routes() if "tasks" in route.text]


def addresses(task):
    """Every address of the site that can name the task, with every key that there is."""
    keys = [
        *TaskFile.objects.filter(task=task).values_list("key", flat=True),
        *Submission.objects.filter(track__task=task).values_list("key", flat=True),
        *task.teams.values_list("key", flat=True),
    ]
    for route in task_routes():
        if "token" in route.arguments:
            continue
        given = {"slug": task.slug} if "slug" in route.arguments else {}
        for key in keys if "key" in route.arguments else [None]:
            yield reverse(route.name, kwargs={**given, **({"key": key} if key else {})})
    for track in TRACKS:
        for credit in ("half", "strict"):
            yield f"{reverse('task-board', args=[task.slug])}?track={track}&credit={credit}"


def everything(client, task):
    """What somebody gets by reading all of it."""
    found = {}
    for address in addresses(task):
        cache.clear()  # throttles count there
        for method in ("get", "options") if address.startswith("/api/") else ("get",):
            answer = getattr(client, method)(address)
            body = b"".join(answer.streaming_content) if answer.streaming else answer.content
            found[f"{method} {address}"] = without_noise(body)
    return found


def without_noise(body):
    """Without what differs from one request to the next."""
    return re.sub(rb'"X-CSRFToken": "[^"]+"|name="csrfmiddlewaretoken" value="[^"]+"', b"", body)


@pytest.mark.slow
def test_no_byte_of_gold_hidden_part_or_other_teams_is_shown_before_closing():
    task = make_task(tracks=TRACKS, seed=918273645546372)
    send(task, make_team(task, "kite", "anna"), choices_file(task, -1))
    rival = make_team(task, "rival", "zoe")
    other = send(task, rival, name=SECRET_NAME, note=SECRET_NOTE)
    frozen = frozen_get(task=task)
    assert other.content is not None and len(task_routes()) > 25
    file = content_data(other.content)
    never = [
        file,
        *file.splitlines()[1:],
        SECRET_NOTE.encode(),
        other.sha256.encode(),
        *gold_file(frozen).splitlines()[1:],
        *text_gold_file(frozen).splitlines()[1:],
        task.fingerprint.encode(),
        str(task.seed).encode(),
    ]
    # A line of their choices is a pair and a sign: pairs.tsv has the pair before a text.
    for name, client in visitors():
        for address, body in everything(client, task).items():
            shown = [secret for secret in never if secret in body]
            assert not shown, (name, address, shown[:2])
            assert b"p_value" not in body and b"swap_p" not in body and b"McNemar" not in body


@pytest.mark.slow
def test_hidden_names_of_teams_are_shown_to_nobody_else_until_publishing():
    task = make_task(hide_teams=True)
    make_team(task, "kite", "anna")
    send(task, make_team(task, "rivalteam", "zoe"), name=SECRET_NAME)
    for name, client in visitors("anna", "charlie"):
        for address, body in everything(client, task).items():
            assert b"rivalteam" not in body and SECRET_NAME.encode() not in body, (name, address)


def shuffle_final_gold(task):
    """Turn the gold of the final part round, and score everything again."""
    frozen = frozen_get(task=task)
    final = ~frozen.public[frozen.original]
    of_pairs = ~frozen.public[frozen.original[frozen.a]]
    other = replace(
        frozen,
        gold=np.where(final, 1 - frozen.gold, frozen.gold),
        by_sum=np.where(of_pairs, -frozen.by_sum, frozen.by_sum),
        by_majority=np.where(of_pairs, -frozen.by_majority, frozen.by_majority),
    ).to_bytes()
    file = TaskFile.objects.select_related("content").get(task=task, role="frozen")
    file.content.packed = zlib.compress(other)
    file.content.save()
    TaskFile.objects.filter(pk=file.pk).update(sha256=hashlib.sha256(other).hexdigest())
    SharedTask.objects.filter(pk=task.pk).update(fingerprint="0" * 64)
    TaskBoard.objects.all().delete()
    Submission.objects.update(status="queued", public=None, answers=None)
    work_finish(task=task)


@pytest.mark.slow
def test_other_final_gold_changes_nothing_that_participants_see():
    task = make_task(tracks=TRACKS)
    send(task, make_team(task, "kite", "anna"))
    anna = client_of("anna")  # Nobody else sees more, by the test above.
    before = everything(anna, task)
    shuffle_final_gold(task)
    assert everything(anna, task) == before


@pytest.mark.slow
def test_after_closing_a_team_sees_its_own_certificate_and_after_publishing_everybody():
    task = make_task()
    one = send(task, make_team(task, "kite", "anna"))
    task_close(task=task, actor=None)
    work_finish(task=task)
    address = reverse("task-certificate", args=[task.slug, one.key])
    codes = {name: client.get(address).status_code for name, client in visitors()}
    assert codes == {"anna": 200, "charlie": 404, "bob": 404}
    task_publish(task=SharedTask.objects.get(pk=task.pk), actor=None)
    said = json.loads(Client().get(address).content)
    assert said["verified"] and said["half"] == 1 and said["rank_low"] == 1
    assert Client().get(reverse("task-board", args=[task.slug])).status_code == 200
