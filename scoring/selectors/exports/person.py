"""What exports store about a person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.auth.models import User

from scoring.models import ExportFile


def exports_of(user: User) -> Mapping[str, Iterable[Mapping[str, Any]]]:
    """The files that a person ordered, for the zip of their data."""
    rows = ExportFile.objects.filter(created_by=user).order_by("pk")
    return {"exports": rows.values("campaign__slug", "what", "format", "created_at")}
