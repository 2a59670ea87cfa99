"""One annotator against the others, counted again by plain loops."""

from collections import defaultdict
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from scoring.stats.shared_tasks.board import RULES, freeze_placed
from scoring.stats.shared_tasks.measures import ceilings
from tests.scoring.stats.shared_tasks.made import make_judged


def by_hand(judged, public):
    """Half credit of each annotator's order of pairs against the mean of the others, pooled."""
    given = defaultdict(dict)
    for who, unit, value in zip(judged.annotator, judged.unit, judged.given, strict=True):
        given[unit][who] = value
    right = pairs = 0.0
    for i, j in combinations(range(len(judged.text)), 2):
        if judged.original[i] != judged.original[j] or judged.original_text[i] not in public:
            continue
        for who in set(given[i]) & set(given[j]):
            others = [np.mean([v for a, v in given[at].items() if a != who]) for at in (i, j)]
            gap, own = np.sign(np.round([others[0] - others[1], given[i][who] - given[j][who]], 9))
            pairs += gap != 0
            right += (gap != 0) * (1 + gap * own) / 2
    return right / pairs


def without_a_third():
    """Each text lacks one of the three: nobody has judged all."""
    judged = make_judged()
    kept = (judged.unit + judged.annotator) % 3 > 0
    sums = np.bincount(judged.unit[kept], judged.given[kept])
    columns = {name: getattr(judged, name)[kept] for name in ("annotator", "unit", "given")}
    return replace(judged, **columns, value=sums / 2)


@pytest.mark.parametrize("make", [make_judged, without_a_third])
def test_it_is_the_mean_of_annotators_against_the_mean_of_the_others(make):
    judged = make()
    frozen, places = freeze_placed(judged, public_share=0.3, seed=3)
    found = ceilings(judged, frozen, places, measures=["pairs", "pearson"], rule="sum")
    for part, inside in (("public", frozen.public), ("final", ~frozen.public)):
        texts = {frozen.original_texts[at] for at in np.flatnonzero(inside)}
        assert found["pairs"][part]["half"] == pytest.approx(by_hand(judged, texts))
        assert found["pairs"][part]["strict"] <= found["pairs"][part]["half"]
        assert found["pairs"][part]["annotators"] == 3 and 0 < found["pearson"][part]["value"] < 1
    by_votes = ceilings(judged, frozen, places, measures=["pairs"], rule="majority")
    assert 0.5 < by_votes["pairs"]["final"]["half"] <= 1


def test_equal_annotators_reach_one_and_imported_gold_has_no_ceiling():
    judged = make_judged()
    n = len(judged.text)
    same = replace(judged, given=np.tile(judged.given[:n], 3), value=judged.given[:n])
    frozen, places = freeze_placed(same, public_share=0, seed=3)
    for rule in RULES:
        found = ceilings(same, frozen, places, measures=["pairs"], rule=rule)
        assert found["pairs"]["final"]["half"] == 1 and "public" not in found["pairs"]
    for ratings in (0, n):  # Nobody, and one annotator.
        columns = {name: getattr(same, name)[:ratings] for name in ("annotator", "unit", "given")}
        few = replace(same, **columns)
        assert ceilings(few, frozen, places, measures=["pairs"], rule="sum") == {}
