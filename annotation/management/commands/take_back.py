"""manage.py take_back CAMPAIGN IMPORT"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.management.base import CommandError, CommandParser

from annotation.errors import DomainError
from annotation.importing.jobs import import_batch_get
from annotation.importing.take_back import import_take_back
from annotation.management.campaign_command import CampaignCommand, campaign_or_exit


class Command(CampaignCommand):
    help = "Take an import back while nothing was made of it; without a key, list the imports."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name (slug)")
        parser.add_argument("key", nargs="?", type=UUID, metavar="IMPORT", help="its key")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = campaign_or_exit(options["campaign"], writes=options["key"] is not None)
        if options["key"] is None:
            for one in campaign.batches.all():
                self.stdout.write(
                    f"{one.key}  {one.created_at:%Y-%m-%d %H:%M}  {one.what}  {one.file_name}  "
                    f"{one.rows} rows"
                )
            return
        try:
            batch = import_batch_get(campaign=campaign, key=options["key"])
            removed = import_take_back(batch=batch, actor=None)
        except DomainError as error:
            raise CommandError(error.message, returncode=2) from error
        summary = ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in removed.items() if n)
        self.stdout.write(f"Taken back: {summary or 'nothing'}.")
