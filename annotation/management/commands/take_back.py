"""manage.py take_back CAMPAIGN IMPORT"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.management.base import CommandParser

from annotation.importing.jobs import import_batch_get
from annotation.importing.take_back import import_take_back
from annotation.management.site_command import SiteCommand


class Command(SiteCommand):
    help = "Take an import back while nothing was made of it; without a key, list the imports."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name (slug)")
        parser.add_argument("key", nargs="?", type=UUID, metavar="IMPORT", help="its key")

    def work(self, options: dict[str, Any]) -> None:
        campaign = self.campaign(options["campaign"], writes=options["key"] is not None)
        if options["key"] is None:
            for batch in campaign.batches.all():
                self.stdout.write(
                    f"{batch.key}  {batch.created_at:%Y-%m-%d %H:%M}  {batch.what}  "
                    f"{batch.file_name}  {batch.rows} rows"
                )
            return
        batch = import_batch_get(campaign=campaign, key=options["key"])
        removed = import_take_back(batch=batch, actor=None)
        summary = ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in removed.items() if n)
        self.stdout.write(f"Taken back: {summary or 'nothing'}.")
