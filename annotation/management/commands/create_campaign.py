"""manage.py create_campaign SLUG"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.validators import validate_slug

from annotation.errors import Invalid
from annotation.services.campaigns.campaigns import campaign_create
from annotation.services.campaigns.scale_templates import TEMPLATES


class Command(BaseCommand):
    help = "Make a campaign with the scales of a template; site administrators see it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the short name: letters, digits, - and _")
        parser.add_argument("--template", default="phrase", choices=list(TEMPLATES))
        parser.add_argument("--annotators", type=int, default=3, metavar="K")
        parser.add_argument("--name", default="", help="the full name; the slug by default")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            validate_slug(options["slug"])
            campaign = campaign_create(
                actor=None,
                slug=options["slug"],
                name=options["name"],
                template=options["template"],
                annotators_per_sheet=options["annotators"],
            )
        except ValidationError as error:
            raise CommandError(f"{options['slug']!r}: {error.messages[0]}", returncode=2) from error
        except Invalid as error:
            raise CommandError(error.message, returncode=2) from error
        self.stdout.write(f"Campaign {campaign.slug} made.")
