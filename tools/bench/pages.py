"""How long a researcher waits for each page, at 30,000 judgments and at a million."""

from __future__ import annotations

import http.client
import statistics
import time

from django.conf import settings
from django.db import connection
from django.urls import reverse

from tests.live import Site
from tools.bench import files, jobs
from tools.bench.clients import session_of
from tools.bench.table import line, note

# Originals, systems (of four, three paraphrases differ) and the goal in ms; three annotators.
SIZES = {"small": (10_000, 1, 40), "large": (112_000, 4, 150)}
TRIES = 5
SITE_PAGES = ("home", "campaign-list", "resources", "overview")


def measure(database: str, seconds: int) -> None:
    """`seconds` has no say. A worker makes what pages leave to it before they are timed. The site's
    own pages are timed with the small campaign alone, and with both."""
    from tests.factories import make_admin

    site = Site(database=database, environment={"PARAANNO_SECRET_KEY": settings.SECRET_KEY})
    try:
        with site.database():
            session = session_of(make_admin())
        site.start("web")
        site.start("worker")
        for slug, (originals, each, goal) in SIZES.items():
            _campaign(site, slug, originals, each)
            for name in SITE_PAGES:
                _page(site, session, reverse(name), f"{slug}: {name}", goal)
            for name in _campaign_pages():
                _page(site, session, reverse(name, args=[slug]), f"{slug}: {name}", goal)
    finally:
        site.close()


def _campaign(site: Site, slug: str, originals: int, each: int) -> None:
    from tests.factories import item_rows, make_campaign

    begin = time.perf_counter()
    rows = item_rows(originals, each)
    path = site.data_dir / f"{slug}.csv"
    judged = files.judgment_rows(rows)
    files.write_table(path, judged)
    with site.database():
        make_campaign(slug, rows=rows, open_it=False, cast=False)
    jobs.run(site, "judgments", slug, str(path))
    jobs.run(site, "open", slug)
    if site.environment.get("DATABASE_URL"):
        # What autovacuum does within a minute, and does not where it is switched off.
        with site.database(), connection.cursor() as cursor:
            cursor.execute("VACUUM (ANALYZE)")
    note(
        f"{slug}: {len(judged)} judgments imported and opened in "
        f"{time.perf_counter() - begin:.0f} s"
    )


def _campaign_pages() -> list[str]:
    import paraanno.urls  # noqa: F401  # Pages register with their addresses.
    from annotation.http.pages import TABS

    return ["campaign", *(tab.name for tab in TABS)]


def _page(site: Site, session: str, path: str, what: str, goal: float) -> None:
    """The median after a first visit, which is told where it took more than a second."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=600)
    took = []
    for _ in range(TRIES + 1):
        begin = time.perf_counter()
        connection.request("GET", path, headers={"Cookie": f"sessionid={session}"})
        answer = connection.getresponse()
        answer.read()
        took.append(1000 * (time.perf_counter() - begin))
        if answer.status != 200:
            note(f"{what}: answered {answer.status}")
            return
    connection.close()
    line(what, statistics.median(took[1:]), "ms", goal=goal)
    if took[0] > 1000:
        note(f"the first visit took {took[0] / 1000:.1f} s")
