"""The audit log."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.db.models import Model

from annotation.models import Annotator, AuditEntry, Campaign

Actor = AbstractBaseUser | AnonymousUser | None


def audit(
    *, actor: Actor, verb: str, about: Model, campaign: Campaign | None, **data: Any
) -> AuditEntry:
    """Add an audit entry. Call it inside the transaction of the change, so that both are rolled
    back together.
    """
    return AuditEntry.objects.create(
        campaign=campaign,
        actor_id=actor.pk if actor is not None else None,
        verb=verb,
        object_type=about._meta.model_name or "",
        object_id=str(about.pk or ""),
        person_id=about.pk if isinstance(about, User) else None,
        about=_code(about),
        data=data,
    )


def _code(about: Model) -> str:
    """The code of the annotator whom it is about, or ""."""
    annotator = about if isinstance(about, Annotator) else getattr(about, "annotator", None)
    return annotator.code if isinstance(annotator, Annotator) else ""
