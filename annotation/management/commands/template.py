"""manage.py template CAMPAIGN"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.campaigns.templating.queries import template_of
from annotation.exporters.texts import write_template
from annotation.management.site_command import SiteCommand


class Command(SiteCommand):
    help = "Write a campaign as a template: settings, questions and rules, no texts, no people."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name (slug)")
        parser.add_argument("-o", "--output", metavar="FILE", help="standard output by default")

    def work(self, options: dict[str, Any]) -> None:
        campaign = self.campaign(options["campaign"])
        text = write_template(template_of(campaign=campaign))
        if options["output"] is None:
            self.stdout.write(text, ending="")
            return
        try:
            Path(options["output"]).write_text(text, encoding="utf-8")
        except OSError as error:
            self.refuse(f"{options['output']}: it cannot be written ({error.strerror}).")
