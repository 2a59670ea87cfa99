"""Drawing phrases of test sentences: enumeration, cut-offs, and a balance of constituents.

After the guide of Callison-Burch (2008), step 5, which has cut-offs but no numbers for them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from paraanno.common.texts import Sentence, say
from scoring.building.alignment import Words, read_words
from scoring.building.corpora import Corpus
from scoring.building.labels import SentenceLabels
from scoring.metrics.files import FileRefused, Problems, all_lines

Place = tuple[int, int, int]  # A sentence, and the words of a span in it from, to (half open).
SEED = 2008
# Defaults of the cut-offs, strictest first: least occurrences in the test sentences and in the
# training text. Those of a small corpus are lowered until enough phrases pass.
STEPS = ((2, 10), (2, 3), (1, 3), (1, 1))
MOST_OCCURRENCES = 60


@dataclass(frozen=True, slots=True)
class Cuts:
    """Which phrases may be drawn. Occurrences in the test sentences are from `test_least` to
    `test_most`, those in the training text at least `train_least`."""

    min_words: int = 1
    max_words: int = 3
    test_least: int = STEPS[0][0]
    test_most: int = MOST_OCCURRENCES
    train_least: int = STEPS[0][1]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A phrase, its number of occurrences in the test sentences and in the training text (None
    without one), whether it is drawn as a constituent (None without parses), and its places."""

    phrase: str
    test_count: int
    train_count: int | None
    constituent: bool | None
    places: tuple[Place, ...]


@dataclass(slots=True)
class Candidates:
    """Phrases that passed the cut-offs with all their places, the counts of the training text, and
    how many phrases each cut-off removed, in order."""

    places: dict[str, list[Place]]
    train: Mapping[str, int] | None
    removed: dict[str, int] = field(default_factory=dict)


def enumerate_phrases(sentences: Sequence[Words], cuts: Cuts) -> dict[str, list[Place]]:
    """All phrases of the sentences with their places."""
    places: dict[str, list[Place]] = {}
    for number, words in enumerate(sentences):
        for start in range(len(words)):
            last = min(len(words), start + cuts.max_words)
            for end in range(start + cuts.min_words, last + 1):
                places.setdefault(" ".join(words[start:end]), []).append((number, start, end))
    return places


def passing(
    phrases: Mapping[str, list[Place]],
    cuts: Cuts,
    *,
    grammar_words: Collection[str],
    train: Mapping[str, int] | None,
    has_paraphrase: Callable[[str], bool],
) -> Candidates:
    """The phrases that pass all cut-offs: not only of function words and punctuation, without
    punctuation at either end (nobody would replace a full stop), as frequent as asked, and with a
    paraphrase."""
    remaining = dict(phrases)
    removed: dict[str, int] = {}

    def cut(name: str, passes: Callable[[str, list[Place]], bool]) -> None:
        before = len(remaining)
        for phrase in [one for one, places in remaining.items() if not passes(one, places)]:
            del remaining[phrase]
        removed[name] = before - len(remaining)

    cut("grammar words and marks alone", lambda phrase, _: _has_content(phrase, grammar_words))
    cut("a mark at an end", lambda phrase, _: all(map(_is_word, _ends(phrase))))
    cut("test count", lambda _, places: cuts.test_least <= len(places) <= cuts.test_most)
    if train is not None:
        cut("train count", lambda phrase, _: train[phrase] >= cuts.train_least)
    cut("no paraphrase", lambda phrase, _: has_paraphrase(phrase))
    return Candidates(remaining, train, removed)


def _has_content(phrase: str, grammar_words: Collection[str]) -> bool:
    words = phrase.split(" ")
    return any(word.lower() not in grammar_words and _is_word(word) for word in words)


def _ends(phrase: str) -> tuple[str, str]:
    words = phrase.split(" ")
    return words[0], words[-1]


def _is_word(text: str) -> bool:
    return any(map(str.isalnum, text))


def draw(
    candidates: Candidates,
    n: int,
    *,
    seed: int = SEED,
    contexts: int = 4,
    labels: Sequence[SentenceLabels] | None = None,
    share: float = 0.5,
) -> list[Drawn]:
    """Draw up to `n` phrases, each with up to `contexts` places.

    No two places overlap, so that nobody sees a phrase and a part of it in one sentence. With
    `labels` the share of constituents is as asked, within 1, while there are enough of both; a
    phrase counts as a constituent if it is one at half of its places or more, and then only these
    places are drawn (of other phrases only the others). Candidates that no free place is left of
    are counted as removed. The same arguments draw the same phrases.
    """
    source = random.Random(seed)  # noqa: S311 - a draw that can be repeated, no secret
    order = sorted(candidates.places)
    source.shuffle(order)
    wanted: dict[bool | None, int] = {None: n}
    if labels is not None:
        wanted = {True: round(n * share), False: n - round(n * share)}
    taken: dict[int, list[tuple[int, int]]] = {}
    drawn: list[Drawn] = []
    late: list[str] = []  # Of a stratum that is full: they fill up the other if it is short.
    blocked = 0
    for phrase in order:
        stratum, places = _stratum(candidates.places[phrase], labels)
        if len(drawn) == n:
            break
        if not wanted[stratum]:
            late.append(phrase)
            continue
        free = _free(places, taken)
        if not free:
            blocked += 1
            continue
        wanted[stratum] -= 1
        drawn.append(_take(candidates, phrase, stratum, free, contexts, source, taken))
    for phrase in late:
        if len(drawn) == n:
            break
        stratum, places = _stratum(candidates.places[phrase], labels)
        if free := _free(places, taken):
            drawn.append(_take(candidates, phrase, stratum, free, contexts, source, taken))
        else:
            blocked += 1
    candidates.removed["overlaps a phrase drawn"] = blocked
    return drawn


