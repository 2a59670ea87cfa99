"""One soak: its plan, its threads, and what came out."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from dataclasses import dataclass

from tools.soak import faults, parts
from tools.soak.book import LONGEST, Book
from tools.soak.judges import FormJudge, Judge
from tools.soak.people import Login, Researcher
from tools.soak.reader import Findings, read
from tools.soak.site import SoakSite

K = 2
SETTLE = 180.0  # Seconds in which workers finish what is left.
WARM = 300.0  # Seconds of a process that its memory is not judged by: caches fill meanwhile.


@dataclass(frozen=True, slots=True)
class Plan:
    """Times in seconds: of the whole, of an item, from fault to fault, of a fault. Three in ten
    annotators have two devices, or no scripts."""

    seconds: float
    annotators: int
    pace: float
    every: float
    fault: float
    database: str = "postgresql"


@dataclass
class Result:
    """What came out. `findings`: of the reader with plain SQL; `broken`: of `verify`."""

    book: Book
    site_notes: list[str]
    judges: list[Judge | FormJudge]
    researcher: Researcher
    findings: Findings
    broken: list[str]
    unfinished: list[str]
    slopes: dict[str, float | None]

    @property
    def well(self) -> bool:
        return not (
            self.findings.lost
            or self.findings.wrong
            or self.broken
            or self.unfinished
            or self.book.slow()
            or self.book.refused
        )

    def lines(self) -> list[str]:
        book, slow = self.book, self.book.slow()
        ends = Counter(one.status or "no answer" for one in book.requests)
        return [
            *self.site_notes,
            f"requests {len(book.requests)}, by status "
            + ", ".join(f"{status}: {n}" for status, n in sorted(ends.items(), key=str)),
            f"items judged {sum(one.turns for one in self.judges)}; rounds of the researcher "
            f"{self.researcher.done}; ordered of workers {len(book.ordered)}, "
            f"unfinished {len(self.unfinished)}",
            f"faults {len(book.faults)}: "
            + ", ".join(
                f"{n} x {name}" for name, n in Counter(f.name for f in book.faults).items()
            ),
            f"acknowledged {len(book.acknowledged)}, stored {self.findings.stored}, "
            f"lost {len(self.findings.lost)}, wrong {len(self.findings.wrong)}"
            + "".join(f"\n    {one}" for one in self.findings.wrong[:10]),
            f"saves while a clock was ahead {book.saves_while_ahead()}, "
            f"answers stored with its time {self.findings.ahead}",
            f"refused {len(book.refused)}" + "".join(f"\n    {one}" for one in book.refused[:5]),
            f"verify: {'; '.join(self.broken) or 'clean'}",
            f"worst pause of everybody {book.worst_pause():.1f} s",
            f"requests above {LONGEST:g} s that no fault explains: {len(slow)}"
            + "".join(f"\n    {one.what} at {one.host}: {one.took:.1f} s" for one in slow[:10]),
            "memory, MB an hour while a process lived: "
            + ", ".join(
                f"{name} {'?' if slope is None else f'{slope:+.0f}'}"
                for name, slope in self.slopes.items()
            ),
            *(f"unfinished: {one}" for one in self.unfinished[:5]),
        ]


def run(plan: Plan) -> Result:
    site = SoakSite(plan.database)
    try:
        return _run(site, plan)
    finally:
        site.close()


def _run(site: SoakSite, plan: Plan) -> Result:
    book, end = Book(), threading.Event()
    judges, researcher = _people(site, plan, book, end)
    _, missing = faults.possible(site)
    notes = [
        f"{plan.database}, {len(site.hosts.all)} hosts, "
        f"{'apart' if site.hosts.apart else 'on one address'}; "
        f"{plan.annotators} annotators, {plan.pace:g} s an item; load {os.getloadavg()[0]:.1f}",
        *(f"not caused: {one}" for one in missing),
    ]
    threads = [
        threading.Thread(target=work, daemon=True)
        for work in (
            *(one.work for one in judges),
            researcher.work,
            lambda: _weigh(site, book, end),
        )
    ]
    causing = threading.Thread(
        target=faults.keep_causing,
        args=(site, book, end),
        kwargs={"every": plan.every, "seconds": plan.fault},
        daemon=True,
    )
    for thread in (*threads, causing):
        thread.start()
    time.sleep(plan.seconds)
    end.set()
    causing.join()  # The last fault is over and its part is well.
    for thread in threads:
        thread.join(timeout=120)
    return _settled(site, book, notes, judges, researcher)


def _people(
    site: SoakSite, plan: Plan, book: Book, end: threading.Event
) -> tuple[list[Judge | FormJudge], Researcher]:
    """The campaign that is judged, another one that the researcher works on, and logins."""
    from tests.factories import item_rows, make_annotator, make_campaign, make_user
    from tools.bench.clients import session_of

    with site.database():
        sheets = int(2 * plan.annotators * plan.seconds / plan.pace / K) + 2 * plan.annotators
        campaign = make_campaign("soak", rows=item_rows(sheets, 1), k=K, cast=False)
        crowd = [make_annotator(campaign, f"client{n}") for n in range(plan.annotators)]
        # A session for each device; the third and fourth of ten have two.
        sessions = [
            [session_of(one.user) for _ in range(2 if n % 10 in (2, 3) else 1)]
            for n, one in enumerate(crowd)
            if one.user is not None
        ]
        make_campaign("beside", items=300, systems=2, cast=False)
        owner = session_of(make_user("alice"))
    names = [host.name for host in site.hosts.all]

    def login(session: str, number: int) -> Login:
        return Login(session, site.urls, names[number % len(names)], book, end)

    judges: list[Judge | FormJudge] = []
    for n, (one, own) in enumerate(zip(crowd, sessions, strict=True)):
        if n % 10 == 1:
            judges.append(FormJudge(login(own[0], n), str(one.key), "soak", plan.pace))
            continue
        for device, session in enumerate(own):
            judge = Judge(login(session, n + device), str(one.key), "soak", plan.pace)
            judge.shared = len(own) > 1
            judges.append(judge)
    return judges, Researcher(login(owner, 0), "beside", rows=20, pause=min(10.0, plan.every / 5))


def _weigh(site: SoakSite, book: Book, end: threading.Event) -> None:
    """Note the memory of every web server and worker, a point every five seconds of each life."""
    begin = time.monotonic()
    while not end.wait(5):
        for part in (*site.web.values(), *site.workers.values()):
            if weight := part.memory():
                points = book.memory.setdefault((part.name, part.starts), [])
                points.append((time.monotonic() - begin, weight))


def _settled(
    site: SoakSite,
    book: Book,
    notes: list[str],
    judges: list[Judge | FormJudge],
    researcher: Researcher,
) -> Result:
    """What the database says, once the workers have finished."""
    from annotation.models import Campaign
    from annotation.verify import verify
    from scoring.models import ExportFile, Run

    def left() -> list[str]:
        wanted = {address.rpartition("/")[2]: kind for kind, address in book.ordered}
        done = {
            *map(str, Run.objects.filter(status=Run.Status.DONE).values_list("key", flat=True)),
            *map(
                str,
                ExportFile.objects.filter(status=ExportFile.Status.DONE).values_list(
                    "key", flat=True
                ),
            ),
        }
        return [f"{kind} {key}" for key, kind in wanted.items() if key not in done]

    with site.database():
        try:
            parts.until(lambda: not left(), "the workers finish", seconds=SETTLE)
        except RuntimeError:
            notes.append("the workers did not finish in time")
        found = read(site.database_url, book.acknowledged)
        if found.ahead and not site.on_sqlite:
            found.wrong.append(f"{found.ahead} versions have the time of a host, not the server's")
        slopes = {
            part.name: book.slope(part.name, WARM)
            for part in (*site.web.values(), *site.workers.values())
        }
        return Result(
            book,
            notes,
            judges,
            researcher,
            found,
            [
                str(one)
                for slug in ("soak", "beside")
                for one in verify(campaign=Campaign.objects.get(slug=slug))
            ],
            left(),
            slopes,
        )
