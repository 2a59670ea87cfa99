"""What is done to the site, one fault after the other, and for how long."""

from __future__ import annotations

import contextlib
import http.client
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from email.utils import parsedate_to_datetime
from pathlib import Path

from tools.soak import parts
from tools.soak.book import Book, Fault
from tools.soak.parts import Part
from tools.soak.site import FAKETIME, SoakSite

CLOCK = "clock an hour ahead"
# The monotonic clock stays the real one: with another, waits for locks never end. Without FIX=0
# threads wait a quarter of a second for each other, and without `clock/sitecustomize.py` each
# `time.sleep` of Python 3.11 fails.
MOVED = {
    "LD_PRELOAD": str(FAKETIME),
    "FAKETIME": "+1h",
    "DONT_FAKE_MONOTONIC": "1",
    "FAKETIME_FORCE_MONOTONIC_FIX": "0",
    "PYTHONPATH": str(Path(__file__).with_name("clock")),
}
Do = Callable[[SoakSite, Book], AbstractContextManager[None]]


def _killed(part: Callable[[SoakSite], Part]) -> Do:
    """kill -9; the supervisor of its host starts it again."""

    @contextlib.contextmanager
    def do(site: SoakSite, book: Book) -> Iterator[None]:
        part(site).kill()
        yield
        parts.until(lambda: part(site).alive, "it was started again")
        _until_well(site)

    return do


def _frozen(part: Callable[[SoakSite], Part]) -> Do:
    @contextlib.contextmanager
    def do(site: SoakSite, book: Book) -> Iterator[None]:
        part(site).freeze()
        try:
            yield
        finally:
            part(site).thaw()

    return do


@contextlib.contextmanager
def _cut_off(site: SoakSite, book: Book) -> Iterator[None]:
    """Host b has no network: neither annotators nor database nor broker."""
    host = site.hosts.all[1]
    site.hosts.cut(host)
    try:
        yield
    finally:
        site.hosts.mend(host)
        _until_well(site)


@contextlib.contextmanager
def _hour_wrong(site: SoakSite, book: Book) -> Iterator[None]:
    """The clock of host b is an hour ahead, for its web server and its worker. With SQLite, the
    database of one machine, that of both hosts is."""
    names = site.clocks
    both = [part for name in names for part in (site.web[name], site.workers[name])]
    for part in both:
        part.environment |= MOVED
        part.stop()
    try:
        _until_well(site)
        wrong = {name: ahead for name in site.urls if (ahead := _ahead(site.urls[name])) > 3000}
        if set(wrong) != set(names):
            raise RuntimeError(f"the clocks of {names} were to be ahead, and these are: {wrong}")
        begin = time.monotonic()
        yield
        book.ahead.append((begin, time.monotonic(), names))
    finally:
        for part in both:
            for name in MOVED:
                part.environment.pop(name)
            part.stop()
        _until_well(site)


def _ahead(url: tuple[str, int]) -> float:
    """Seconds that the clock of a web server is ahead of this one, by the date of its answer."""
    connection = http.client.HTTPConnection(*url, timeout=30)
    connection.request("GET", "/healthz")
    date = connection.getresponse().getheader("Date", "")
    connection.close()
    return parsedate_to_datetime(date).timestamp() - time.time()


def _full_disk(name: str) -> Do:
    @contextlib.contextmanager
    def do(site: SoakSite, book: Book) -> Iterator[None]:
        filler = site.disks[name] / "filler"
        try:
            fill(filler)
            yield
        finally:
            filler.unlink(missing_ok=True)
            _until_well(site)

    return do


def fill(path: Path) -> None:
    """Leave not a byte."""
    block = b"\0" * 2**20
    with path.open("wb", buffering=0) as out, contextlib.suppress(OSError):
        while out.write(block):
            pass


def _until_well(site: SoakSite) -> None:
    """Every web server listens and the database answers: what is late after that is late."""
    import psycopg

    for name, url in site.urls.items():
        parts.until_open(*url, f"web-{name} listens")
    if site.database_part is None:
        return

    def answers() -> bool:
        with contextlib.suppress(psycopg.OperationalError):
            psycopg.connect(site.database_url, connect_timeout=2).close()
            return True
        return False

    parts.until(answers, "the database answers")


def _database(site: SoakSite) -> Part:
    assert site.database_part is not None
    return site.database_part


# Name, the hosts whose requests it explains ("" alone: all), and what is done.
FAULTS: dict[str, tuple[str, Do]] = {
    "web a killed": ("a", _killed(lambda site: site.web["a"])),
    "worker a killed": ("-", _killed(lambda site: site.workers["a"])),
    "web b frozen": ("b", _frozen(lambda site: site.web["b"])),
    "worker b frozen": ("-", _frozen(lambda site: site.workers["b"])),
    "broker frozen": ("-", _frozen(lambda site: site.broker_part)),
    "broker killed": ("-", _killed(lambda site: site.broker_part)),
    "host b cut off": ("b", _cut_off),
    "database frozen": ("", _frozen(_database)),
    "database killed": ("", _killed(_database)),
    CLOCK: ("b", _hour_wrong),
    "disk of the data folder full": ("-", _full_disk("data")),
    "disk of the database full": ("", _full_disk("postgres")),
}


# The clock is the machine's, and the database is on the disk of the data folder.
ON_SQLITE_FELT_BY_ALL = {CLOCK, "disk of the data folder full"}


def possible(site: SoakSite) -> tuple[list[str], list[str]]:
    """The faults that can be caused here, and why the others cannot."""
    missing = {}
    if not site.hosts.apart:
        missing["host b cut off"] = "needs root and `ip`, for network namespaces"
    if not FAKETIME.exists():
        missing[CLOCK] = "needs the package faketime"
    for disk, fault in (("data", "data folder"), ("postgres", "database")):
        if disk not in site.disks:
            missing[f"disk of the {fault} full"] = "needs root, to mount small disks"
    if site.database_part is None:
        for name in ("database frozen", "database killed", "disk of the database full"):
            missing[name] = "SQLite is a file in the data folder"
    return [name for name in FAULTS if name not in missing], [
        f"{name}: {why}" for name, why in missing.items()
    ]


def cause(site: SoakSite, book: Book, name: str, seconds: float) -> None:
    """Cause one fault for that long, and note from when to when it was felt."""
    hosts, do = FAULTS[name]
    if site.database_part is None and name in ON_SQLITE_FELT_BY_ALL:
        hosts = ""
    fault = Fault(name, frozenset(hosts), time.monotonic())
    book.faults.append(fault)
    with do(site, book):
        time.sleep(seconds)
    fault.end = time.monotonic()


def keep_causing(
    site: SoakSite, book: Book, end: threading.Event, *, every: float, seconds: float
) -> None:
    """One fault after the other, one every `every` seconds, until the end."""
    names, _ = possible(site)
    number = 0
    while not end.wait(every - seconds):
        name = names[number % len(names)]
        try:
            cause(site, book, name, seconds)
        except Exception as error:
            book.refuse(f"{name}: {type(error).__name__}: {error}")
        number += 1
