"""From test sentences and paraphrases to the items of a test set."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from scoring.building.alignment.parallel import Words
from scoring.building.labels.spans import SentenceLabels
from scoring.building.test_sets.conditions import Chooser, Chosen
from scoring.building.test_sets.drawing import (
    STEPS,
    Candidates,
    Cuts,
    Drawn,
    Place,
    draw,
    passing,
)

RANKS = 2  # The best paraphrase of a condition, and on request the second.
SECOND = 8  # Added to the number of a condition for its second paraphrase, as in the guide's file.


@dataclass(frozen=True, slots=True)
class SystemOutput:
    """What a system gave: `choice` None if nothing. `rank` counts from 1."""

    system: str
    rank: int
    choice: Chosen | None


@dataclass(frozen=True, slots=True)
class BuiltItem:
    """A phrase in a sentence with the outputs of all systems. `name` is phrase.item, from 1; the
    span counts characters of the sentence, whose words are separated by one blank."""

    name: str
    drawn: Drawn
    sentence: str
    start: int
    end: int
    label: str | None
    outputs: tuple[SystemOutput, ...]

    def by_text(self) -> dict[str, list[SystemOutput]]:
        """The outputs by their paraphrase, in the order of systems."""
        found: dict[str, list[SystemOutput]] = {}
        for one in self.outputs:
            if one.choice is not None:
                found.setdefault(one.choice.text, []).append(one)
        return found


def select(
    phrases: Mapping[str, list[Place]], cuts: Cuts, n: int, *, grammar_words: Collection[str],
    train: Mapping[str, int] | None, choosers: Mapping[str, Chooser],
    lower_test: bool = True, lower_train: bool = True,
) -> tuple[Candidates, Cuts]:  # fmt: skip
    """The phrases that pass the cut-offs, and the cut-offs used.

    Where fewer than `n` pass, the minimum counts are lowered in the steps of STEPS, but for those
    that `lower_test` and `lower_train` hold.
    """
    steps = [
        replace(
            cuts,
            test_least=min(cuts.test_least, test) if lower_test else cuts.test_least,
            train_least=min(cuts.train_least, train_)
            if lower_train and train is not None
            else cuts.train_least,
        )
        for test, train_ in STEPS
    ]
    for used in dict.fromkeys([cuts, *steps]):
        candidates = passing(
            phrases, used, grammar_words=grammar_words, train=train,
            has_paraphrase=lambda phrase: any(one.has(phrase) for one in choosers.values()),
        )  # fmt: skip
        if len(candidates.places) >= n:
            return candidates, used
    return candidates, used


def make_items(
    candidates: Candidates, n: int, *, sentences: Sequence[Words],
    choosers: Mapping[str, Chooser], seed: int, contexts: int,
    labels: Sequence[SentenceLabels] | None, share: float, ranks: int = 1,
) -> list[BuiltItem]:  # fmt: skip
    """Draw phrases and ask every system for its paraphrases. `choosers` by the name of their
    source, which stands before the number of the condition where there are several."""
    drawn = draw(candidates, n, seed=seed, contexts=contexts, labels=labels, share=share)
    items = []
    for number, one in enumerate(drawn, 1):
        for at, (sentence, start, end) in enumerate(one.places, 1):
            words = sentences[sentence]
            label = labels[sentence].get((start, end)) if labels is not None else None
            name = None if label is None else label.names[0]
            begin = sum(len(word) + 1 for word in words[:start])
            items.append(
                BuiltItem(
                    f"{number}.{at}", one, " ".join(words), begin, begin + len(one.phrase), name,
                    tuple(_outputs(choosers, words, start, end, name, ranks)),
                )
            )  # fmt: skip
    return items


def _outputs(
    choosers: Mapping[str, Chooser], words: Words, start: int, end: int, label: str | None,
    ranks: int,
) -> Iterator[SystemOutput]:  # fmt: skip
    for source, chooser in choosers.items():
        for condition, choices in chooser.choose(words, start, end, label).items():
            system = str(condition) if len(choosers) == 1 else f"{source}:{condition}"
            for rank in range(1, ranks + 1):
                yield SystemOutput(
                    system, rank, choices[rank - 1] if len(choices) >= rank else None
                )
