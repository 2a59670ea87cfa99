"""ParaMetric by hand, beside phrase pairs found one by one, and its properties."""

from fractions import Fraction

import pytest

from scoring.building.alignment import links_of
from scoring.building.paraphrases.parametric import (
    AlignedPairs,
    gold_of,
    has_probabilities,
    paraphrases_of,
    rate,
)
from scoring.metrics.resources.table import NO_PROBABILITY, RawTable

PAIRS = [
    ("The kids sleep .", "the children sleep", [(0, 0), (1, 1), (2, 2)]),
    ("young kids sleep", "kids doze", [(1, 0), (2, 1)]),
]
# By hand, as `phrase: its gold paraphrases`.
GOLD = {
    "kids": {"children", "young kids"},
    "children": {"kids"},
    "the kids": {"the children"},
    "the children": {"the kids"},
    "kids sleep": {"children sleep", "kids doze"},
    "children sleep": {"kids sleep"},
    "the kids sleep": {"the children sleep"},
    "the children sleep": {"the kids sleep"},
    "young kids": {"kids"},
    "sleep": {"doze"},
    "doze": {"sleep"},
    "kids doze": {"kids sleep", "young kids sleep"},
    "young kids sleep": {"kids doze"},
}
ROWS = [
    ("kids", "children", 0.5),
    ("kids", "are", 0.1),
    ("Kids!", "young", 0.05),
    ("sleep", "rest", 0.2),
    ("doze", "sleep", 0.3),
    ("the", "a", 0.4),
    ("cat", "dog", 0.9),
]


def aligned(pairs):
    return AlignedPairs(
        [left.split() for left, _, _ in pairs],
        [right.split() for _, right, _ in pairs],
        links_of([links for _, _, links in pairs]),
    )


def table(rows):
    found = RawTable()
    for row in rows:
        found.add(*row)
    return found


def test_gold_by_hand():
    found = gold_of(aligned(PAIRS))
    assert found.paraphrases == GOLD
    assert found.pairs == 16
    assert {"the", "young", "kids doze"} < found.phrases
    assert not {"cat", ".", ""} & found.phrases


@pytest.mark.parametrize(
    ("least", "precision", "recall", "phrases"),
    [
        # kids 1 of 3, sleep 0 of 1, doze 1 of 1, the 0 of 1; kids 1 of 2 gold, doze 1 of 1.
        (0, Fraction(1, 3), Fraction(3, 26), 4),
        (0.2, Fraction(1, 2), Fraction(3, 26), 4),
        (0.35, Fraction(1, 2), Fraction(1, 26), 2),
        (0.45, Fraction(1), Fraction(1, 26), 1),
        (0.95, None, Fraction(0), 0),
    ],
)
def test_rating_by_hand(least, precision, recall, phrases):
    gold = gold_of(aligned(PAIRS))
    found = rate(paraphrases_of(table(ROWS), gold.phrases, least=least), gold)
    assert found.precision == (None if precision is None else pytest.approx(float(precision)))
    assert found.recall == pytest.approx(float(recall))
    assert (found.with_paraphrases, found.with_gold) == (phrases, 13)


def test_counts_of_pairs():
    gold = gold_of(aligned(PAIRS))
    found = rate(paraphrases_of(table(ROWS), gold.phrases), gold)
    assert (found.table_pairs, found.shared_pairs) == (6, 2)


def test_no_gold_leaves_recall_undefined():
    gold = gold_of(aligned([("a b", "a b", [(0, 0), (1, 1)])]))
    found = rate(paraphrases_of(table([("a", "c", 0.5)]), gold.phrases), gold)
    assert (found.precision, found.recall) == (0, None)


def test_pairs_without_probability_count_at_0_alone():
    some = table([("kids", "children", NO_PROBABILITY), ("kids", "boys", 0.5)])
    assert paraphrases_of(some, {"kids"}) == {"kids": {"children", "boys"}}
    assert paraphrases_of(some, {"kids"}, least=0.1) == {"kids": {"boys"}}
    assert has_probabilities(some)
    assert not has_probabilities(table([("kids", "children", NO_PROBABILITY)]))
