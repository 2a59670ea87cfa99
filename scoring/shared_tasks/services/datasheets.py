"""The datasheet of a task: HEDS with the agreement behind its gold, as of when it was frozen."""

from __future__ import annotations

import json

from django.utils.translation import override

import paraanno
from annotation.services.transactions import short_write
from scoring.paper import datasheet, datasheet_json
from scoring.selectors.agreement import agreement_for
from scoring.selectors.exports.paper import facts_get
from scoring.selectors.ratings.choice import Choice
from scoring.selectors.ratings.tables import ratings_get
from scoring.shared_tasks.models import SharedTask, TaskFile
from scoring.shared_tasks.services.contents import file_add
from scoring.stats.agreement.catalogue import coefficients

ROLE = TaskFile.Role.DATASHEET


def datasheet_make(*, task: SharedTask) -> list[TaskFile]:
    """Make `heds.json` and `datasheet.md`, in place of earlier ones. A worker calls it.

    Of a systems task they are about the campaign in which people judged, else about the task's,
    with the judgments that counted when it was frozen.
    """
    campaign, choice = task.campaign, Choice()
    if task.kind == SharedTask.Kind.SYSTEMS:
        campaign = task.judged_in or task.campaign
    elif task.frozen_at is not None:
        choice = Choice(as_of=task.frozen_at.isoformat())
    with override("en"):
        facts = facts_get(campaign=campaign, ratings=ratings_get(campaign=campaign, choice=choice))
        report = agreement_for(campaign=campaign, choice=choice)
        names = {key: one.printed for key, one in coefficients().items()}
        signature = f"paraanno {paraanno.__version__} (task {task.fingerprint[:12]})"
        sheet = datasheet(facts, report, names=names, signature=signature)
        found = datasheet_json(facts, report, names=names, signature=signature)
    text = json.dumps(found, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    with short_write():
        TaskFile.objects.filter(task=task, role=ROLE).delete()
        return [
            file_add(task=task, role=ROLE, name=name, data=content.encode())
            for name, content in (("heds.json", text), ("datasheet.md", sheet))
        ]
