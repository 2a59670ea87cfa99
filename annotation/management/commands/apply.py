"""manage.py apply T.yaml CAMPAIGN"""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.campaigns.templating.applying import template_apply
from annotation.campaigns.templating.changes import TemplateChange, changes_digest, template_changes
from annotation.errors import Invalid
from annotation.http.markdown import different_lines
from annotation.management.campaign_command import CampaignCommand, campaign_or_exit
from annotation.management.commands._files import template_or_exit


class Command(CampaignCommand):
    help = "Show what a template would change in a campaign, and with --yes change it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the template")
        parser.add_argument("campaign", help="the campaign's short name (slug)")
        parser.add_argument("--yes", action="store_true", help="change it without asking")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = campaign_or_exit(options["campaign"], writes=True)
        path = options["file"]
        read = template_or_exit(self, path)
        if read.template is None:  # It has exited.
            return
        changes = template_changes(campaign=campaign, template=read.template)
        for one in changes:
            self.stdout.write("\n".join(_lines(one)))
        for one in changes:
            if one.refused:
                self.stderr.write(
                    f"{path}:{read.line(one.path)}: {one.name}: {one.refused}; take the change "
                    "out of the file"
                )
        if any(one.refused for one in changes):
            sys.exit(2)
        if not changes:
            self.stdout.write(f"{campaign.slug} is as {path} says.")
        elif options["yes"] or _confirmed(len(changes), campaign.slug):
            try:
                template_apply(
                    campaign=campaign,
                    template=read.template,
                    actor=None,
                    seen=changes_digest(changes),
                )
            except Invalid as error:
                raise CommandError(f"{path}:1: {error.message}", returncode=2) from error
            self.stdout.write(f"{len(changes)} change{'s' * (len(changes) != 1)} made.")
        else:
            self.stdout.write("Nothing was changed; --yes makes the changes.")


def _lines(one: TemplateChange) -> list[str]:
    """The difference, as diff writes it."""
    lines = different_lines(one.before, one.after)
    return [f"{one.name}:", *(f"{line.mark} {line.text}".rstrip() for line in lines)]


def _confirmed(n: int, slug: str) -> bool:
    """Whether somebody at the terminal says yes; nobody is asked elsewhere."""
    if not sys.stdin.isatty():
        return False
    return input(f"Make these {n} changes in {slug}? [y/N] ").strip().lower() in ("y", "yes")
