"""Exports, written."""

from __future__ import annotations

import io
from typing import Any

from annotation.models import Campaign
from scoring.services.reports.exports import export_write


def written(campaign: Campaign, what: str, **options: Any) -> bytes:
    stream = io.BytesIO()
    export_write(campaign=campaign, what=what, stream=stream, **options)
    return stream.getvalue()
