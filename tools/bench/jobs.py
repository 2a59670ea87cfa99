"""Work on files in a process of its own: `python -m tools.bench.jobs NAME ...`.

It prints a line of JSON for each round: seconds, CPU seconds, rows, and the greatest memory of the
process so far in MB. With `--during SECONDS` it says "ready" when it has loaded everything, and
then begins one round after the other until the time is over.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    import django

    django.setup()

# All that a round needs is loaded before it begins, as in a server.
from annotation.campaigns.services import campaign_open
from annotation.importing.items import items_import
from annotation.importing.judgments_write import judgments_import
from annotation.models import Campaign
from scoring.exports.services import export_write
from tests import HOME
from tests.factories import item_rows, make_campaign
from tests.live import Site
from tools.bench.table import peak_memory


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.bench.jobs", description=__doc__)
    parser.add_argument("name", choices=JOBS)
    parser.add_argument("campaign")
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--during", type=float)
    options = parser.parse_args()
    if options.during is None:
        print(json.dumps(_round(options.name, options.campaign, options.file)))
        return
    print("ready", flush=True)
    end = time.perf_counter() + options.during
    number = 0
    while time.perf_counter() < end:
        slug = options.campaign
        if options.name == "items":  # Importing again would change nothing.
            number += 1
            slug = f"{slug}-{os.getpid()}-{number}"
            _new_campaign(slug)
        print(json.dumps(_round(options.name, slug, options.file)), flush=True)


def _round(name: str, slug: str, path: Path | None) -> dict[str, float]:
    campaign = Campaign.objects.get(slug=slug)
    begin, cpu = time.perf_counter(), time.process_time()
    rows = JOBS[name](campaign, path)
    return {
        "seconds": time.perf_counter() - begin,
        "cpu": time.process_time() - cpu,
        "rows": rows,
        "memory": peak_memory(),
    }


def _new_campaign(slug: str) -> None:
    make_campaign(slug, rows=item_rows(1, 1), open_it=False, cast=False)


def _items(campaign: Campaign, path: Path) -> int:
    with path.open("rb") as stream:
        return items_import(campaign=campaign, stream=stream, name=path.name, actor=None).rows


def _judgments(campaign: Campaign, path: Path) -> int:
    with path.open("rb") as stream:
        return judgments_import(campaign=campaign, stream=stream, name=path.name, actor=None).rows


def _open(campaign: Campaign, _: Path) -> int:
    campaign_open(campaign=campaign, actor=None)
    return int(campaign.sheets.count())


def _export(campaign: Campaign, _: Path) -> int:
    """Items and judgments; together they hold what rivals put into one file."""
    with open(os.devnull, "wb") as out:
        return sum(
            export_write(campaign=campaign, what=what, stream=out, format="jsonl")
            for what in ("items", "judgments")
        )


JOBS: dict[str, Any] = {
    "items": _items,
    "judgments": _judgments,
    "open": _open,
    "export": _export,
}


def start(site: Site, *arguments: str) -> subprocess.Popen[str]:
    """Begin a job on the site's database."""
    environment = {**site.environment, "DJANGO_SETTINGS_MODULE": "paraanno.settings"}
    return subprocess.Popen(
        [sys.executable, "-m", "tools.bench.jobs", *arguments],
        cwd=HOME,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )


def run(site: Site, *arguments: str) -> dict[str, float]:
    """Do a job once."""
    with start(site, *arguments) as job:
        (answer,) = rounds(job)
    return answer


def rounds(job: subprocess.Popen[str]) -> Iterator[dict[str, float]]:
    """What a job measured; raises where it failed."""
    assert job.stdout is not None
    for answer in job.stdout:
        yield json.loads(answer)
    if job.wait():
        raise RuntimeError(f"a job of the bench failed: {job.args}")


if __name__ == "__main__":
    main()
