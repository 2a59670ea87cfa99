"""Scoring: the suite of surface metrics over a campaign by real workers, beside a plain loop.

The campaign has `ORIGINALS` sentences of 20 words with four paraphrases each (`--originals`), and
before it one of a tenth of that, so that memory can be compared. Times are those of the database,
from the first run's start to the last one's end.
"""

from __future__ import annotations

import random
import re
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil

from tests import live_parts, needs
from tests.live import Site
from tools.bench.plain import Plain, suite
from tools.bench.table import line, note

ORIGINALS = 25_000
PARAPHRASES = 4
WORDS = 20
SAMPLE = 2_000  # Pairs of the plain loop; its time grows with their number.
SPENT = re.compile(r"Scored (\d+) texts in seconds: read ([\d.]+), stored ([\d.]+), (.*)")


def measure(database: str, seconds: int) -> None:
    if database != "postgresql":
        note("on PostgreSQL alone")
        return
    site = Site(database="postgresql", broker="filesystem" if needs.missing("redis") else "redis")
    try:
        plain = suite(_wordnet(site))
        loop = _loop(plain)
        site.start("worker")
        for slug, originals in (("few", ORIGINALS // 10), ("many", ORIGINALS)):
            _fill(site, slug, originals)
            _score(site, slug, [name for name, _ in plain], originals * PARAPHRASES, loop)
        _again(site, "many", [name for name, _ in plain])
    finally:
        site.close()


def _wordnet(site: Site) -> Path | None:
    """A folder in which nltk finds WordNet, as the command stages it; None where there is none."""
    if reason := needs.missing("wordnet"):
        note(f"without METEOR: {reason}")
        return None
    folder = site.data_dir / "nltk"
    place = {**site.environment, "PARAANNO_DATA_DIR": str(folder / "corpora")}
    live_parts.run_python(place, "manage.py", "stage_wordnet")
    return folder


def pairs(originals: int, vocabulary: Sequence[str] = ()) -> list[tuple[str, list[str]]]:
    """Sentences of 20 words, made up where none are given; a quarter of a paraphrase's words are
    others, and half of the paraphrases have three words in another place."""
    dice = random.Random(1)
    vocabulary = vocabulary or sorted({_word(dice) for _ in range(8000)})
    made = []
    for _ in range(originals):
        original = dice.choices(vocabulary, k=WORDS)
        made.append(
            (
                " ".join(original),
                [_paraphrase(original, vocabulary, dice) for _ in range(PARAPHRASES)],
            )
        )
    return made


def _word(dice: random.Random) -> str:
    syllables = [c + v for c in "bdfgklmnprst" for v in "aeiou"]
    return "".join(dice.choices(syllables, k=dice.randint(1, 4)))


def _paraphrase(original: list[str], vocabulary: Sequence[str], dice: random.Random) -> str:
    words = [dice.choice(vocabulary) if dice.random() < 0.25 else word for word in original]
    if dice.random() < 0.5:
        at, to = dice.randrange(WORDS - 3), dice.randrange(WORDS - 3)
        moved = words[at : at + 3]
        del words[at : at + 3]
        words[to:to] = moved
    return " ".join(words)


def _loop(plain: tuple[tuple[str, Plain], ...]) -> dict[str, float]:
    """Seconds per pair of each metric in one process, warm."""
    sample = [(a, b) for a, group in pairs(SAMPLE // PARAPHRASES) for b in group]
    spent = {}
    for name, score in plain:
        for a, b in sample[:50]:
            score(a, b)
        begin = time.perf_counter()
        for a, b in sample:
            score(a, b)
        spent[name] = (time.perf_counter() - begin) / len(sample)
    return spent


def _fill(site: Site, slug: str, originals: int) -> None:
    from tests.factories import make_campaign

    rows = (
        {"item": f"{slug}-{number}", "sentence": original, "paraphrase": text, "system": f"S{at}"}
        for number, (original, group) in enumerate(pairs(originals))
        for at, text in enumerate(group)
    )
    with site.database():
        make_campaign(slug, rows=list(rows), open_it=False, cast=False)


class Memory(threading.Thread):
    """The greatest proportional set size of the worker's processes together, in MB."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.main = psutil.Process(pid)
        self.peak = 0.0
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.wait(0.5):
            total = 0
            for process in [self.main, *self.main.children()]:
                total += process.memory_full_info().pss
            self.peak = max(self.peak, total / 2**20)


def _score(site: Site, slug: str, names: list[str], texts: int, loop: dict[str, float]) -> None:
    memory = Memory(site.processes["worker"].pid)
    memory.start()
    log = site.log_path("worker")
    seen = log.stat().st_size
    wall = _run(site, slug, names)
    memory.over.set()
    memory.join()
    plain = sum(loop.values()) * texts
    what = f"{len(names)} metrics, {texts} texts"
    line(f"{what}: start to last score", wall, "s", rivals=f"a plain loop: {plain:.0f} s")
    line(f"{what}: the same as a part of the plain loop", wall / plain, "x", goal=0.75)
    read, stored, spent = _spent(log.read_text(encoding="utf-8")[seen:])
    whole = read + stored + sum(spent.values())
    line(f"{what}: storing, of the workers' time", 100 * stored / whole, "%", goal=20)
    line(f"{what}: reading, of the workers' time", 100 * read / whole, "%")
    line(f"{what}: memory of the worker, three processes", memory.peak, "MB PSS")
    for name in names:
        line(
            f"    {name}",
            texts / spent[name],
            "texts/s of a process",
            rivals=f"plain {1 / loop[name]:.0f}",
        )


def _run(site: Site, slug: str, names: list[str]) -> float:
    """Seconds from the first run's start to the last one's end."""
    from django.db.models import Max, Min

    from scoring.models import Run

    metrics = [word for name in names for word in ("--metric", name)]
    with site.database():
        last = Run.objects.aggregate(last=Max("pk"))["last"] or 0
    site.manage("run_metric", slug, *metrics)
    with site.database():
        mine = Run.objects.filter(pk__gt=last)
        site.until(
            lambda: not mine.filter(status__in=Run.ACTIVE).exists(), "the runs end", patience=3600
        )
        if wrong := list(mine.exclude(status="done", failed=0).values_list("label", "error")):
            raise RuntimeError(f"runs of the bench failed: {wrong}")
        times: dict[str, Any] = mine.aggregate(begin=Min("created_at"), end=Max("finished_at"))
    return float((times["end"] - times["begin"]).total_seconds())


def _spent(log: str) -> tuple[float, float, dict[str, float]]:
    """What the workers say of their time: reading, storing, and each metric, in seconds."""
    read = stored = 0.0
    spent: dict[str, float] = defaultdict(float)
    for _, one, other, metrics in SPENT.findall(log):
        read, stored = read + float(one), stored + float(other)
        for part in metrics.split(", "):
            name, seconds = part.split()
            spent[name] += float(seconds)
    return read, stored, spent


def _again(site: Site, slug: str, names: list[str]) -> None:
    """The same metrics once more: every score is there."""
    line("the same runs once more, with the scores there", _run(site, slug, names), "s")
    with site.database():
        from scoring.models import Run

        newest = Run.objects.order_by("-pk")[: len(names)]
        if any(run.reused != run.total for run in newest):
            raise RuntimeError("scores were computed again")
