"""Two metrics mixed, and all of them fitted to people: computed when asked for."""

from scoring.correlation.report import best_mix_get, columns_get, mix_get
from tests.scoring.selectors.clusters import behind, drawn


def test_intervals_of_mixes_are_by_phrase(campaign):
    columns = columns_get(campaign=campaign)
    first, second = columns.runs
    curve = mix_get(columns=columns, runs=(first, second), human="MEANING", scale="minmax")
    best = best_mix_get(columns=columns, human="MEANING", fit="nnls")
    for found in (curve, best):
        assert drawn(found) == {"phrases"} and behind(found.to_json()) == {6}
