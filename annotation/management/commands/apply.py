"""manage.py apply T.yaml CAMPAIGN"""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import CommandParser

from annotation.campaigns.templating.applying import template_apply
from annotation.campaigns.templating.changes import TemplateChange, changes_digest, template_changes
from annotation.errors import Invalid
from annotation.http.markdown import different_lines
from annotation.management.commands._files import template_or_exit
from annotation.management.site_command import SiteCommand


class Command(SiteCommand):
    help = "Show what a template would change in a campaign, and with --yes change it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the template")
        parser.add_argument("campaign", help="the campaign's short name (slug)")
        parser.add_argument("--yes", action="store_true", help="change it without asking")

    def work(self, options: dict[str, Any]) -> None:
        campaign = self.campaign(options["campaign"], writes=True)
        path = options["file"]
        read = template_or_exit(self, path)
        if read.template is None:  # It has exited.
            return
        changes = template_changes(campaign=campaign, template=read.template)
        for change in changes:
            self.stdout.write("\n".join(_lines(change)))
        refused = [change for change in changes if change.refused]
        if refused:
            self.refuse_lines(
                f"{path}:{read.line(change.path)}: {change.name}: {change.refused}; take the "
                "change out of the file"
                for change in refused
            )
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
                self.refuse(f"{path}:1: {error.message}")
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
