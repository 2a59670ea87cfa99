"""manage.py results CAMPAIGN"""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.models import Campaign
from scoring.selectors.outcomes import results_for


class Command(BaseCommand):
    help = "The results of every system: distributions and pass shares, as in the 2008 guide."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name (slug)")
        parser.add_argument("--unit", default="judgment", choices=["judgment", "gold"])
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = Campaign.objects.filter(slug=options["campaign"]).first()
        if campaign is None:
            raise CommandError(f"There is no campaign {options['campaign']!r}.", returncode=2)
        found = results_for(campaign=campaign, unit=options["unit"])
        if options["json"]:
            self.stdout.write(json.dumps(found, ensure_ascii=False))
            return
        for line in lines(found):
            self.stdout.write(line)


def lines(found: dict[str, Any]) -> list[str]:
    """The table of the guide as text."""
    systems = found["systems"]
    width = max([8, *(len(label) + 2 for label in systems)])
    head = " " * 10 + "".join(label.rjust(width) for label in systems)
    text = []
    scales = list(next(iter(systems.values()))["scales"]) if systems else []
    for scale in scales:
        text += ["", scale, head]
        values = {v for one in systems.values() for v in one["scales"][scale]["distribution"]}
        for value in sorted(values, key=float, reverse=True):
            cells = (one["scales"][scale]["distribution"].get(value) for one in systems.values())
            text.append(value.ljust(10) + "".join(_share(cell).rjust(width) for cell in cells))
    limits = ", ".join(f"{scale} {value:g}" for scale, value in found["thresholds"].items())
    text += ["", f"PASSED ({limits})" if limits else "NO THRESHOLD", head]
    for scale in found["thresholds"]:
        cells = (one["scales"][scale]["pass"] for one in systems.values())
        text.append(scale[:9].ljust(10) + "".join(_share(cell).rjust(width) for cell in cells))
    for name, key in (("ALL", "pass_all"), ("COVERAGE", "coverage")):
        cells = (one[key] for one in systems.values())
        text.append(name.ljust(10) + "".join(_share(cell).rjust(width) for cell in cells))
    text.append("N".ljust(10) + "".join(str(one["n"]).rjust(width) for one in systems.values()))
    text += [
        "",
        f"{found['phrases']} phrases ({found['phrases_excluded']} excluded), {found['contexts']} "
        f"contexts, {found['judgments']} judgments; unit: {found['unit']}.",
    ]
    return text


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
