"""What a poll of the board costs at 100,000 places: statements, milliseconds, and what is sent."""

from __future__ import annotations

import http.client
import statistics
import time

from django.conf import settings
from django.urls import reverse

from tests.live import Site
from tools.bench.clients import session_of
from tools.bench.table import line, note

SHEETS, K, PEOPLE, DAYS = 33_334, 3, 60, 12
TRIES = 15
# The rows are made by the databases themselves: (a new key, a time so many seconds ago).
WORDS = {
    "sqlite": (
        "lower(hex(randomblob(16)))",
        "strftime('%%Y-%%m-%%d %%H:%%M:%%f000', 'now', '-' || ({ago}) || ' seconds')",
    ),
    "postgresql": ("gen_random_uuid()", "now() - ({ago}) * interval '1 second'"),
}


def measure(database: str, seconds: int) -> None:
    """`seconds` has no say. Two thirds of the places are done, by 60 people in 12 days."""
    from tests.factories import make_admin

    site = Site(database=database, environment={"PARAANNO_SECRET_KEY": settings.SECRET_KEY})
    try:
        with site.database():
            session = session_of(make_admin())
            begin = time.perf_counter()
            places = _judged(database)
            note(f"{places} places made in {time.perf_counter() - begin:.0f} s")
            line("statements of a poll", _statements(session), "", goal=14)
        site.start("web")
        _timed(site, session)
    finally:
        site.close()


def _judged(database: str) -> int:
    """A campaign with as many rows that a poll reads as if people had judged it."""
    from django.db import connection

    from annotation.models import Annotator, BoardFigures, Scale, Slot, Substitution
    from paraanno import clock
    from tests.factories import item_rows, make_campaign

    campaign = make_campaign("board", rows=item_rows(1, 1), k=1, cast=False)
    Annotator.objects.bulk_create(
        Annotator(campaign=campaign, code=f"p-{n}") for n in range(PEOPLE)
    )
    first = Annotator.objects.filter(campaign=campaign).order_by("pk").values_list("pk")[0][0]
    BoardFigures.objects.create(campaign=campaign, made_at=clock.now())
    key, ago = WORDS[database]
    # From 12 days ago until now, in the order of the sheets.
    at = ago.format(ago=f"({SHEETS} - sheet.number) * {DAYS * 86400 / SHEETS:.3f}")
    mine = {
        "campaign": campaign.pk,
        "item": campaign.items.values_list("pk")[0][0],
        "text": Substitution.objects.values_list("pk")[0][0],
        "scale": Scale.objects.filter(campaign=campaign).values_list("pk")[0][0],
    }
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO annotation_sheet (campaign_id, item_id, key, number, occasion,"
            " not_before_done, shared, slots_wanted, created_at)"
            f" WITH RECURSIVE n(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n < {SHEETS})"
            f" SELECT %(campaign)s, %(item)s, {key}, n, 1, 0, {_no(database)}, {K},"
            f" {ago.format(ago='0')} FROM n",
            mine,
        )
        for number in range(1, K + 1):
            done = number < K
            who = f"{first} + (sheet.number + {number * 7}) %% {PEOPLE}"
            cells = f"'done', {who}, {at}, {at}" if done else "'free', NULL, NULL, NULL"
            cursor.execute(
                "INSERT INTO annotation_slot (campaign_id, sheet_id, key, number, tier, scan_key,"
                " state, annotator_id, claimed_at, done_at)"
                f" SELECT campaign_id, id, {key}, {number}, 0, id, {cells}"
                " FROM annotation_sheet AS sheet WHERE campaign_id = %(campaign)s AND number > 1",
                mine,
            )
        cursor.execute(
            "INSERT INTO annotation_judgment (campaign_id, annotator_id, substitution_id, scale_id,"
            " occasion, kind, value, reason, comment, status, version, slot_id, recorded_at)"
            " SELECT campaign_id, annotator_id, %(text)s, %(scale)s,"
            " row_number() OVER (PARTITION BY annotator_id ORDER BY id),"
            " 'rating', 4, '', '', 'counted', 1, id, done_at FROM annotation_slot"
            " WHERE campaign_id = %(campaign)s AND state = 'done'",
            mine,
        )
        cursor.execute("ANALYZE")
    return Slot.objects.filter(campaign=campaign).count()


def _no(database: str) -> str:
    return "false" if database == "postgresql" else "0"


def _statements(session: str) -> int:
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client(SERVER_NAME="localhost", headers={"cookie": f"sessionid={session}"})
    with CaptureQueriesContext(connection) as found:
        answer = client.get(reverse("board-live", args=["board"]))
    assert answer.status_code == 200, answer.status_code
    return len(found)


def _timed(site: Site, session: str) -> None:
    """Of a poll that shows something new, and of one that shows what the browser has."""
    path, tag = reverse("board-live", args=["board"]), ""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=600)
    for what, kept in (("a poll with news", False), ("a poll without news (304)", True)):
        took, sizes = [], []
        for _ in range(TRIES + 1):
            headers = {"Cookie": f"sessionid={session}"} | ({"If-None-Match": tag} if kept else {})
            begin = time.perf_counter()
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            sizes.append(len(answer.read()))
            took.append(1000 * (time.perf_counter() - begin))
            tag = str(answer.getheader("ETag"))
        line(what, statistics.median(took[1:]), "ms", goal=100)
        note(f"{statistics.median(sizes[1:]):.0f} bytes")
    connection.close()
