"""Readers of paraphrase tables: tab-separated pairs, PPDB, and Moses phrase tables by pivoting."""

from __future__ import annotations

import re
import shutil
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import exp, isfinite
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraanno.common.texts import say
from scoring.metrics.files import FileOption, FileRefused, Problems, sha256, text_lines
from scoring.metrics.resources.stores import About, Ids, TextIndex, index_of, mapped, mapped_index
from scoring.metrics.texts.tokenizers import words

Progress = Callable[[float], None]
Row = tuple[str, str, float]
_Lines = Iterator[tuple[int, str]]

MOST_JOINED = 20_000_000  # Most pairs that pivoting may join: about 2 GB of memory.
NO_PROBABILITY = float("nan")
_NEXT_TO_0 = 1e-30  # Its square underflows to 0 in the single precision of a table.
# English contractions are two words, as in the Penn Treebank and PPDB.
_CONTRACTION = re.compile(r"(?<=\w)(?:n't|'(?:s|re|ve|ll|d|m))\b")
# Features of PPDB 2.0 and 1.0, all negative logarithms.
_PPDB_PROBABILITY = re.compile(r"(?:^|\s)(?:-logp\(e2\|e1\)|p\(e2\|e1\)|p\(e\|f\))=(\S+)")
_GAP = re.compile(r"\[[^\s\]]+,[12]\]")  # A nonterminal in a PPDB rule.


@dataclass(slots=True)
class RawTable:
    """Phrases by key in order of appearance, and pairs of their numbers with a probability (NaN if
    missing). `skipped` counts unusable lines: a side without words, the same words on both sides,
    or a rule with nonterminals."""

    numbers: dict[str, int] = field(default_factory=dict)
    left: array[int] = field(default_factory=lambda: array("i"))
    right: array[int] = field(default_factory=lambda: array("i"))
    probabilities: array[float] = field(default_factory=lambda: array("d"))
    skipped: int = 0

    def number(self, key: str) -> int:
        return self.numbers.setdefault(key, len(self.numbers))

    def add(self, one: str, other: str, probability: float) -> None:
        own, theirs = phrase_key(one), phrase_key(other)
        if own == theirs or not (own and theirs):
            self.skipped += 1
            return
        self.left.append(self.number(own))
        self.right.append(self.number(theirs))
        self.probabilities.append(probability)


def phrase_key(text: str) -> str:
    """The normalised key of a phrase: its words without case and punctuation, English contractions
    split (`Don't!` and `do n't` have the same key)."""
    plain = text.lower().replace("’", "'")
    if "'" in plain:
        plain = _CONTRACTION.sub(r" \g<0>", plain)
    return " ".join(words(plain))


def read_rows(path: Path, progress: Progress) -> RawTable:
    """Read a table in any of the three formats, detected by its first line.

    Raises FileRefused with a line for each problem, and for a table without pairs.
    """
    problems = Problems(path)
    lines = watched(path, text_lines(path, problems), progress)
    first = next(lines, (0, ""))
    lines = chain([first], lines) if first[0] else lines
    table = RawTable()
    if is_moses(first[1]):
        pivot(path, moses_rows(lines, problems), table)
    else:
        read = _ppdb_rows if "|||" in first[1] else _tab_rows
        for one, other, probability in read(lines, problems, table):
            table.add(one, other, probability)
    problems.check()
    if not table.left:
        raise FileRefused.at(
            path, 0, say("has no pair of different phrases; write phrase TAB paraphrase.")
        )
    return table


def watched(path: Path, lines: _Lines, progress: Progress) -> _Lines:
    size, done = max(1, path.stat().st_size if path.exists() else 1), 0
    for count, (number, line) in enumerate(lines, 1):
        done += 1 + (len(line) if line.isascii() else len(line.encode()))
        if count % 20_000 == 0:
            progress(min(1.0, done / size))
        yield number, line


def _fields(line: str) -> list[str]:
    return [part.strip() for part in line.split("|||")]


def is_moses(line: str) -> bool:
    """Whether the first line of a table with ||| is of Moses, and not of PPDB."""
    fields = _fields(line)
    return len(fields) >= 3 and not (fields[0].startswith("[") and "=" in "".join(fields[3:4]))


