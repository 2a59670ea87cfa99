"""ParaEval (Zhou, Lin, Munteanu and Hovy 2006): recall of words by paraphrases and identity."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import product
from typing import Any

import numpy as np

from paraanno.plain.sentence import say
from scoring.metrics.base import AGAINST, Metric, Option, Score, references_option
from scoring.metrics.corpus_metric import NO_WORDS, NO_WORDS_TARGET
from scoring.metrics.decimal_option import DecimalOption
from scoring.metrics.phrases.paraeval_matching import Match, Solution, greedy, solve
from scoring.metrics.resources.table import TABLE, load_table, table_sha256
from scoring.metrics.resources.table_store import PhraseTable, Span
from scoring.metrics.resources.text_index import Ids
from scoring.metrics.texts import FOLD, WORD_CUT, Tokens, tokens, versions

# Limit of pairs of phrase positions: above it, each position gets one partner and optimality is not
# proved.
MOST_MATCHES = 20_000
_COPY = Solution((), "none", True)


@dataclass(frozen=True, slots=True)
class ReferenceWords:
    """The words of a reference, the positions of the table's phrases in it, and their partners in
    ascending order, each with its phrase in the reference."""

    words: Tokens
    spans: Mapping[int, list[Span]]
    partners: Ids
    owners: Ids


class Paraeval(Metric[ReferenceWords]):
    """Three tiers, each on the words left by the earlier ones: (1) phrases of several words on both
    sides, chosen optimally over the entire text; (2) phrase pairs with a single word on one side,
    the longest first; (3) identical words. No word counts twice on either side.
    """

    name = "paraeval"
    title = "ParaEval"
    summary = say(
        "0 to 1: the share of the reference's words covered by the paraphrase, through a "
        "paraphrase table or through identical words."
    )
    family = "paraphrase table"
    keeps_detail = True
    longest = 10_000
    chunk_size = 50
    OPTIONS = (
        AGAINST,
        references_option("max", "mean"),
        TABLE,
        WORD_CUT,
        FOLD,
        Option(
            "variant",
            "3",
            say(
                "Which tiers count: 3 (all), 2 (without single words in the table), or para_only "
                "(without identical words)."
            ),
            ("3", "2", "para_only"),
        ),
        DecimalOption(
            "min_probability", "0", say("Pairs in the table below this probability do not count.")
        ),
        Option(
            "state_cap",
            "2000",
            say(
                "Most states of the exact search in tier 1; above it, integer programming is used."
            ),
            least=1,
            most=1_000_000,
        ),
        DecimalOption(
            "time_limit",
            "0.4",
            say(
                "Time limit of integer programming in seconds; then the best choice found so far "
                "counts."
            ),
            low=0.01,
            high=60,
        ),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._lowercase = self.options["lowercase"] == "yes"
        self._tiers = {"3": "123", "2": "13", "para_only": "12"}[self.options["variant"]]
        self._least = float(self.options["min_probability"])
        self._table: PhraseTable | None = None

    @property
    def table(self) -> PhraseTable:
        """The table, loaded lazily."""
        if self._table is None:
            self._table = self._checked()
        return self._table

    def load(self) -> None:
        self._table = self._checked()

    def _checked(self) -> PhraseTable:
        table = load_table(self.options["table"])
        if self._least > 0 and not table.weighted:
            raise ValueError(
                say(
                    "%(metric)s: the table %(table)s has no probabilities; leave "
                    "min_probability out.",
                    metric=self.name,
                    table=self.options["table"],
                )
            )
        return table

    def versions(self) -> dict[str, str]:
        # Another version of the solver may take another of equally good choices.
        return {**versions(self.options["tokenize"]), "scipy": version("scipy")}

    def resources(self) -> dict[str, str]:
        return {"table": table_sha256(self.options["table"])}

    def words(self, text: str) -> Tokens:
        """The words of a text."""
        return tokens(text, self.options["tokenize"], lowercase=self._lowercase)

    def _know(self, targets: tuple[str, ...]) -> ReferenceWords:
        words = self.words(targets[0])
        spans = self.table.spans(words)
        return ReferenceWords(words, spans, *self.table.partners_of(list(spans), self._least))

    def _score(self, known: ReferenceWords, paraphrase: str) -> Score:
        words = self.words(paraphrase)
        if not known.words:
            return Score.undefined(NO_WORDS_TARGET)
        if not words:
            return Score.undefined(NO_WORDS)
        tiers: dict[str, Sequence[Match]]
        if "3" in self._tiers and words == known.words:
            # Paraphrases of one text could compete for the same words.
            best, tiers = _COPY, {"3": [Match(0, len(words), 0, len(words))]}
        else:
            best, tiers = self._tiered(known, words)
        covered = sum(one.end - one.start for taken in tiers.values() for one in taken)
        return Score(covered / len(known.words), detail=_detail(known.words, words, tiers, best))

    def _tiered(
        self, known: ReferenceWords, words: Tokens
    ) -> tuple[Solution, dict[str, Sequence[Match]]]:
        """The choice in tier 1, and the words that each tier covers."""
        matches, all_of_them = _matches(known, self.table.spans(words))
        long = [one for one in matches if one.end - one.start > 1 and one.to - one.at > 1]
        best = solve(
            long,
            state_cap=int(self.options["state_cap"]),
            time_limit=float(self.options["time_limit"]),
        )
        if not all_of_them:
            best = Solution(best.matches, best.solver, False)
        tiers: dict[str, Sequence[Match]] = {"1": best.matches}
        if "2" in self._tiers:
            used, theirs = _used(best.matches)
            short = (one for one in matches if one.end - one.start == 1 or one.to - one.at == 1)
            tiers["2"] = greedy(short, used, theirs)
        if "3" in self._tiers:
            taken = [one for tier in tiers.values() for one in tier]
            tiers["3"] = _same_words(known.words, words, taken)
        return best, tiers


def _matches(known: ReferenceWords, spans: Mapping[int, list[Span]]) -> tuple[list[Match], bool]:
    """The matches of phrases of the two texts, and whether the list is complete."""
    ids = list(spans)
    left = np.searchsorted(known.partners, ids)
    right = np.searchsorted(known.partners, ids, side="right")
    pairs = [
        (known.spans[owner], spans[ids[at]])
        for at in np.flatnonzero(left < right).tolist()
        for owner in known.owners[left[at] : right[at]].tolist()
    ]
    full = sum(len(mine) * len(theirs) for mine, theirs in pairs) <= MOST_MATCHES
    return [
        Match(*one, *other)
        for mine, theirs in pairs
        for one, other in (product(mine, theirs) if full else zip(mine, theirs, strict=False))
    ], full


def _used(matches: Iterable[Match]) -> tuple[int, int]:
    """The words in use in either text, as bits."""
    mine = theirs = 0
    for one in matches:
        mine |= (1 << one.end) - (1 << one.start)
        theirs |= (1 << one.to) - (1 << one.at)
    return mine, theirs


def _same_words(
    reference: Sequence[str], paraphrase: Sequence[str], taken: Iterable[Match]
) -> list[Match]:
    """Match identical words among those not taken, each used once, from the left."""
    mine, theirs = _used(taken)
    free: dict[str, list[int]] = defaultdict(list)
    for at in range(len(paraphrase) - 1, -1, -1):
        if not theirs >> at & 1:
            free[paraphrase[at]].append(at)
    found = []
    for start, word in enumerate(reference):
        if not mine >> start & 1 and free.get(word):
            at = free[word].pop()
            found.append(Match(start, start + 1, at, at + 1))
    return found


def _detail(
    reference: Sequence[str],
    paraphrase: Sequence[str],
    tiers: Mapping[str, Sequence[Match]],
    best: Solution,
) -> dict[str, object]:
    """The detail of the score, ready for JSON; spans are half-open word positions from 0."""
    told: dict[str, object] = {
        f"tier_{tier}": [
            {
                "reference": " ".join(reference[one.start : one.end]),
                "paraphrase": " ".join(paraphrase[one.at : one.to]),
                "reference_span": [one.start, one.end],
                "paraphrase_span": [one.at, one.to],
            }
            for one in taken
        ]
        for tier, taken in tiers.items()
    }
    return told | {
        "matched": sum(one.end - one.start for taken in tiers.values() for one in taken),
        "words": len(reference),
        "solver": best.solver,
        "optimal": best.optimal,
    }
