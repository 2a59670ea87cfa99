"""manage.py create_campaign SLUG"""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import CommandParser

from annotation.campaigns.scales import guideline_for, scales_of
from annotation.campaigns.services import campaign_create
from annotation.errors import Invalid
from annotation.management.commands._files import template_or_exit
from annotation.management.site_command import SiteCommand
from annotation.starters import LABELS, LANGUAGES
from paraanno.common.panel_links import ScaleTemplate


class Command(SiteCommand):
    help = "Make a campaign from a template; site administrators see it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the short name: letters, digits, - and _")
        parser.add_argument(
            "--template",
            default="phrase",
            metavar="NAME",
            help=f"{', '.join(LABELS)}, in the language of --language where there is one of "
            f"{', '.join(LANGUAGES)}; or one of the site's; phrase by default",
        )
        parser.add_argument("--from", dest="file", metavar="T.yaml", help="a template of your own")
        parser.add_argument("--annotators", type=int, metavar="K", help="on each sheet")
        parser.add_argument(
            "--scales",
            metavar="FILE",
            help="a JSON file with scales of your own, not the template's: a list of objects with "
            "name, question, level (nominal, ordinal, interval), minimum, maximum, step, "
            "higher_is_better, copy_at_top, threshold, required, points (value, label, anchor)",
        )
        parser.add_argument(
            "--language",
            default="",
            metavar="TAG",
            help="of the texts: en, ko, pt-BR (BCP 47); unknown by default",
        )
        parser.add_argument("--name", default="", help="the full name; the slug by default")
        parser.add_argument(
            "--no-metrics",
            action="store_true",
            help="do not run metrics that need no file after each import",
        )

    def work(self, options: dict[str, Any]) -> None:
        own: dict[str, Any] = {}
        slug = self.new_slug(options["slug"])
        if options["scales"] is not None:
            own["scales"] = self._scales(options["scales"])
            own["guideline"] = guideline_for(own["scales"])
        template = options["template"]
        if options["file"] is not None:
            template = template_or_exit(self, options["file"]).template
        campaign = campaign_create(
            actor=None,
            slug=slug,
            name=options["name"],
            template=template,
            language=options["language"],
            annotators_per_sheet=options["annotators"],
            run_metrics=not options["no_metrics"],
            **own,
        )
        self.stdout.write(f"Campaign {campaign.slug} made.")

    def _scales(self, path: str) -> list[ScaleTemplate]:
        """Read the scales of a JSON file; refusals name the file."""
        line = 1
        with self.reading(path) as stream:
            text = stream.read()
        try:
            return scales_of(json.loads(text.decode("utf-8-sig")))
        except json.JSONDecodeError as error:
            line, message = error.lineno, f"this is not JSON ({error.msg}): correct it"
        except (UnicodeDecodeError, RecursionError):
            message = "this is not JSON in UTF-8: save it so"
        except Invalid as error:
            message = str(error.message)
        self.refuse(f"{path}:{line}: {message}")
