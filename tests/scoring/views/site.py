"""Somebody logged in, and a run that is done."""

from __future__ import annotations

from typing import Any

from django.test import Client

from annotation.models import Campaign, Substitution
from scoring.models import Run, Score
from scoring.services.runs.start import run_start
from tests.factories import make_admin, make_user

PAGES = ["agreement", "results", "gold", "runs", "runs-list", "correlation", "exports"]


def login(name: str) -> Client:
    client = Client()
    if name == "adam":
        client.force_login(make_admin())
    elif name != "nobody":
        client.force_login(make_user(name))
    return client


def done_run(campaign: Campaign, values: dict[str, float], **fields: Any) -> Run:
    """A finished run with scores by text, as a worker leaves it."""
    run = run_start(campaign=campaign, spec=fields.pop("spec", "bleu"), actor=None)
    for text, value in values.items():
        Score.objects.create(
            run=run, substitution=Substitution.objects.get(campaign=campaign, text=text),
            value=value,
        )  # fmt: skip
    Run.objects.filter(pk=run.pk).update(
        status="done", done=len(values), started_at=run.created_at, finished_at=run.created_at,
        **fields,
    )  # fmt: skip
    run.refresh_from_db()
    return run
