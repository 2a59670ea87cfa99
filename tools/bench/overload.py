"""Three times as many annotators as saturate a site: what is carried out, what is refused, what
is lost, and when it is over."""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from tests.live import Site, free_port
from tools.bench import clients, impatient
from tools.bench.impatient import Book, Person
from tools.bench.table import line, note

BUSY = 20  # clients without pause, which saturate
PACE = 2.0  # seconds a sheet; see impatient.PATIENCE
TIMES = 3  # the load that saturates
MOST = 1500
SHEETS = 16_000
CALM = 10  # annotators who judge a sheet a second when the load has gone
WELL = 0.5  # seconds; their saves take no longer once the site has recovered


@dataclass(frozen=True, slots=True)
class Overload:
    """What a site did. Rates are sheets a second; times are seconds."""

    best: float
    goodput: float
    p99: float
    recovery: float
    probes: float
    people: int
    refused: int
    gave_up: int
    lost: int
    wrong: list[Any]


def measure(database: str, seconds: int) -> None:
    for hosts in (1, 2):
        _measure(database, seconds, hosts)


def _measure(database: str, seconds: int, hosts: int) -> None:
    from tests.factories import item_rows

    site = Site(database=database, environment={"PARAANNO_SECRET_KEY": settings.SECRET_KEY})
    try:
        with site.database():
            everybody = clients.annotators_in(
                "overload", rows=item_rows(SHEETS, 1), clients=MOST + CALM
            )
        ports = [site.port, *(free_port() for _ in range(hosts - 1))]
        for number, port in enumerate(ports):
            site.start(f"web-{number}", port=port)
        name = "one web host" if hosts == 1 else f"{hosts} web hosts"
        note(f"{name}; load {os.getloadavg()[0]:.1f}")
        told = overload(site, everybody, ports, seconds / 3)
        line("the best, 20 clients without pause", told.best, "sheets/s")
        line(
            f"{told.people} people, {TIMES} times that load",
            told.goodput,
            "sheets/s",
            goal=round(0.8 * told.best, 1),
            more_is_better=True,
        )
        line("    p99 of a save that was carried out", told.p99, "s", goal=2)
        line("    longest answer of /healthz and /readyz", told.probes, "s", goal=2)
        line("after the load, until saves take under 0.5 s", told.recovery, "s", goal=10)
        note(
            f"{told.refused} refused, {told.gave_up} given up, {len(told.wrong)} wrong "
            f"{told.wrong[:1] or ''}; confirmed and not stored: {told.lost}; "
            f"load {os.getloadavg()[0]:.1f}"
        )
    finally:
        site.close()


def overload(
    site: Site, everybody: list[clients.Annotator], ports: list[int], seconds: float
) -> Overload:
    """Saturate the site, overload it for so long, and see it recover.

    `everybody` are clients without a sheet, of whom the last CALM come after the load.
    """
    book = Book()
    people = [Person(one, ports[at % len(ports)], book) for at, one in enumerate(everybody)]
    with site.database():
        hand_out(everybody)
    crowd, calm = people[:-CALM], people[-CALM:]
    slow: list[float] = []

    async def run() -> tuple[float, float, tuple[float, float], float]:
        begin, end = await impatient.crowd(crowd[:BUSY], seconds=seconds / 2, pace=0, hurry=0)
        best = book.goodput(begin + 1, end)
        number = min(len(crowd), round(TIMES * best * PACE))
        pace = number / (TIMES * best)  # Fewer people hurry more.
        probes = [
            asyncio.create_task(impatient.probe(port, path, time.monotonic() + seconds + 5, slow))
            for port in ports
            for path in ("/healthz", "/readyz")
        ]
        during = await impatient.crowd(crowd[:number], seconds=seconds, pace=pace, hurry=pace)
        after = await _recovered(calm, during[1])
        for one in people:
            one.leave()
        for one in probes:
            one.cancel()
        await asyncio.gather(*probes, return_exceptions=True)
        return best, number, during, after

    best, number, (begin, end), after = asyncio.run(run())
    settled = begin + min(5, (end - begin) / 4)
    return Overload(
        best=best,
        goodput=book.goodput(settled, end),
        p99=book.slowest(begin, end),
        recovery=after,
        probes=max(slow, default=0),
        people=int(number),
        refused=book.refused,
        gave_up=book.gave_up,
        lost=_lost(site, book),
        wrong=book.wrong,
    )


async def _recovered(calm: list[Person], gone: float, most: float = 60) -> float:
    """Let the calm ones judge; return the seconds until all of them were answered quickly."""
    while time.monotonic() < gone + most:
        began = time.monotonic()
        before = len(calm[0].book.confirmed)
        await asyncio.gather(*(one.turn(began + 10) for one in calm))
        took = time.monotonic() - began
        if took < WELL and len(calm[0].book.confirmed) > before:
            return began - gone
        await asyncio.sleep(max(0, 1 - took))
    return most


def hand_out(everybody: list[clients.Annotator]) -> None:
    """Give every client a sheet, past HTTP; call it with the site's database."""
    clients.hold_sheets("overload", [one for one in everybody if one.sheet is None], 1)
    for one in everybody:
        one.sheet = one.sheet or one.held.pop()


def _lost(site: Site, book: Book) -> int:
    """How many confirmed answers the database lacks, and how many it has twice."""
    from uuid import UUID

    with site.database():
        from annotation.models import Judgment, JudgmentVersion

        rows = JudgmentVersion.objects.filter(judgment__campaign__slug="overload")
        stored = set(rows.values_list("request_id", flat=True))
        twice = Judgment.objects.filter(campaign__slug="overload").count() - len(stored)
    return len({UUID(one) for one in book.confirmed} - stored) + abs(twice)
