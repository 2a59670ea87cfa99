"""Fifty annotators at once finish a campaign; and claiming out of 100,000 slots."""

from __future__ import annotations

import statistics
import threading
import time
from collections import Counter
from typing import Any

from tests.live import Site
from tools.bench.clients import Annotator, annotators_in
from tools.bench.table import line, note

ANNOTATORS, SHEETS, K = 50, 1000, 3
SLOTS = 100_000


def measure(database: str, seconds: int) -> None:
    """`seconds` has no say: the crowd works until everything is done."""
    site = make_site(database)
    try:
        with site.database():
            crowd = make_crowd("crowd")
        site.start("web")
        begin = time.perf_counter()
        finish(crowd, site.port, "crowd")
        took = time.perf_counter() - begin
        line(f"{ANNOTATORS} annotators, {SHEETS} sheets, k = {K}", took, "s")
        _percentiles(crowd)
        note(f"{sum(len(one.wrong) for one in crowd)} refused; {check(site, 'crowd', crowd)}")
        _claims(site)
    finally:
        site.close()


def make_site(database: str) -> Site:
    """Two web processes on PostgreSQL, one on SQLite."""
    from django.conf import settings

    environment = {"PARAANNO_SECRET_KEY": settings.SECRET_KEY}
    if database == "postgresql":
        environment["PARAANNO_WEB_PROCESSES"] = "2"
    return Site(database=database, environment=environment)


def make_crowd(slug: str, sheets: int = SHEETS, annotators: int = ANNOTATORS) -> list[Annotator]:
    """The campaign, opened, and its annotators; call it inside `site.database()`."""
    from tests.factories import item_rows

    return annotators_in(
        slug, rows=item_rows(sheets, 1), clients=annotators, annotators_per_sheet=K
    )


def finish(crowd: list[Annotator], port: int, slug: str) -> None:
    """Everybody claims, rates and submits, having the next sheet ready, until nothing is left."""

    def work(client: Annotator) -> None:
        client.connect(port)
        client.claim(slug)
        while client.sheet is not None:
            here = client.sheet["key"]
            ahead = client.ahead(slug)
            for path in client.paths():
                client.save(path)
            client.submit(here)
            client.sheet = ahead
            if client.sheet is None:
                client.claim(slug)
        client.connection.close()

    threads = [threading.Thread(target=work, args=(client,)) for client in crowd]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def check(site: Site, slug: str, crowd: list[Annotator]) -> dict[str, Any]:
    """What the database says: annotators per sheet, answers told and stored, broken rules."""
    from annotation.models import Campaign, Judgment, Slot
    from annotation.verify import verify

    with site.database():
        campaign = Campaign.objects.get(slug=slug)
        done = Slot.objects.filter(campaign=campaign, state=Slot.State.DONE)
        per_sheet = Counter(done.values_list("sheet", flat=True))
        counted = Judgment.objects.filter(campaign=campaign, status=Judgment.Status.COUNTED)
        return {
            "sheets by annotators": dict(Counter(per_sheet.values())),
            "told as saved": sum(client.told for client in crowd),
            "counted": counted.count(),
            "broken rules": [str(one) for one in verify(campaign=campaign)],
        }


def _percentiles(crowd: list[Annotator]) -> None:
    for kind, name in (("claim", "next sheet"), ("judgments", "save"), ("state", "submit")):
        times = [took for client in crowd for path, took in client.log if kind in path]
        line(f"    {name}, p95", statistics.quantiles(times, n=100)[94] * 1000, "ms")


def _claims(site: Site) -> None:
    """Claims one after the other: the cost of finding a slot, not of a crowd."""
    from tests.factories import item_rows

    begin = time.perf_counter()
    with site.database():
        [client] = annotators_in("large", rows=item_rows(SLOTS, 1), clients=1)
    note(f"{SLOTS:,} sheets imported and opened in {time.perf_counter() - begin:.0f} s")
    client.connect(site.port)
    for _ in range(300):
        client.claim("large")
        assert client.sheet is not None
        for path in client.paths():
            client.save(path)
        client.submit(client.sheet["key"])
    times = [took for path, took in client.log if "claim" in path]
    p95 = statistics.quantiles(times, n=100)[94] * 1000
    line(f"claim of {SLOTS:,} slots, {len(times)} times, p95", p95, "ms")
