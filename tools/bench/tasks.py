"""Saves of annotators, alone and while 200 read the board of a task and 20 teams upload."""

from __future__ import annotations

import json
import subprocess
import sys

from tests import HOME
from tests.live import Site
from tools.bench import clients
from tools.bench.clients import annotators_in, session_of
from tools.bench.table import line, note

ANNOTATORS, READERS, TEAMS = 20, 200, 20
# Seconds between two requests of one reader, and of one team: people who come back to a board, and
# the last minutes before closing, when everybody reloads.
PACES = {"calm": (20, 30), "last minutes": (5, 10)}
ORIGINALS = 200  # Of the task: four texts each, 1,200 pairs.


def measure(database: str, seconds: int) -> None:
    from django.conf import settings

    environment = {"PARAANNO_SECRET_KEY": settings.SECRET_KEY}
    if database == "postgresql":
        environment["PARAANNO_WEB_PROCESSES"] = "2"
    site = Site(database=database, environment=environment)
    try:
        judging = _prepare(site)
        site.start("web")
        site.start("worker")
        for client in judging:
            client.connect(site.port)
            client.claim("saves")
            client.versions = dict.fromkeys(client.paths(), 0)
        clients.run(judging, 3, clients.save_calmly)  # warm
        alone = clients.run(judging, seconds, clients.save_calmly)
        line(f"{ANNOTATORS} annotators at a save a second, alone, p95", alone.p95, "ms")
        for pace in PACES:
            _beside(site, judging, seconds, pace, alone)
        again = clients.run(judging, seconds, clients.save_calmly)
        line("    and alone again, p95", again.p95, "ms")
        with site.database():
            from annotation.models import Campaign
            from annotation.verify import verify

            for slug in ("saves", "judged"):
                broken = verify(campaign=Campaign.objects.get(slug=slug))
                note(f"verify {slug}: {broken or 'clean'}")
    finally:
        site.close()


def _prepare(site: Site) -> list[clients.Annotator]:
    from scoring.shared_tasks.models import SharedTask
    from tests.factories import item_rows, make_user
    from tests.scoring.shared_tasks.made import (
        choices_file,
        make_judged_campaign,
        make_task,
        make_team,
    )

    with site.database():
        judging = annotators_in("saves", rows=item_rows(ANNOTATORS, 30), clients=ANNOTATORS)
        task = make_task(campaign=make_judged_campaign("judged", ORIGINALS), per_day=1000)
        for number in range(TEAMS):
            make_team(task, f"team {number}", f"member{number}")
        about = {
            "readers": [session_of(make_user(f"reader{n}")) for n in range(READERS)],
            "teams": [session_of(make_user(f"member{n}")) for n in range(TEAMS)],
            "board": "/tasks/game/board/?track=metrics",
            "upload": "/tasks/game/submissions/",
            "answers": choices_file(SharedTask.objects.get()).decode(),
        }
    (site.data_dir / "visitors.json").write_text(json.dumps(about))
    return judging


def _beside(
    site: Site, judging: list[clients.Annotator], seconds: int, pace: str, alone: clients.Phase
) -> None:
    """Save while others read and upload, and tell what both met."""
    reads, sends = PACES[pace]
    load = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "tools.bench.readers",
            str(site.port),
            str(seconds + 5),
            str(site.data_dir / "visitors.json"),
            str(reads),
            str(sends),
        ],
        cwd=HOME,
        stdout=subprocess.PIPE,
        text=True,
    )
    during = clients.run(judging, seconds, clients.save_calmly)
    told = load.communicate()[0]
    line(
        f"    {READERS} read every {reads} s, {TEAMS} teams upload every {sends}, p95",
        during.p95,
        "ms",
        goal=1.5 * alone.p95,
    )
    note(f"{pace}: p50 {during.p50:.1f}, alone {alone.p50:.1f} ms; refused {len(during.wrong)}")
    note(told.strip())
