"""Celery tasks of this app: each takes an id and calls one service."""

from __future__ import annotations

from celery import shared_task

from annotation.services.importing.jobs import import_make as _import_make


@shared_task
def import_make(job_pk: int) -> None:
    """Import a large file."""
    _import_make(job_pk=job_pk)
