"""manage.py copy_campaign SLUG NEW"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser
from django.core.validators import validate_slug

from annotation.campaigns.copying import campaign_copy
from annotation.errors import Invalid
from annotation.management.campaign_command import CampaignCommand, campaign_or_exit


class Command(CampaignCommand):
    help = "Copy a campaign's settings, questions and rules into a new draft; no judgments."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name (slug)")
        parser.add_argument("new", help="the short name of the copy")
        parser.add_argument("--name", default="", help="the full name; the campaign's by default")
        parser.add_argument("--texts", action="store_true", help="with its items and texts")
        parser.add_argument("--people", action="store_true", help="with its members")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = campaign_or_exit(options["campaign"])
        try:
            validate_slug(options["new"])
            copy = campaign_copy(
                campaign=campaign,
                slug=options["new"],
                name=options["name"],
                texts=options["texts"],
                people=options["people"],
                actor=None,
            )
        except ValidationError as error:
            raise CommandError(f"{options['new']!r}: {error.messages[0]}", returncode=2) from error
        except Invalid as error:
            raise CommandError(error.message, returncode=2) from error
        self.stdout.write(f"Campaign {copy.slug} made from {campaign.slug}.")
