"""Normalised Google distance, the two kinds of page counts behind it, and APEM with synonyms that
it confirms (Moon, Gweon, Choi and Heo 2015).
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import log
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from paraanno.common.texts import say
from scoring.metrics.base import DecimalOption
from scoring.metrics.files import FileOption, FileRefused, Problems, sha256, text_lines
from scoring.metrics.phrases.apem import (
    APEM_SD_OPTIONS,
    LANGUAGES,
    Analysis,
    ApemSd,
    Matching,
    Phrase,
)
from scoring.metrics.resources.stores import About
from scoring.metrics.values import Option


class PageCounts(Protocol):
    """Page counts; `total` is the number of all pages."""

    total: int

    def pages(self, phrase: Phrase) -> int:
        """The number of pages with the phrase; 0 if unknown."""

    def both(self, one: Phrase, other: Phrase) -> int:
        """The number of pages with both."""


def google_distance(counts: PageCounts, one: Phrase, other: Phrase) -> float | None:
    """Normalised Google distance (Cilibrasi and Vitanyi 2007): 0 if two are on the same pages,
    sometimes above 1. None if they share no page, or are on every page."""
    both = counts.both(one, other)
    logs = [log(n) for n in (counts.pages(one), counts.pages(other)) if n]
    if not both or len(logs) < 2 or log(counts.total) <= min(logs):
        return None
    return (max(logs) - log(both)) / (log(counts.total) - min(logs))


class CountTable:
    """Counts from a table, by word as written until `cut`."""

    def __init__(
        self, total: int, words: Mapping[Any, int], pairs: Mapping[tuple[Any, Any], int]
    ) -> None:
        self.total = total
        self.words = words
        self.pairs = pairs

    def cut(self, analysis: Analysis) -> CountTable:
        """The same by units of meaning; words that become equal keep the greatest count."""
        words: dict[Phrase, int] = {}
        pairs: dict[tuple[Phrase, Phrase], int] = {}
        for word, n in self.words.items():
            words[analysis(word)] = max(n, words.get(analysis(word), 0))
        for (one, other), n in self.pairs.items():
            key = in_order(analysis(one), analysis(other))
            pairs[key] = max(n, pairs.get(key, 0))
        return CountTable(self.total, words, pairs)

    def pages(self, phrase: Phrase) -> int:
        return self.words.get(phrase, 0)

    def both(self, one: Phrase, other: Phrase) -> int:
        return self.pairs.get(in_order(one, other), 0)


class CorpusCounts:
    """The pages of each unit of meaning: `pages_of[starts[i]:starts[i + 1]]`, sorted.

    A phrase is on the pages that have all its units.
    """

    def __init__(
        self,
        total: int,
        lang: str,
        units: Sequence[str],
        starts: NDArray[np.int64],
        pages_of: NDArray[np.uint32],
    ) -> None:
        self.total = total
        self.lang = lang
        self.units = units
        self.starts = starts
        self.pages_of = pages_of
        self._rows = {unit: at for at, unit in enumerate(units)}

    def cut(self, analysis: Analysis) -> CorpusCounts:
        """Return itself; ValueError for texts analysed with other settings."""
        if analysis.lang != self.lang:
            raise ValueError(
                say(
                    "counts: the corpus is %(lang)s; use lang=%(again)s.",
                    lang=self.lang,
                    again=self.lang,
                )
            )
        if analysis.lang == "ko" and analysis.segmentation != "merged":
            raise ValueError(say("counts: a corpus is counted with segmentation=merged."))
        return self

    def pages(self, phrase: Phrase) -> int:
        return len(self._on(phrase))

    def both(self, one: Phrase, other: Phrase) -> int:
        return len(self._on(one + other))

    def _on(self, phrase: Phrase) -> NDArray[np.uint32]:
        rows = [self._rows.get(unit) for unit in dict.fromkeys(phrase)]
        pages: NDArray[np.uint32] | None = None
        for row in rows:
            if row is None:
                return np.empty(0, np.uint32)
            unit_pages = self.pages_of[self.starts[row] : self.starts[row + 1]]
            pages = (
                unit_pages
                if pages is None
                else np.intersect1d(pages, unit_pages, assume_unique=True)
            )
        return np.empty(0, np.uint32) if pages is None else pages


def in_order(one: Any, other: Any) -> tuple[Any, Any]:
    """A canonical order for an unordered pair."""
    return (one, other) if one <= other else (other, one)


# Page counts of words, alone and together: read from a table, a corpus, or a store of either.
#
# The first line says which. `#total<TAB>M` begins a table of counts made elsewhere, M pages in all:
# below it `word<TAB>pages` and `word<TAB>word<TAB>pages`. `#corpus<TAB>ko` (or `en`) begins a
# corpus: below it one document a line, each a page. A *store* is a folder with `about.json` and
# `table.json`, or `units.json`, `starts.npy` and `pages.npy`.


COUNTS = FileOption(
    "counts",
    "",
    say(
        "It names page counts: a table of them, or a corpus with one document per line to count in."
    ),
    kind="counts",
)
LONGEST_PAGE = 20_000  # characters
_TABLE, _UNITS = "table.json", "units.json"
_STARTS, _PAGES = "starts.npy", "pages.npy"
_ABOUT = About(
    frozenset({"pages", "words"}), say("is not a store of page counts; create it again.")
)
_HEAD = say(
    "must begin with #total<TAB>PAGES (a table) or #corpus<TAB>LANG (one document per line)."
)
Progress = Callable[[float], None]


Counted = CountTable | CorpusCounts


def _loaded(place: Path, content: str) -> Counted:
    return _stored(place) if place.is_dir() else read_page_counts(place)


load_page_counts = _ABOUT.cached(_loaded)
page_counts_sha256 = _ABOUT.sha256


def read_page_counts(path: Path, progress: Progress = lambda share: None) -> Counted:
    """Read a table, or count in a corpus. Raises FileRefused with a line for each problem."""
    problems = Problems(path)
    lines = text_lines(path, problems)
    number, head = next(lines, (0, ""))
    problems.check()
    kind, _, value = (part.strip() for part in head.partition("\t"))
    read: Counted
    if kind == "#total" and _is_count(value) and int(value):
        read = _read_table(int(value), _cells(lines, problems), problems)
    elif kind == "#corpus" and value in LANGUAGES:
        read = _read_corpus(value, lines, problems, path, progress)
    else:
        raise FileRefused.at(path, number, _HEAD)
    problems.check()
    if not (read.words if isinstance(read, CountTable) else read.units):
        raise FileRefused.at(path, number, say("has no lines below the first; add some."))
    return read


def _cells(
    lines: Iterable[tuple[int, str]], problems: Problems
) -> Iterator[tuple[int, list[str], int]]:
    """Line number, one or two words, count."""
    for number, line in lines:
        *words, last = (" ".join(cell.split()) for cell in line.split("\t"))
        if len(words) not in (1, 2) or not all(words):
            problems.add(number, say("should be word<TAB>pages or word<TAB>word<TAB>pages."))
        elif not _is_count(last):
            problems.add(
                number, say("ends in %(value)s, which is not a number of pages.", value=repr(last))
            )
        else:
            yield number, words, int(last)


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18


def _read_table(
    total: int, rows: Iterable[tuple[int, list[str], int]], problems: Problems
) -> CountTable:
    words: dict[str, int] = {}
    pairs: dict[tuple[str, str], int] = {}
    seen: dict[tuple[str, ...], int] = {}
    for number, names, n in rows:
        key = tuple(sorted(names))
        if key in seen:
            problems.add(
                number, say("repeats the count of line %(line)s; delete one.", line=seen[key])
            )
        elif n > total:
            problems.add(
                number,
                say("counts %(n)s pages of %(total)s; correct it or #total.", n=n, total=total),
            )
        elif len(names) == 1:
            words[names[0]] = n
        else:
            pairs[in_order(names[0], names[1])] = n
        seen.setdefault(key, number)
    for pair, n in pairs.items():
        for word in pair:
            if word not in words:
                problems.add(
                    seen[pair],
                    say("pairs %(word)s, which has no line with its own count.", word=word),
                )
            elif n > words[word]:
                problems.add(
                    seen[pair],
                    say("counts more pages than %(word)s has (%(n)s).", word=word, n=words[word]),
                )
    return CountTable(total, words, pairs)


def _read_corpus(
    lang: str, lines: Iterable[tuple[int, str]], problems: Problems, path: Path, progress: Progress
) -> CorpusCounts:
    analysis = Analysis(lang, "merged", "keep")
    on: dict[str, array[int]] = {}
    size = path.stat().st_size
    done = page = 0
    for number, text in lines:
        if len(text) > LONGEST_PAGE:
            problems.add(
                number,
                say("has over %(n)s characters; split it into pages.", n=f"{LONGEST_PAGE:,}"),
            )
            continue
        for unit in dict.fromkeys(analysis(text)):
            on.setdefault(unit, array("I")).append(page)
        page += 1
        done += len(text.encode())
        if page % 1000 == 0:
            progress(min(1.0, done / size))
    lengths = [len(pages) for pages in on.values()]
    pages = np.fromiter(chain.from_iterable(on.values()), np.uint32, count=sum(lengths))
    return CorpusCounts(page, lang, list(on), np.cumsum([0, *lengths], dtype=np.int64), pages)


def convert(
    source: Path, folder: Path, *, progress: Progress = lambda share: None
) -> dict[str, int]:
    """Check a file and write its store; `about.json` is written last and marks it complete.

    Returns the numbers of pages, words and pairs (no pairs for a corpus: they are counted on
    request). Raises FileRefused like `read_page_counts`.
    """
    read = read_page_counts(source, progress)
    folder.mkdir(parents=True, exist_ok=True)
    about = _write_table(read, folder) if isinstance(read, CountTable) else _write(read, folder)
    about |= {"sha256": sha256(source), "pages": read.total}
    _ABOUT.write(folder, about)
    progress(1.0)
    return {name: value for name, value in about.items() if isinstance(value, int)}


def _write_table(read: CountTable, folder: Path) -> dict[str, object]:
    table = [list(read.words.items()), [[*pair, n] for pair, n in read.pairs.items()]]
    (folder / _TABLE).write_text(json.dumps(table, ensure_ascii=False), encoding="utf-8")
    return {"words": len(read.words), "pairs": len(read.pairs)}


def _write(read: CorpusCounts, folder: Path) -> dict[str, object]:
    np.save(folder / _STARTS, read.starts, allow_pickle=False)
    np.save(folder / _PAGES, read.pages_of, allow_pickle=False)
    (folder / _UNITS).write_text(json.dumps(read.units, ensure_ascii=False), encoding="utf-8")
    return {"words": len(read.units), "lang": read.lang}


def _stored(folder: Path) -> Counted:
    about = _ABOUT.read(folder)
    counts: Counted
    try:
        if "pairs" in about:
            words, pairs = json.loads((folder / _TABLE).read_text(encoding="utf-8"))
            counts = CountTable(about["pages"], dict(words), {(a, b): n for a, b, n in pairs})
            whole = (len(counts.words), len(counts.pairs)) == (about["words"], about["pairs"])
        else:
            units = json.loads((folder / _UNITS).read_text(encoding="utf-8"))
            starts = np.load(folder / _STARTS, mmap_mode="r", allow_pickle=False)
            pages = np.load(folder / _PAGES, mmap_mode="r", allow_pickle=False)
            counts = CorpusCounts(about["pages"], about["lang"], units, starts, pages)
            whole = len(units) == about["words"] == len(starts) - 1 and starts[-1] == len(pages)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise FileRefused.at(
            folder, 0, say("is damaged (%(why)s); create the store again.", why=str(error))
        ) from error
    if not whole:
        raise FileRefused.at(
            folder, 0, say("its files do not belong together; create the store again.")
        )
    return counts


# APEM with synonyms that a distance confirms.


THRESHOLD = DecimalOption(
    "threshold",
    "0.35",
    say("The distance at which synonyms are kept, as in keep_if."),
    low=0,
    high=10,
)
KEEP_IF = Option(
    "keep_if",
    "score_at_least",
    say(
        "score_at_least keeps synonyms whose distance is the threshold or more, as in the "
        "paper; distance_at_most keeps those whose distance is the threshold or less, as one "
        "would expect of a distance."
    ),
    ("score_at_least", "distance_at_most"),
)


class ApemSdgd(ApemSd):
    """The distance comes from page counts. Two words without a shared page have no distance, and
    are not matched.
    """

    name = "apem_sdgd"
    title = "APEM_SDGD"
    summary = say(
        "0 to 1: as APEM_SD, but of the synonyms only those that pass a threshold of the "
        "normalised Google distance."
    )
    OPTIONS = (*APEM_SD_OPTIONS, COUNTS, THRESHOLD, KEEP_IF)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._counts: CountTable | CorpusCounts | None = None
        self._distances: dict[tuple[Phrase, Phrase], float | None] = {}
        self._threshold = float(self.options["threshold"])
        self._at_least = self.options["keep_if"] == "score_at_least"

    @property
    def counts(self) -> CountTable | CorpusCounts:
        """The page counts, loaded lazily."""
        if self._counts is None:
            self._counts = load_page_counts(self.options["counts"]).cut(self.analysis)
        return self._counts

    def load(self) -> None:
        super().load()
        self.counts  # noqa: B018 - reads them

    def resources(self) -> dict[str, str]:
        return {**super().resources(), "counts": page_counts_sha256(self.options["counts"])}

    def distance(self, one: Phrase, other: Phrase) -> float | None:
        """The distance between two, cached."""
        if (one, other) not in self._distances:
            self._distances[one, other] = google_distance(self.counts, one, other)
        return self._distances[one, other]

    def _match_more(self, matching: Matching) -> dict[str, object]:
        rejected: dict[tuple[Phrase, Phrase], float | None] = {}

        def keep(one: Phrase, other: Phrase) -> bool:
            distance = self.distance(one, other)
            if distance is not None and (
                distance >= self._threshold if self._at_least else distance <= self._threshold
            ):
                return True
            rejected[one, other] = distance
            return False

        groups = self.groups
        matching.match_synonyms(groups.groups, keep)
        matching.match_phrases(groups.groups, groups.longest, keep)
        return {
            "rejected": [
                [" ".join(one), " ".join(other), distance]
                for (one, other), distance in rejected.items()
            ]
        }
