"""Mappings of columns, kept with their campaign."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from annotation.importers.tables import ColumnMap
from annotation.models import Campaign, ColumnMapping
from annotation.services.audit import Actor, audit
from annotation.services.importing.tables.sources import column_map
from annotation.services.transactions import short_write


def mapping_keep(
    *, campaign: Campaign, mapping: Mapping[str, Any], file_name: str, actor: Actor
) -> ColumnMapping:
    """Keep a mapping, once. Raises Invalid for a wrong one."""
    found = column_map(mapping)
    with short_write():
        kept, new = ColumnMapping.objects.get_or_create(
            campaign=campaign, digest=mapping_digest(found),
            defaults={
                "what": found.what, "file_name": PurePath(file_name).name[:255],
                "mapping": found.to_json(), "created_by_id": actor.pk if actor else None,
            },
        )  # fmt: skip
        if new:
            audit(
                actor=actor, verb="keep mapping", about=kept, campaign=campaign, file=kept.file_name
            )
    return kept


def mapping_digest(mapping: ColumnMap) -> str:
    """Return what equal mappings have in common: the SHA-256 of their JSON."""
    text = json.dumps(mapping.to_json(), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
