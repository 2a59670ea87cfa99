"""How pages, calls, saves and reports grow: campaigns of 10^5, 10^6 ... judgments side by side.

Texts are imported and the campaign is opened as people do it; then slots, judgments, their versions
and events are written by a few statements, as if five annotators a text had judged all but 3,300
texts. 99 small campaigns stand beside. Its judgments are simulated.
"""

from __future__ import annotations

import http.client
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import connection
from django.urls import reverse

from tests.live import Site
from tools.bench import clients
from tools.bench.table import line, note, peak_memory

SIZES = [100_000, 1_000_000]
SCALES, ANNOTATORS_PER_SHEET, SYSTEMS = 2, 5, 3
PEOPLE = 200
# Texts that nobody has judged, so that clients do not run out of sheets.
FREE_TEXTS = 3_300
BESIDE = 99
TRIES = 5
# A page may take so many ms, whatever the size.
GOAL = 150


def measure(database: str, seconds: int) -> None:
    """`seconds` is how long the clients judge."""
    for judgments in SIZES:
        site = Site(database=database, environment={"PARAANNO_SECRET_KEY": settings.SECRET_KEY})
        try:
            with site.database():
                people = fill("large", judgments)
            _pages(site)
            _judging(site, people, seconds)
            with site.database():
                _work(judgments)
        finally:
            site.close()


# Filling.

# A number for each row that looks like chance and is the same in every run.
CHANCE = "(({seed} * 7919 + {seed} / 13 * 104729) % 1000)"


