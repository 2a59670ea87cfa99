"""Many pairs at once score as each alone does."""

import pytest

from scoring.metrics.registry import from_spec
from scoring.metrics.scored import scored
from scoring.metrics.values import Pair, reference_counts

WORDS = ["the", "old", "cat", "sat", "down", "on", "a", "mat"]
PAIRS = [
    Pair(f"the cat number {n % 7} sat", " ".join(WORDS[n % 5 : 3 + n % 11]), ("the cat sat",))
    for n in range(60)
]


@pytest.mark.parametrize("name", ["bleu", "pinc", "ter"])
def test_scores_stand_at_the_place_of_their_pair(name, monkeypatch):
    metric = from_spec(name)
    monkeypatch.setattr(type(metric), "chunk_size", 7)
    (found,) = scored({name: metric}, PAIRS, reference_counts(PAIRS))
    alone = [metric.score(pair).value for pair in PAIRS]
    assert [one.value for one in found.scores] == alone
    assert len(set(alone)) > 4
