"""The audit table."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Model

from annotation.models import AuditEntry, Campaign

Actor = AbstractBaseUser | AnonymousUser | None


def audit(
    *, actor: Actor, verb: str, about: Model, campaign: Campaign | None, **data: Any
) -> AuditEntry:
    """Add a row; call it inside the transaction of the act, so that both stand or fall."""
    return AuditEntry.objects.create(
        campaign=campaign,
        actor_id=actor.pk if actor is not None else None,
        verb=verb,
        object_type=about._meta.model_name or "",
        object_id=str(about.pk),
        data=data,
    )
