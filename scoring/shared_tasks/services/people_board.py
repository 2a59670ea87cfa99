"""Systems tasks: submissions that people judge, and their rows by what people thought."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid
from annotation.models import Campaign
from annotation.services.audit import Actor, audit
from annotation.services.campaigns.campaigns import campaign_create
from annotation.services.campaigns.templates import TEMPLATES
from annotation.services.importing import items_import
from annotation.services.transactions import short_write
from scoring.shared_tasks.models import SharedTask, Submission, Track
from scoring.shared_tasks.selectors.files import content_data, frozen_get
from scoring.shared_tasks.selectors.judged import judged_texts
from scoring.shared_tasks.services.submit import answers_of
from scoring.stats.shared_tasks.board import Ratios, board_rows


def judged_submissions(*, task: SharedTask) -> list[Submission]:
    """What is judged: of each team the submission that counts."""
    rows = Submission.objects.filter(track__task=task, withdrawn_at=None, status="done")
    found: dict[int, Submission] = {}
    for one in rows.select_related("team", "track", "content").order_by("primary", "pk"):
        found[one.team_id] = one
    return sorted(found.values(), key=lambda one: one.pk)


def round_open(
    *, task: SharedTask, slug: str, originals: int, template: str = "sentence", actor: Actor
) -> Campaign:
    """Make the campaign in which people judge the submissions of a systems task that is closed.

    So many originals are drawn with the task's seed; all submissions of a drawn original are in,
    equal paraphrases once. Annotators see neither teams nor how many made a text. Raises Conflict
    if the task is not closed or has its campaign already, Invalid where nothing can be judged.
    """
    if task.kind != SharedTask.Kind.SYSTEMS or task.state != SharedTask.State.CLOSED:
        raise Conflict(
            _("A round of judging can be opened only for a systems task that is closed.")
        )
    if task.judged_in_id is not None:
        raise Conflict(_("The submissions are being judged already."))
    if template not in TEMPLATES:
        raise Invalid(_("There is no template %(name)s.") % {"name": template})
    rows = _drawn_rows(task, originals)
    campaign = campaign_create(
        actor=actor, slug=slug, name=_("%(title)s: judging") % {"title": task.title},
        template=template, language=task.campaign.language,
    )  # fmt: skip
    stream = io.BytesIO("".join(json.dumps(row) + "\n" for row in rows).encode())
    report = items_import(
        campaign=campaign, stream=stream, name=f"{task.slug}.jsonl", format="jsonl", actor=actor
    )
    if not report.ok:
        raise Invalid("\n".join(map(str, report.problems[:5])))
    with short_write():
        done = SharedTask.objects.filter(pk=task.pk, judged_in=None).update(judged_in=campaign)
        if not done:
            raise Conflict(_("The submissions are being judged already."))
        audit(actor=actor, verb="open round", about=task, campaign=task.campaign, into=slug)
    return campaign


def _drawn_rows(task: SharedTask, originals: int) -> list[dict[str, Any]]:
    submissions = judged_submissions(task=task)
    if len(submissions) < 2:
        raise Invalid(_("At least two teams need a submission that was accepted."))
    frozen = frozen_get(task=task)
    rng = np.random.default_rng(task.seed)
    drawn = rng.permutation(len(frozen.originals))[: max(1, originals)]
    rows = []
    for one in submissions:
        assert one.content is not None  # noqa: S101 a constraint says so
        answers = answers_of(one.track, frozen, content_data(one.content), "submission.tsv")
        rows += [
            {
                "item": frozen.originals[at],
                "sentence": frozen.original_texts[at],
                "paraphrase": " ".join(str(answers.values[frozen.originals[at]]).split()),
                "system": str(one.key),
            }
            for at in drawn.tolist()
        ]
    order = rng.permutation(len(rows))
    return [rows[at] for at in order]


def people_rows(*, task: SharedTask, track: Track) -> list[dict[str, Any]]:
    """Rows of the board by people: the mean over originals of gold, from 0 to 1 on each scale.

    Submissions are compared on the originals that were drawn. Before anything was judged they have
    no value.
    """
    named = {str(one.key): one for one in judged_submissions(task=task)}
    columns: dict[str, Any] = {}
    if task.judged_in is not None:
        judged = judged_texts(campaign=task.judged_in, scales=[], copies=True).judged
        places, original = np.unique(judged.original, return_inverse=True)
        for unit, system in judged.made:
            label = judged.systems[system]
            if label in named:
                top, bottom = columns.setdefault(label, np.zeros((2, places.size)))
                top[original[unit]] += judged.value[unit]
                bottom[original[unit]] += 1
    rows = []
    if columns:
        # Each original counts once, however often a system answered it.
        bottom = np.column_stack([(pair[1] > 0) * 1.0 for pair in columns.values()])
        top = np.column_stack([pair[0] / np.maximum(pair[1], 1) for pair in columns.values()])
        rows = [dict(row) for row in board_rows(Ratios(list(columns), top, bottom), seed=1)]
    ranked = [(named[str(row["submission"])], row) for row in rows]
    ranked += [(one, {}) for label, one in named.items() if label not in columns]
    return [
        {
            "value": None, "ci_low": None, "ci_high": None, "rank_low": None, "rank_high": None,
            "group": "", **row, "team": one.team.name, "submission": one.name,
            "key": str(one.key), "baseline": False, "primary": True, "sha256": one.sha256,
            "metrics": (one.public or {}).get("metrics", {}),
        }
        for one, row in ranked
    ]  # fmt: skip