def _stratum(
    places: list[Place], labels: Sequence[SentenceLabels] | None
) -> tuple[bool | None, list[Place]]:
    if labels is None:
        return None, places
    whole: list[Place] = []
    other: list[Place] = []
    for place in places:
        sentence, start, end = place
        label = labels[sentence].get((start, end))
        (whole if label is not None and label.constituent else other).append(place)
    return (True, whole) if len(whole) >= len(other) else (False, other)


def _free(places: list[Place], taken: Mapping[int, list[tuple[int, int]]]) -> list[Place]:
    free: list[Place] = []
    last: dict[int, int] = {}  # A phrase can overlap itself.
    for sentence, start, end in places:
        used = taken.get(sentence, [])
        if start < last.get(sentence, 0) or any(start < b and a < end for a, b in used):
            continue
        last[sentence] = end
        free.append((sentence, start, end))
    return free


def _take(
    candidates: Candidates,
    phrase: str,
    stratum: bool | None,
    free: list[Place],
    contexts: int,
    source: random.Random,
    taken: dict[int, list[tuple[int, int]]],
) -> Drawn:
    places = sorted(source.sample(free, min(contexts, len(free))))
    for sentence, start, end in places:
        taken.setdefault(sentence, []).append((start, end))
    train = None if candidates.train is None else candidates.train[phrase]
    return Drawn(phrase, len(candidates.places[phrase]), train, stratum, tuple(places))


# English function words: a phrase of only these and punctuation says too little to be judged.


_ENGLISH = """
    a an the this that these those some any no each every either neither both all such
    i you he she it we they me him her us them my your his its our their mine yours hers ours
    theirs myself yourself himself herself itself ourselves themselves who whom whose which what
    and or but nor so yet if then than as because while when where why how whether though although
    of in on at by for with about against between into through during before after above below to
    from up down out off over under again onto upon within without toward towards
    is am are was were be been being has have had having do does did doing will would shall should
    can could may might must not n't 's 're 've 'll 'd 'm there here too very just only also
"""
GRAMMAR_WORDS = frozenset(_ENGLISH.split())


def read_grammar_words(path: Path) -> frozenset[str]:
    """The words of a file, separated by white space, in lower case. Raises FileRefused."""
    problems = Problems(path)
    words = frozenset(
        word for _, text in all_lines(path, problems) for word in text.lower().split()
    )
    problems.check()
    return words


# Test sentences, and how they compare with the training text.


_MOST_UNKNOWN = 0.05
_ENOUGH = 8  # Words of a sentence that is not found in a training text by chance.


@dataclass(frozen=True, slots=True)
class SentenceFile:
    """All sentences of a file, its words as they are, and which of them are in use: those with
    words, each text once. `repeated` are the lines of texts that were there before."""

    every: list[Words]
    used: list[int]
    repeated: int

    @property
    def sentences(self) -> list[Words]:
        """Those in use."""
        return [self.every[line] for line in self.used]


def read_sentences(path: Path) -> SentenceFile:
    """Read one sentence a line, its words separated by white space. Raises FileRefused."""
    every = read_words(path)
    seen: set[str] = set()
    used = []
    repeated = 0
    for line, words in enumerate(every):
        text = " ".join(words)
        if words and text in seen:
            repeated += 1
        elif words:
            used.append(line)
        seen.add(text)
    if not used:
        raise FileRefused.at(path, 0, say("has no sentence; write one on each line."))
    return SentenceFile(every, used, repeated)


def train_counts(corpus: Corpus, phrases: Iterable[str]) -> dict[str, int]:
    """How often each phrase occurs in the training text."""
    queries = list(phrases)
    counts = corpus.counts([_as_in(corpus, phrase.split(" ")) for phrase in queries])
    return dict(zip(queries, counts.tolist(), strict=True))


def train_warnings(corpus: Corpus, sentences: Sequence[Words]) -> list[Sentence]:
    """What should make one doubt that training text and test sentences fit together."""
    warnings = []
    long = [words for words in sentences if len(words) >= _ENOUGH]
    same = int((corpus.counts([_as_in(corpus, words) for words in long]) > 0).sum())
    if same:
        warnings.append(
            say(
                "%(n)s of %(all)s test sentences of %(words)s words or more are in the training "
                "text; their paraphrases look better than they are.",
                n=same,
                all=len(long),
                words=_ENOUGH,
            )
        )
    words = [word for sentence in sentences for word in sentence]
    unknown = int((corpus.counts([_as_in(corpus, [word]) for word in words]) == 0).sum())
    if unknown > _MOST_UNKNOWN * len(words):
        warnings.append(
            say(
                "%(n)s of %(all)s words of the test sentences are not in the training text; are "
                "both tokenized and cased in the same way?",
                n=unknown,
                all=len(words),
            )
        )
    return warnings


def _as_in(corpus: Corpus, words: Words) -> Words:
    return [word.lower() for word in words] if corpus.lowercase else words
