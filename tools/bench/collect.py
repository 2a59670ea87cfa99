"""Judging: calm annotators, clients without pause, items and turns, and all of it during files.

What is counted is items: answered on both scales and handed in, however many requests a tool's own
page makes of that (here one).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import psutil

from tests.live import Site
from tools.bench import clients, files, jobs, table
from tools.bench.clients import Annotator, Phase, annotators_in
from tools.bench.table import line, note

CLIENTS = 20
SHEETS = 12_000  # more than anybody rates here: no client may run dry
HELD = 80  # sheets that every client has claimed when items are counted
# Items judged per second, p95 in ms, and items with the next one per second.
DOCCANO = {"sqlite": (63, 415, 32), "postgresql": (71, 328, 34)}
LABEL_STUDIO = {"sqlite": (9, 4241, 6.7), "postgresql": (23, 1130, 12.7)}


def measure(database: str, seconds: int) -> None:
    Collection(database).measure(seconds)


class Collection:
    """A site with two campaigns: in one values are changed, in the other sheets are rated."""

    def __init__(self, database: str) -> None:
        from django.conf import settings

        self.database = database
        # The same key as here, so that the server takes the sessions that are made here.
        environment = {"PARAANNO_SECRET_KEY": settings.SECRET_KEY}
        if database == "postgresql":
            environment["PARAANNO_WEB_PROCESSES"] = "2"
        self.site = Site(database=database, environment=environment)

    def measure(self, seconds: int) -> None:
        try:
            self._prepare()
            self._items("(a)", seconds)
            self._calm("(a)", seconds)
            self._hasty("(b)", seconds / 3)
            items = str(self.site.data_dir / "small.jsonl")
            with self._meanwhile("items", "target", items, seconds=seconds):
                self._calm("(c) in imports:", seconds / 2)
                self._hasty("(c) in imports:", seconds / 4)
            with self._meanwhile("export", "big", seconds=seconds):
                self._calm("(c) in exports:", seconds / 2)
                self._hasty("(c) in exports:", seconds / 4)
            self._check()
        finally:
            self.site.close()

    def _prepare(self) -> None:
        from tests.factories import item_rows, make_campaign

        rows = item_rows(files.ITEMS, 1)
        folder = self.site.data_dir
        files.write_json_lines(folder / "small.jsonl", rows)
        files.write_json_lines(folder / "judgments.jsonl", files.judgment_rows(rows))
        with self.site.database():
            self.saving = annotators_in("saves", rows=item_rows(CLIENTS, 30), clients=CLIENTS)
            self.turning = annotators_in("turns", rows=item_rows(SHEETS, 1), clients=CLIENTS)
            rows_held = item_rows(CLIENTS * HELD, 1)
            self.judging = annotators_in("items", rows=rows_held, clients=CLIENTS)
            clients.hold_sheets("items", self.judging, HELD)
            make_campaign("big", rows=rows, open_it=False, cast=False)
        jobs.run(self.site, "judgments", "big", str(folder / "judgments.jsonl"))
        self.site.start("web")
        for client in self.saving + self.turning + self.judging:
            client.connect(self.site.port)
        for client in self.saving:
            client.claim("saves")
            client.versions = dict.fromkeys(client.paths(), 0)
        for client in self.turning:
            client.claim("turns")

    def _items(self, name: str, seconds: float) -> None:
        theirs, others = DOCCANO[self.database], LABEL_STUDIO[self.database]
        phase = self._run(self.judging, 10 * seconds, clients.judge_held)
        table.KEPT["items", self.database] = phase.turns / phase.seconds
        line(
            f"{name} {CLIENTS} clients without pause",
            phase.turns / phase.seconds,
            "items/s",
            goal=330,
            more_is_better=True,
            rivals=f"Potato 121 to 212, doccano {theirs[0]}, Label Studio {others[0]}",
        )
        line(
            "    p95",
            phase.p95,
            "ms",
            goal=90,
            rivals=f"Potato 115 to 202, doccano {theirs[1]}, Label Studio {others[1]}",
        )

    def _calm(self, name: str, seconds: float) -> None:
        phase = self._run(self.turning, seconds, clients.turn_calmly)
        goal = {"sqlite": 10, "postgresql": 13}[self.database] if name == "(a)" else None
        what = f"{name} {CLIENTS} annotators at an item a second, with the next"
        line(f"{what}, p50", phase.p50, "ms")
        line("    p95", phase.p95, "ms", goal=goal)
        line("    p99", phase.p99, "ms")
        phase = self._run(self.saving, seconds, clients.save_calmly)
        line(f"{name} {CLIENTS} annotators at a single save a second, p95", phase.p95, "ms")

    def _hasty(self, name: str, seconds: float) -> None:
        theirs, others = DOCCANO[self.database], LABEL_STUDIO[self.database]
        phase = self._run(self.turning, seconds, clients.take_turn)
        table.KEPT.setdefault(("turns", self.database), phase.turns / phase.seconds)
        line(
            f"{name} {CLIENTS} clients: item and the next one",
            phase.turns / phase.seconds,
            "turns/s",
            goal=160,
            more_is_better=True,
            rivals=f"doccano {theirs[2]}, Potato 25, Label Studio {others[2]}",
        )
        line("    p95", phase.p95, "ms", goal=150)
        phase = self._run(self.saving, seconds, clients.save_next)
        line(f"{name} {CLIENTS} clients, single saves", phase.requests / phase.seconds, "saves/s")
        line("    p95", phase.p95, "ms")

    def _run(
        self, group: list[Annotator], seconds: float, act: Callable[[Annotator, int], None]
    ) -> Phase:
        server, database = self._server_cpu(), self._database_cpu()
        phase = clients.run(group, seconds, act)
        each = 1000 / phase.requests
        refused = f"{len(phase.wrong)} refused" + (
            f", first {phase.wrong[0]}" if phase.wrong else ""
        )
        note(
            f"{phase.requests} requests, {refused}; CPU ms per request: server "
            f"{(self._server_cpu() - server) * each:.1f}, database "
            f"{(self._database_cpu() - database) * each:.1f}, client "
            f"{phase.client_cpu * each:.1f}; load {os.getloadavg()[0]:.1f}"
        )
        return phase

    def _server_cpu(self) -> float:
        web = psutil.Process(self.site.processes["web"].pid)
        return sum(_cpu(process) for process in [web, *web.children()])

    def _database_cpu(self) -> float:
        """Of PostgreSQL's processes for this database; SQLite's work is the server's."""
        if self.database == "sqlite":
            return 0.0
        from django.db import connection

        name = urlsplit(self.site.environment["DATABASE_URL"]).path[1:]
        with self.site.database(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pid FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()",
                [name],
            )
            return sum(_cpu(psutil.Process(pid)) for (pid,) in cursor.fetchall())

    @contextlib.contextmanager
    def _meanwhile(self, *arguments: str, seconds: float) -> Iterator[None]:
        """Another process does this job over and over."""
        with jobs.start(self.site, *arguments, "--during", str(seconds)) as job:
            assert job.stdout is not None
            job.stdout.readline()  # it is ready
            yield
            took = [answer["seconds"] for answer in jobs.rounds(job)]
        note(f"meanwhile {len(took)} times {arguments[0]}, {sum(took) / len(took):.1f} s each")

    def _check(self) -> None:
        """Nothing lost, nothing doubled."""
        with self.site.database():
            from annotation.models import Campaign, JudgmentVersion
            from annotation.verify import verify

            groups = {"saves": self.saving, "turns": self.turning, "items": self.judging}
            for slug, group in groups.items():
                campaign = Campaign.objects.get(slug=slug)
                stored = JudgmentVersion.objects.filter(judgment__campaign=campaign).count()
                told = sum(client.told for client in group)
                note(
                    f"campaign {slug}: {told} told as saved, {stored} stored; "
                    f"verify: {verify(campaign=campaign) or 'clean'}"
                )


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)
