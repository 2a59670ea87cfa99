"""One soak: its plan, its threads, and what came out."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from dataclasses import dataclass
from uuid import UUID

from tools.soak import faults, parts
from tools.soak.book import LONGEST, Book
from tools.soak.people import Judge, Login, Researcher
from tools.soak.site import SoakSite

K = 2
SETTLE = 180.0  # Seconds in which workers finish what is left.
WARM = 300.0  # Seconds of a process that its memory is not judged by: caches fill meanwhile.


@dataclass(frozen=True, slots=True)
class Plan:
    """Times in seconds: of the whole, of an item, from fault to fault, of a fault."""

    seconds: float
    annotators: int
    pace: float
    every: float
    fault: float


@dataclass
class Result:
    """What came out. `lost`: acknowledged and not stored as acknowledged."""

    book: Book
    site_notes: list[str]
    judges: list[Judge]
    researcher: Researcher
    stored: int
    lost: list[UUID]
    broken: list[str]
    too_many: int
    unfinished: list[str]
    slopes: dict[str, float | None]

    @property
    def well(self) -> bool:
        return not (
            self.lost or self.broken or self.too_many or self.unfinished or self.book.slow()
            or self.book.refused
        )  # fmt: skip

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
            f"acknowledged {len(book.acknowledged)}, stored {self.stored}, lost {len(self.lost)}",
            f"refused {len(book.refused)}" + "".join(f"\n    {one}" for one in book.refused[:5]),
            f"sheets with more annotators than wanted: {self.too_many}",
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
    site = SoakSite()
    try:
        return _run(site, plan)
    finally:
        site.close()


def _run(site: SoakSite, plan: Plan) -> Result:
    book, end = Book(), threading.Event()
    judges, researcher = _people(site, plan, book, end)
    _, missing = faults.possible(site)
    notes = [
        f"{len(site.hosts.all)} hosts, {'apart' if site.hosts.apart else 'on one address'}; "
        f"{plan.annotators} annotators, {plan.pace:g} s an item; load {os.getloadavg()[0]:.1f}",
        *(f"not caused: {one}" for one in missing),
    ]
    threads = [
        threading.Thread(target=work, daemon=True)
        for work in (
            *(one.work for one in judges), researcher.work, lambda: _weigh(site, book, end),
        )
    ]  # fmt: skip
    causing = threading.Thread(
        target=faults.keep_causing, args=(site, book, end),
        kwargs={"every": plan.every, "seconds": plan.fault}, daemon=True,
    )  # fmt: skip
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
) -> tuple[list[Judge], Researcher]:
    """The campaign that is judged, another one that the researcher works on, and logins."""
    from tests.factories import item_rows, make_campaign, make_user
    from tools.bench.clients import annotators_in, session_of

    with site.database():
        sheets = int(1.5 * plan.annotators * plan.seconds / plan.pace / K) + 2 * plan.annotators
        crowd = annotators_in(
            "soak", rows=item_rows(sheets, 1), clients=plan.annotators, annotators_per_sheet=K
        )
        make_campaign("beside", items=300, systems=2, cast=False)
        owner = session_of(make_user("alice"))
    names = [host.name for host in site.hosts.all]

    def login(session: str, number: int) -> Login:
        return Login(session, site.urls, names[number % len(names)], book, end)

    judges = [
        Judge(login(one.session, number), one.annotator, "soak", plan.pace)
        for number, one in enumerate(crowd)
    ]
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
    site: SoakSite, book: Book, notes: list[str], judges: list[Judge], researcher: Researcher
) -> Result:
    """What the database says, once the workers have finished."""
    from annotation.models import Campaign, JudgmentVersion, Slot
    from annotation.selectors.verify import verify
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
        campaign = Campaign.objects.get(slug="soak")
        versions = dict(
            JudgmentVersion.objects.filter(judgment__campaign=campaign, request_id__isnull=False)
            .values_list("request_id", "value")
        )  # fmt: skip
        lost = [
            key for key, value in book.acknowledged.items() if versions.get(key, "none") != value
        ]
        done = Counter(
            Slot.objects.filter(campaign=campaign, state=Slot.State.DONE).values_list(
                "sheet", flat=True
            )
        )
        slopes = {
            part.name: book.slope(part.name, WARM)
            for part in (*site.web.values(), *site.workers.values())
        }
        return Result(
            book, notes, judges, researcher, len(versions), lost,
            [str(one) for slug in ("soak", "beside")
             for one in verify(campaign=Campaign.objects.get(slug=slug))],
            sum(n > K for n in done.values()), left(), slopes,
        )  # fmt: skip
