"""METEOR in the form of Lavie and Agarwal (2007), number for number as nltk computes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from scoring.metrics.base import AGAINST, Metric, Option, Score, references_option
from scoring.metrics.corpus import NO_WORDS, NO_WORDS_TARGET
from scoring.metrics.options import DecimalOption
from scoring.metrics.stems import stem
from scoring.metrics.stems import versions as stem_versions
from scoring.metrics.texts import Tokens, tokens
from scoring.metrics.tokenizers import versions
from scoring.metrics.wordnet import (
    Synset,
    WordNet,
    find_wordnet,
    load_wordnet,
    wordnet_sha256,
    wordnet_version,
)
from scoring.metrics.words import WORD_CUT

Alike = Callable[[str], Callable[[str], bool]]  # Of a word, the test for another one.
Places = list[tuple[int, str]]  # Words, or their stems, with the places where they stand.
Match = tuple[int, int]  # A place in the paraphrase, and one in the text compared with.


class Meteor(Metric[Tokens]):
    """0 (no word in common) to nearly 1: words matched as they are, by stem, or as synonyms of
    WordNet, with a penalty where matched words stand in another order. For English.

        METEOR = (1 - gamma * (chunks / matches)^beta) * P * R / (alpha * P + (1 - alpha) * R)

    Equal to nltk's `meteor_score` of the same words, apart from texts without words, which have
    no score. Not the METEOR 1.5 of its authors: that has other weights and paraphrase tables.
    """

    name = "meteor"
    title = "METEOR (NLTK, 2007 form)"
    family = "overlap"
    OPTIONS = (
        AGAINST,
        references_option("max", "mean"),
        WORD_CUT,
        DecimalOption("alpha", "0.9", "The weight of recall against precision."),
        DecimalOption("beta", "3", "How steeply the penalty for the order grows.", high=100),
        DecimalOption("gamma", "0.5", "The greatest penalty for the order."),
        Option(
            "lookup",
            "stems",
            "What is looked up in WordNet: stems, as nltk does, of which it has few; or words, "
            "which match where they share a set of synonyms, as in the paper.",
            ("stems", "words"),
        ),
    )

    def __init__(self, **options: Any) -> None:
        """Raises ValueError where there is no WordNet, saying how to get it."""
        super().__init__(**options)
        self._alpha, self._beta, self._gamma = (
            float(self.options[name]) for name in ("alpha", "beta", "gamma")
        )
        self._folder = find_wordnet()
        self._wordnet: WordNet | None = None

    @property
    def wordnet(self) -> WordNet:
        """WordNet, opened when first needed."""
        if self._wordnet is None:
            self._wordnet = load_wordnet(self._folder)
        return self._wordnet

    def load(self) -> None:
        self._wordnet = load_wordnet(self._folder)

    def versions(self) -> dict[str, str]:
        found = {"wordnet": wordnet_version(self._folder)}
        return versions(self.options["tokenize"]) | stem_versions() | found

    def resources(self) -> dict[str, str]:
        return {"wordnet": wordnet_sha256(self._folder)}

    def _know(self, targets: tuple[str, ...]) -> Tokens:
        return tokens(targets[0], self.options["tokenize"], lowercase=True)

    def _score(self, known: Tokens, paraphrase: str) -> Score:
        words = self._know((paraphrase,))
        if not known:
            return Score.undefined(NO_WORDS_TARGET)
        if not words:
            return Score.undefined(NO_WORDS)
        matches = self._align(words, known)
        if not matches:
            return Score(0.0)
        precision, recall = len(matches) / len(words), len(matches) / len(known)
        mean = precision * recall / (self._alpha * precision + (1 - self._alpha) * recall)
        penalty = self._gamma * (_chunks(matches) / len(matches)) ** self._beta
        return Score((1 - penalty) * mean)

    def _align(self, words: Sequence[str], others: Sequence[str]) -> list[Match]:
        """Which words match: the same ones, then those of one stem, then synonyms; in order.

        Each stage goes from the last word of the paraphrase to the first and takes the last match
        that is free.
        """
        mine, theirs = list(enumerate(words)), list(enumerate(others))
        matches, mine, theirs = _match_equal(mine, theirs)
        if mine and theirs:
            stemmed, mine, theirs = _match_equal(_stems(mine), _stems(theirs))
            matches += stemmed
        if mine and theirs:
            if self.options["lookup"] == "words":
                mine = [(place, words[place]) for place, _ in mine]
                theirs = [(place, others[place]) for place, _ in theirs]
                matches += _match_alike(mine, theirs, self._shares_synset)
            else:
                matches += _match_alike(mine, theirs, self._is_synonym)
        matches.sort()
        return matches

    def _is_synonym(self, word: str) -> Callable[[str], bool]:
        return _synonyms(self.wordnet, word).__contains__

    def _shares_synset(self, word: str) -> Callable[[str], bool]:
        mine = _synsets(self.wordnet, word)
        return lambda other: not mine.isdisjoint(_synsets(self.wordnet, other))


@lru_cache(maxsize=65_536)
def _synonyms(wordnet: WordNet, word: str) -> frozenset[str]:
    return wordnet.synonyms(word)


@lru_cache(maxsize=65_536)
def _synsets(wordnet: WordNet, word: str) -> frozenset[Synset]:
    return wordnet.synsets(word)


def _stems(words: Places) -> Places:
    return [(place, stem(word)) for place, word in words]


def _match_equal(mine: Places, theirs: Places) -> tuple[list[Match], Places, Places]:
    """The matches of equal words, and what is left on either side."""
    free: dict[str, list[int]] = {}
    for place, word in theirs:
        free.setdefault(word, []).append(place)
    matches, rest = [], []
    for one in reversed(mine):
        places = free.get(one[1])
        if places:
            matches.append((one[0], places.pop()))
        else:
            rest.append(one)
    rest.reverse()
    taken = {place for _, place in matches}
    return matches, rest, [other for other in theirs if other[0] not in taken]


def _match_alike(mine: Places, theirs: Places, alike: Alike) -> list[Match]:
    free = theirs[::-1]
    matches = []
    for place, word in reversed(mine):
        matching = alike(word)
        for at, (other, candidate) in enumerate(free):
            if matching(candidate):
                matches.append((place, other))
                del free[at]
                break
    return matches


def _chunks(matches: Sequence[Match]) -> int:
    """How many runs of matches stand side by side in both texts."""
    return 1 + sum(
        (one + 1, other + 1) != following
        for (one, other), following in zip(matches, matches[1:], strict=False)
    )
