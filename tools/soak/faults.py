"""What is done to the site, one fault after the other, and for how long."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from tools.soak import parts
from tools.soak.book import Book, Fault
from tools.soak.parts import Part
from tools.soak.site import FAKETIME, SoakSite

Do = Callable[[SoakSite, float], AbstractContextManager[None]]


def _killed(part: Callable[[SoakSite], Part]) -> Do:
    """kill -9; the supervisor of its host starts it again."""

    @contextlib.contextmanager
    def do(site: SoakSite, seconds: float) -> Iterator[None]:
        part(site).kill()
        yield
        parts.until(lambda: part(site).alive, "it was started again")
        _until_well(site)

    return do


def _frozen(part: Callable[[SoakSite], Part]) -> Do:
    @contextlib.contextmanager
    def do(site: SoakSite, seconds: float) -> Iterator[None]:
        part(site).freeze()
        try:
            yield
        finally:
            part(site).thaw()

    return do


@contextlib.contextmanager
def _cut_off(site: SoakSite, seconds: float) -> Iterator[None]:
    """Host b has no network: neither annotators nor database nor broker."""
    host = site.hosts.all[1]
    site.hosts.cut(host)
    try:
        yield
    finally:
        site.hosts.mend(host)
        _until_well(site)


@contextlib.contextmanager
def _hour_wrong(site: SoakSite, seconds: float) -> Iterator[None]:
    """The clock of host b is an hour ahead, for its web server and its worker."""
    both = [site.web["b"], site.workers["b"]]
    for part in both:
        part.environment |= {
            "LD_PRELOAD": str(FAKETIME),
            "FAKETIME": "+1h",
            "DONT_FAKE_MONOTONIC": "1",
        }
        part.stop()
    try:
        _until_well(site)
        yield
    finally:
        for part in both:
            for name in ("LD_PRELOAD", "FAKETIME", "DONT_FAKE_MONOTONIC"):
                part.environment.pop(name)
            part.stop()
        _until_well(site)


def _full_disk(name: str) -> Do:
    @contextlib.contextmanager
    def do(site: SoakSite, seconds: float) -> Iterator[None]:
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

    def answers() -> bool:
        with contextlib.suppress(psycopg.OperationalError):
            psycopg.connect(site.database_url, connect_timeout=2).close()
            return True
        return False

    parts.until(answers, "the database answers")


# Name, the hosts whose requests it explains ("" alone: all), and what is done.
FAULTS: dict[str, tuple[str, Do]] = {
    "web a killed": ("a", _killed(lambda site: site.web["a"])),
    "worker a killed": ("-", _killed(lambda site: site.workers["a"])),
    "web b frozen": ("b", _frozen(lambda site: site.web["b"])),
    "worker b frozen": ("-", _frozen(lambda site: site.workers["b"])),
    "broker frozen": ("-", _frozen(lambda site: site.broker_part)),
    "broker killed": ("-", _killed(lambda site: site.broker_part)),
    "host b cut off": ("b", _cut_off),
    "database frozen": ("", _frozen(lambda site: site.database_part)),
    "database killed": ("", _killed(lambda site: site.database_part)),
    "clock of b an hour ahead": ("b", _hour_wrong),
    "disk of the data folder full": ("-", _full_disk("data")),
    "disk of the database full": ("", _full_disk("postgres")),
}


def possible(site: SoakSite) -> tuple[list[str], list[str]]:
    """The faults that can be caused here, and why the others cannot."""
    missing = {}
    if not site.hosts.apart:
        missing["host b cut off"] = "needs root and `ip`, for network namespaces"
    if not FAKETIME.exists():
        missing["clock of b an hour ahead"] = "needs the package faketime"
    for name, fault in (("data", "data folder"), ("postgres", "database")):
        if name not in site.disks:
            missing[f"disk of the {fault} full"] = "needs root, to mount small disks"
    return [name for name in FAULTS if name not in missing], [
        f"{name}: {why}" for name, why in missing.items()
    ]


def cause(site: SoakSite, book: Book, name: str, seconds: float) -> None:
    """Cause one fault for that long, and note from when to when it was felt."""
    hosts, do = FAULTS[name]
    fault = Fault(name, frozenset(hosts), time.monotonic())
    book.faults.append(fault)
    with do(site, seconds):
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
