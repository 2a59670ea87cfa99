"""Two metrics mixed, and all of them fitted to people: computed when asked for."""

from dataclasses import replace

import numpy as np

from scoring.correlation.report import best_mix_get, columns_get, mix_get
from tests.scoring.selectors.clusters import behind, drawn


def test_intervals_of_mixes_are_by_phrase(campaign):
    columns = columns_get(campaign=campaign)
    first, second = columns.runs
    curve = mix_get(columns=columns, runs=(first, second), human="MEANING", scale="minmax")
    best = best_mix_get(columns=columns, human="MEANING", fit="nnls")
    for found in (curve, best):
        assert drawn(found) == {"phrases"} and behind(found.to_json()) == {6}


def test_a_phrase_of_several_items_is_held_out_whole(campaign):
    """Its texts recur in its items: a fold of one of them would be fitted on the others."""
    columns = columns_get(campaign=campaign)
    ratings = columns.ratings
    one_an_item = replace(ratings, item=np.arange(ratings.item.size))
    folds = [
        best_mix_get(columns=replace(columns, ratings=given), human="MEANING", fit="nnls").by_fold
        for given in (ratings, one_an_item, replace(ratings, phrase=one_an_item.item))
    ]
    assert folds[0] == folds[1] != folds[2]