def _tab_rows(lines: _Lines, problems: Problems, table: RawTable) -> Iterator[Row]:
    """`phrase TAB paraphrase [TAB probability]`."""
    for number, line in lines:
        cells = [cell.strip() for cell in line.split("\t")]
        if not 2 <= len(cells) <= 3 or not all(cells):
            problems.add(
                number, say("should read phrase TAB paraphrase, and perhaps TAB probability.")
            )
            continue
        probability = _probability(cells[2]) if len(cells) == 3 else NO_PROBABILITY
        if probability is None:
            problems.add(
                number,
                say("%(value)s is not a probability; use a number from 0 to 1.", value=cells[2]),
            )
        else:
            yield cells[0], cells[1], probability


def _probability(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number <= 1 else None


def _ppdb_rows(lines: _Lines, problems: Problems, table: RawTable) -> Iterator[Row]:
    """`LHS ||| phrase ||| paraphrase ||| features ||| ...`; rules with gaps are skipped."""
    for _label, one, other, (value,) in ppdb_rows(lines, problems, (_PPDB_PROBABILITY,), table):
        yield one, other, NO_PROBABILITY if value is None else value


def ppdb_rows(
    lines: _Lines,
    problems: Problems,
    features: Sequence[re.Pattern[str]],
    table: RawTable | None = None,
) -> Iterator[tuple[str, str, str, tuple[float | None, ...]]]:
    """The label, the phrase, its paraphrase and the probabilities of these features, negative
    logarithms in the file; None where a row has none. `table` counts rules with gaps, which are
    skipped."""
    for number, line in lines:
        fields = _fields(line)
        if len(fields) < 4:
            problems.add(number, say("should read LHS ||| phrase ||| paraphrase ||| features."))
        elif _GAP.search(fields[1]) or _GAP.search(fields[2]):
            if table is not None:
                table.skipped += 1
        else:
            probabilities = tuple(_from_log(one.search(fields[3])) for one in features)
            yield fields[0].removeprefix("[").removesuffix("]"), fields[1], fields[2], probabilities


def _from_log(match: re.Match[str] | None) -> float | None:
    try:
        # Some releases have logarithms slightly below 0.
        return min(1.0, exp(-float(match[1]))) if match else None
    except (ValueError, OverflowError):
        return None  # "NA": PPDB has none.


MosesRow = tuple[str, str, float, float]


def moses_rows(lines: _Lines, problems: Problems) -> Iterator[MosesRow]:
    """`foreign ||| phrase ||| p(f|e) lex(f|e) p(e|f) ...`: foreign, phrase, p(f|e), p(e|f)."""
    for number, line in lines:
        fields = _fields(line)
        try:
            scores = [float(score) for score in fields[2].split()] if len(fields) > 2 else []
        except ValueError:
            scores = []
        if len(scores) < 3 or not all(isfinite(one) and 0 <= one <= 1 for one in scores[:3]):
            problems.add(
                number,
                say(
                    "should read foreign ||| phrase ||| p(f|e) lex(f|e) p(e|f) ..., with "
                    "probabilities from 0 to 1."
                ),
            )
        else:
            yield fields[0], fields[1], scores[0], scores[2]


def pivot(path: Path, rows: Iterator[MosesRow], table: RawTable) -> None:
    """Pivoting: join all phrases that share a foreign one, p(e2|e1) = sum over f of p(f|e1)
    p(e2|f).

    Bannard and Callison-Burch (2005), equation 2; ParaEval joins in the same way without
    probabilities. Raises FileRefused if there are too many pairs.
    """
    from scipy.sparse import csr_array

    foreign: dict[str, int] = {}
    f, e = array("q"), array("q")
    to_foreign, from_foreign = array("d"), array("d")
    for other, phrase, p_f, p_e in rows:
        key = phrase_key(phrase)
        if not key:
            table.skipped += 1
            continue
        f.append(foreign.setdefault(other, len(foreign)))
        e.append(table.number(key))
        to_foreign.append(p_f)
        from_foreign.append(p_e)
    if not f:
        return
    shape = (len(foreign), len(table.numbers))
    codes = np.frombuffer(f, dtype=np.int64) * shape[1] + np.frombuffer(e, dtype=np.int64)
    # Variants in case or punctuation are one phrase, whose probabilities are summed.
    joined, forth = grouped(codes, np.frombuffer(from_foreign), np.add)
    _, back = grouped(codes, np.frombuffer(to_foreign), np.maximum)
    at_f, at_e = np.divmod(joined, shape[1])
    most = int((np.bincount(at_f).astype(np.int64) ** 2).sum())
    if most > MOST_JOINED:
        raise FileRefused.at(
            path,
            0,
            say(
                "joins %(n)s pairs, at most %(most)s are possible; remove lines of low "
                "probability.",
                n=f"{most:,}",
                most=f"{MOST_JOINED:,}",
            ),
        )
    # A sparse product drops exact zeros, but phrases are joined for any probability.
    given_e = csr_array((np.maximum(back, _NEXT_TO_0), (at_e, at_f)), shape=shape[::-1])
    given_f = csr_array((np.maximum(forth, _NEXT_TO_0), (at_f, at_e)), shape=shape)
    pairs = (given_e @ given_f).tocoo()
    differ = pairs.row != pairs.col
    table.left.extend(pairs.row[differ].tolist())
    table.right.extend(pairs.col[differ].tolist())
    table.probabilities.extend(np.minimum(pairs.data[differ], 1.0).tolist())


def grouped(
    codes: NDArray[np.int64], values: NDArray[np.float64], join: np.ufunc
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The sorted distinct codes, with the values of each aggregated."""
    if not len(codes):
        return codes, values
    order = np.argsort(codes, kind="stable")
    codes = codes[order]
    first = np.flatnonzero(np.concatenate(([True], codes[1:] != codes[:-1])))
    return codes[first], join.reduceat(values[order], first)


# A paraphrase table as arrays: looked up by phrase, memory-mapped, shared between processes.


Span = tuple[int, int]  # Tokens of a text from, to (half open).
ABOUT = About(
    frozenset({"phrases", "pairs", "weighted"}),
    say("is not a store of a table; create it again."),
    say("is not that of a table, or incomplete; create the store again."),
)


@dataclass(frozen=True, slots=True, eq=False)
class PhraseTable:
    """Phrases with their paraphrases in both directions.

    The partners of phrase p are `partners[offsets[p]:offsets[p + 1]]` in ascending order, with the
    greater of the `probabilities` of both directions (1 if the table has none; `weighted`: it has
    some). `heads` holds the first words of the phrases, and `reach` the number of words of the
    longest phrase with each.
    """

    phrases: TextIndex
    heads: TextIndex
    reach: Ids
    offsets: NDArray[np.int64]
    partners: Ids
    probabilities: NDArray[np.float32]
    weighted: bool

    def spans(self, tokens: Sequence[str]) -> dict[int, list[Span]]:
        """The phrases of the table that occur in a text, each with its spans.

        A span begins and ends with a word; punctuation inside it is ignored.
        """
        keys = [phrase_key(token) for token in tokens]
        firsts = [key.partition(" ")[0] for key in keys]
        places: list[Span] = []
        texts: list[str] = []
        for start, head in enumerate(self.heads.find(firsts)):
            if head < 0:
                continue
            reach, phrase = int(self.reach[head]), ""
            for end in range(start, len(keys)):
                if not keys[end]:
                    continue
                phrase = f"{phrase} {keys[end]}" if phrase else keys[end]
                if phrase.count(" ") >= reach:
                    break
                places.append((start, end + 1))
                texts.append(phrase)
        by_phrase: dict[int, list[Span]] = defaultdict(list)
        for place, phrase_id in zip(places, self.phrases.find(texts), strict=True):
            if phrase_id >= 0:
                by_phrase[phrase_id].append(place)
        return by_phrase

    def partners_of(self, ids: Sequence[int], least: float) -> tuple[Ids, Ids]:
        """The partners of some phrases in ascending order, each with its phrase, for pairs whose
        probability is at least `least`."""
        parts, owners = [np.empty(0, np.int32)], [np.empty(0, np.int32)]
        for one in ids:
            part = slice(int(self.offsets[one]), int(self.offsets[one + 1]))
            row_partners = self.partners[part]
            if least > 0:
                row_partners = row_partners[self.probabilities[part] >= least]
            parts.append(row_partners)
            owners.append(np.full(len(row_partners), one, dtype=np.int32))
        partners, owner = np.concatenate(parts), np.concatenate(owners)
        order = np.argsort(partners, kind="stable")
        return partners[order], owner[order]


def build(raw: RawTable) -> PhraseTable:
    """Build a table from the rows read, at least one pair."""
    keys = list(raw.numbers)
    phrases, ids = index_of(keys)
    left, right = (ids[np.frombuffer(side, dtype=np.int32)] for side in (raw.left, raw.right))
    given = np.frombuffer(raw.probabilities, dtype=np.float64)
    observed = ~np.isnan(given)
    size = np.int64(len(keys))
    codes = np.minimum(left, right) * size + np.maximum(left, right)
    codes, given = grouped(codes, np.where(observed, given, 1.0), np.maximum)
    low, high = np.divmod(codes, size)
    order = np.lexsort((np.concatenate((high, low)), np.concatenate((low, high))))
    owners = np.concatenate((low, high))[order]
    heads, reach = _heads(keys)
    return PhraseTable(
        phrases=phrases,
        heads=heads,
        reach=reach,
        offsets=np.searchsorted(owners, np.arange(size + 1)).astype(np.int64),
        partners=np.concatenate((high, low))[order].astype(np.int32),
        probabilities=np.concatenate((given, given))[order].astype(np.float32),
        weighted=bool(observed.any()),
    )


def _heads(keys: Sequence[str]) -> tuple[TextIndex, Ids]:
    longest: dict[str, int] = {}
    for key in keys:
        head = key.partition(" ")[0]
        longest[head] = max(longest.get(head, 0), key.count(" ") + 1)
    heads, ids = index_of(list(longest))
    reach = np.empty(len(ids), dtype=np.int32)
    reach[ids] = list(longest.values())
    return heads, reach


def write_store(table: PhraseTable, folder: Path, *, source_sha256: str) -> None:
    """Write a store into an empty or new folder; `about.json` is written last and marks it
    complete."""
    folder.mkdir(parents=True, exist_ok=True)
    table.phrases.save(folder, "phrases")
    table.heads.save(folder, "heads")
    for name in ("reach", "offsets", "partners", "probabilities"):
        np.save(folder / f"{name}.npy", getattr(table, name), allow_pickle=False)
    about = {
        "sha256": source_sha256,
        "phrases": len(table.phrases),
        "pairs": len(table.partners) // 2,
        "weighted": table.weighted,
    }
    ABOUT.write(folder, about)


def map_store(folder: Path) -> PhraseTable:
    """The memory-mapped table of a store; FileRefused if its files are damaged or mixed up."""
    about = ABOUT.read(folder)
    phrases, heads = mapped_index(folder, "phrases"), mapped_index(folder, "heads")
    reach = mapped(folder / "reach.npy", np.int32)
    offsets = mapped(folder / "offsets.npy", np.int64)
    partners = mapped(folder / "partners.npy", np.int32)
    probabilities = mapped(folder / "probabilities.npy", np.float32)
    whole = (
        len(phrases) == about["phrases"] == len(offsets) - 1
        and len(heads) == len(reach)
        and len(partners) == len(probabilities) == 2 * about["pairs"] == offsets[-1]
    )
    if not whole:
        raise FileRefused.at(
            folder, 0, say("its files do not belong together; create the store again.")
        )
    return PhraseTable(
        phrases, heads, reach, offsets, partners, probabilities, about["weighted"] is True
    )


# Paraphrase tables, which pair phrases with their paraphrases: the option, loading, and stores.
#
# A *store* is a folder with arrays of NumPy and `about.json`. It is memory-mapped, so that
# processes of one machine share its pages, and holds nothing that Python would execute.


# The rows of a table with a direction, p(paraphrase | phrase), which its arrays do not keep.
DIRECTED = "plain.tsv"
_DIRECTED_COLUMNS = 3

TABLE = FileOption(
    "table",
    "",
    say(
        "It names a paraphrase table: phrase TAB paraphrase, with or without TAB "
        "probability; PPDB; a Moses phrase table, which is pivoted; or a store made from one."
    ),
    kind="table",
)


def _loaded(place: Path, content: str) -> PhraseTable:
    return map_store(place) if place.is_dir() else build(read_rows(place, _quiet))


load_table = ABOUT.cached(_loaded)
table_sha256 = ABOUT.sha256


def convert(source: Path, folder: Path, *, progress: Progress) -> dict[str, int]:
    """Make a store from a file, in a new or empty folder; `progress` gets the share done. The rows
    of phrase TAB paraphrase TAB probability are kept beside it, for test sets.

    Returns the numbers of phrases, pairs (in either direction) and skipped lines. Raises
    FileRefused with a line for each problem.
    """
    raw = read_rows(source, progress)
    table = build(raw)
    if _is_directed(source):
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, folder / DIRECTED)
    write_store(table, folder, source_sha256=sha256(source))
    progress(1.0)
    return {
        "phrases": len(table.phrases),
        "pairs": len(table.partners) // 2,
        "skipped": raw.skipped,
    }


def _is_directed(source: Path) -> bool:
    with source.open(encoding="utf-8-sig") as stream:
        first = next((line for line in stream if line.strip()), "")
    return "|||" not in first and first.count("\t") == _DIRECTED_COLUMNS - 1


def _quiet(share: float) -> None:
    """A progress callback that does nothing."""
