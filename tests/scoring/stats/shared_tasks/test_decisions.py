"""The acceptance numbers: oracle 1, reversed 0, ties half, a coin .5, swaps change nothing."""

import numpy as np
import pytest

from scoring.stats.evaluation.pairwise import pairwise_accuracy
from scoring.stats.shared_tasks.board import RULES
from scoring.stats.shared_tasks.submissions import (
    Answers,
    choices_of,
    combined,
    decisions,
    decisions_together,
    part_of,
    tally,
)
from tests.scoring.stats.shared_tasks.made import make_frozen


def answers_of(frozen, directions):
    signs = {"a": 1, "b": -1, "=": 0}
    said = [signs[one] for one in choices_of(directions.tolist())]
    return Answers("choice", dict(zip(frozen.pairs, said, strict=True)), ())


@pytest.mark.parametrize("part", ["public", "final"])
@pytest.mark.parametrize("rule", RULES)
def test_oracle_reverse_and_ties(rule, part):
    frozen = make_frozen()
    people = frozen.people(rule)
    for said, strict, half in ((people, 1, 1), (-people, 0, 0), (0 * people, 0, 0.5)):
        found = tally(decisions(answers_of(frozen, said), frozen), frozen, rule, part)
        assert (found.strict, found.half) == (strict, half)


def test_pairs_that_people_tie_count_nowhere():
    frozen = make_frozen()
    tied = frozen.by_sum == 0
    assert tied.any()
    other = np.where(tied, 1, frozen.by_sum)
    assert tally(other, frozen, "sum", "final").strict == 1


def test_scores_agree_with_the_accuracy_of_the_correlation_pages():
    frozen = make_frozen(public_share=0.0)
    scores = np.round(np.random.default_rng(4).normal(size=len(frozen.ids)), 1)
    answers = Answers("score", dict(zip(frozen.ids, scores.tolist(), strict=True)), ())
    found = tally(decisions(answers, frozen), frozen, "sum", "final")
    known = pairwise_accuracy(frozen.gold, scores, frozen.original)
    assert found.half == pytest.approx(known.value)
    assert found.strict == pytest.approx(known.details["strict"])


def test_the_parts_are_all_pairs_together():
    frozen = make_frozen()
    parts = [tally(frozen.by_sum, frozen, "sum", part).pairs.sum() for part in ("public", "final")]
    assert sum(parts) == (frozen.by_sum != 0).sum()
    assert part_of(frozen, "public").sum() == frozen.public.sum()


def test_columns_together_count_what_only_one_has_right():
    frozen = make_frozen()
    said = {"oracle": frozen.by_sum, "reverse": -frozen.by_sum}
    found = decisions_together(said, frozen, "sum", "final")
    assert found.only.tolist() == [[0, found.pairs.sum()], [0, 0]]


def test_a_combination_gives_both_the_same_weight():
    both = combined(np.array([10.0, 20, 30]), np.array([-3.0, -2, -1]))
    assert both.tolist() == [0, 1, 2]
