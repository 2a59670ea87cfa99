"""manage.py jobs [--json] [--campaign SLUG] [--status STATUS]"""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from paraanno.jobs.row import JobStatus
from scoring.work.jobs import all_job_lines
from scoring.work.views import JobOut
from scoring.work.workers import paused_kinds


class Command(BaseCommand):
    help = (
        "List the jobs of the site: what waits and runs, the oldest first, then what ended in the "
        "last week."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--campaign", default="", metavar="SLUG", help="of this one alone")
        parser.add_argument("--status", choices=JobStatus.values, default="")
        parser.add_argument("--json", action="store_true", help="print {paused, jobs} as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        lines = [
            line
            for line in all_job_lines()
            if options["status"] in ("", line.status)
            and options["campaign"] in ("", line.campaign and line.campaign.slug)
        ]
        if options["json"]:
            rows = JobOut(lines, many=True).data
            payload = {"paused": sorted(paused_kinds()), "jobs": rows}
            self.stdout.write(json.dumps(payload, ensure_ascii=False))
            return
        for line in lines:
            slug = line.campaign.slug if line.campaign else "-"
            done = "" if line.share is None else f" {line.percent} %"
            error = f": {line.row.error}" if line.row.error else ""
            self.stdout.write(
                f"{line.status}{done}\t{line.kind}\t{line.name}\t{slug}\t{line.who or '-'}\t"
                f"attempt {line.row.attempts}{error}"
            )
