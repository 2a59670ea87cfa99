"""Writing the archive of a campaign."""

from __future__ import annotations

from typing import BinaryIO

import paraanno
from annotation.models import Campaign
from annotation.services.people.parts import part_records_update
from paraanno import clock
from paraanno.plain.progress import counted
from scoring.archives import ArchiveWriter
from scoring.selectors.archives.rows import ArchivedRows
from scoring.selectors.archives.tables import TABLES
from scoring.services.archives.snapshot import snapshot


def archive_write(*, campaign: Campaign, stream: BinaryIO) -> int:
    """Write the archive to a byte stream; return the number of rows.

    Everything is of one moment. Memory does not grow with the judgments but for 8 bytes a row.
    """
    part_records_update(campaign=campaign)
    writer = ArchiveWriter(stream)
    with snapshot():
        campaign = Campaign.objects.get(pk=campaign.pk)
        reader = ArchivedRows(campaign)
        total, rows = reader.total(), 0
        for table in TABLES:
            cells = counted(reader.rows(table), before=rows, total=total)
            rows += writer.add(table.name, table.columns, cells)
    writer.close(
        {
            "campaign": {"slug": campaign.slug, "name": campaign.name},
            "made_at": clock.now().isoformat(),
            "made_with": f"paraanno {paraanno.__version__}",
            "origin": campaign.origin,
            "resources": reader.resources,
        }
    )
    return rows