def fill(slug: str, judgments: int, beside: int = BESIDE) -> list[clients.Annotator]:
    """Make the campaign and the small ones; return clients who have a login and a sheet in hand.

    Call it with the site's database.
    """
    from tests.factories import item_rows, make_admin, make_annotator, make_campaign

    begin = time.perf_counter()
    make_admin()
    for number in range(beside):
        make_campaign(f"small-{number}", rows=item_rows(20, SYSTEMS), k=2, cast=False)
    judged = judgments // SCALES // ANNOTATORS_PER_SHEET
    # One sheet of so many stays free.
    step = judged // FREE_TEXTS + 1
    rows = _rows(judged * step // (step - 1))
    campaign = make_campaign(slug, rows=rows, k=ANNOTATORS_PER_SHEET, cast=False)
    people = [make_annotator(campaign, f"person{number}") for number in range(PEOPLE)]
    note(f"texts imported and opened in {time.perf_counter() - begin:.0f} s")
    begin = time.perf_counter()
    with connection.cursor() as cursor:
        for statement in _statements(campaign.pk, [one.pk for one in people], step):
            cursor.execute(statement)
        if connection.vendor == "postgresql":
            cursor.execute("VACUUM (ANALYZE)")
        else:
            cursor.execute("ANALYZE")
    note(f"{campaign.judgments.count()} judgments in {time.perf_counter() - begin:.0f} s")
    return [
        clients.Annotator(clients.session_of(one.user), str(one.key)) for one in people if one.user
    ]


def _rows(texts: int) -> list[dict[str, str]]:
    return [
        {
            "item": f"item-{number}",
            "phrase": f"phrase {number // 3}",
            "sentence": f"Sentence {number} of some length has phrase {number // 3} in the middle.",
            "paraphrase": f"paraphrase {number} by {system}",
            "system": f"S{system}",
            "reference": f"Reference {number} of the sentence.",
        }
        for number in range(texts // SYSTEMS)
        for system in range(SYSTEMS)
    ]


def _statements(campaign: int, people: list[int], step: int) -> Iterator[str]:
    """What makes all sheets but each `step`-th judged, over forty days."""
    postgres = connection.vendor == "postgresql"
    first, number = people[0], len(people)
    if people != list(range(first, first + number)):
        raise RuntimeError("The annotators' ids have gaps.")
    share = f"sheet_id % {step} <> 0 AND campaign_id = {campaign}"
    # Five neighbours of a circle for each sheet.
    who = f"{first} + (sheet_id * 7 + number) % {number}"
    uuid = "gen_random_uuid()" if postgres else "lower(hex(randomblob(16)))"
    when = (
        "now() - make_interval(secs => 86400.0 * {at})"
        if postgres
        else "strftime('%Y-%m-%d %H:%M:%f', 'now', (-86400.0 * {at}) || ' seconds')"
    ).format(at="((sheet_id * 31 + number * 17) % 40000) / 1000.0")
    yield f"""
        UPDATE annotation_slot SET state = 'done', annotator_id = {who},
               claimed_at = {when}, done_at = {when}
         WHERE {share}"""
    for kind in ("claimed", "done"):
        yield f"""
            INSERT INTO annotation_slotevent (slot_id, annotator_id, kind, at)
            SELECT id, annotator_id, '{kind}', done_at FROM annotation_slot WHERE {share}"""
    quality = CHANCE.format(seed="entry.substitution_id")
    noise = CHANCE.format(seed="(entry.substitution_id * 5 + slot.annotator_id + scale.id)")
    value = f"1 + ({quality} * 3 / 1000 + {noise} * 3 / 1000) % 5"
    yield f"""
        INSERT INTO annotation_judgment (campaign_id, annotator_id, substitution_id, scale_id,
               occasion, kind, value, reason, comment, status, version, slot_id, guideline_id,
               recorded_at, by_program)
        SELECT slot.campaign_id, slot.annotator_id, entry.substitution_id, scale.id,
               1, 'rating', {value}, '', '', 'counted', 1, slot.id,
               (SELECT max(id) FROM annotation_guideline WHERE campaign_id = {campaign}),
               slot.done_at, {"false" if postgres else 0}
          FROM annotation_slot slot
          JOIN annotation_sheetentry entry ON entry.sheet_id = slot.sheet_id
          JOIN annotation_scale scale ON scale.campaign_id = slot.campaign_id
         WHERE slot.state = 'done' AND slot.campaign_id = {campaign}
         ORDER BY slot.done_at, slot.id, entry.id, scale.id"""
    yield f"""
        INSERT INTO annotation_judgmentversion (judgment_id, version, value, reason, comment,
               status, guideline_id, request_id, recorded_at)
        SELECT id, 1, value, '', '', 'counted', guideline_id, {uuid}, recorded_at
          FROM annotation_judgment WHERE campaign_id = {campaign} ORDER BY id"""


# Pages and calls.


def _pages(site: Site) -> None:
    from django.contrib.auth.models import User

    with site.database():
        session = clients.session_of(User.objects.get(username="adam"))
    site.start("web")
    site.start("worker")
    for what, path in addresses().items():
        _page(site, session, path, what)


def addresses() -> dict[str, str]:
    """Pages and calls that are timed, by what they are called in the table."""
    from annotation.http.pages import TABS

    named = {name: reverse(name) for name in ("home", "campaign-list", "overview")}
    named["campaign"] = reverse("campaign", args=["large"])
    named |= {tab.name: reverse(tab.name, args=["large"]) for tab in TABS}
    base = "/api/v1/campaigns/large"
    named |= {f"API {name}": f"{base}/{name}" for name in ("annotators", "progress", "judgments")}

    return named


def _page(site: Site, session: str, path: str, what: str) -> None:
    """The median after a first visit; a line more where that took more than a second."""
    web = http.client.HTTPConnection("127.0.0.1", site.port, timeout=900)
    took, status, size = [], 0, 0
    for _ in range(TRIES + 1):
        begin = time.perf_counter()
        web.request("GET", path, headers={"Cookie": f"sessionid={session}"})
        answer = web.getresponse()
        size = len(answer.read())
        took.append((time.perf_counter() - begin) * 1000)
        status = answer.status
    web.close()
    line(what, statistics.median(took[1:]), "ms", goal=GOAL)
    if status != 200 or took[0] > 1000 or size > 300_000:
        note(f"status {status}, first {took[0]:.0f} ms, {size / 1000:.0f} kB")


# Judging.

MINUTE = 60.0


def _judging(site: Site, people: list[clients.Annotator], seconds: int) -> None:
    crowd = people[:16]
    for one in crowd:
        one.connect(site.port)
        one.claim("large")
    phase = clients.run(crowd, seconds / 4, clients.take_turn)
    line("16 clients: a sheet and the next one", phase.turns / phase.seconds, "turns/s")
    line("    p95", phase.p95, "ms")

    now = time.monotonic()
    asks_at = {id(one): now + MINUTE * at / len(crowd) for at, one in enumerate(crowd)}

    def with_progress(client: clients.Annotator, step: int) -> None:
        clients.take_turn(client, step)
        if time.monotonic() >= asks_at[id(client)]:
            asks_at[id(client)] += MINUTE
            client.ask("GET", f"campaigns/large/progress/own?annotator={client.annotator}", {})

    phase = clients.run(crowd, seconds / 4, with_progress)
    line(
        "    with its progress once a minute, as pages ask", phase.turns / phase.seconds, "turns/s"
    )
    line("    p95", phase.p95, "ms")
    for one in crowd:
        if one.wrong:
            note(f"wrong: {one.wrong[:1]}")
            break


# Workers' work.


@contextmanager
def _timed(what: str) -> Iterator[None]:
    begin, cpu = time.perf_counter(), time.process_time()
    yield
    line(what, time.perf_counter() - begin, "s")
    note(f"CPU {time.process_time() - cpu:.1f} s, at most {peak_memory():.0f} MB so far")


def _work(judgments: int) -> None:
    from annotation.board.figures import figures_make
    from annotation.models import Campaign
    from scoring.exports.paper import report_now

    campaign = Campaign.objects.get(slug="large")
    work: dict[str, Callable[[], Any]] = {
        "figures of the board": lambda: figures_make(campaign=campaign),
        "results": lambda: report_now(campaign, "results"),
        "agreement": lambda: report_now(campaign, "agreement"),
    }
    for what, do in work.items():
        with _timed(f"{what} of {judgments:,} judgments"):
            do()
