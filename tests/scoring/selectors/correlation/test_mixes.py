"""Two metrics mixed, and all of them fitted to people: computed when asked for."""

from scoring.correlation.report import best_mix_get, columns_get, mix_get
from tests.scoring.selectors.clusters import drawn


def test_intervals_of_mixes_are_by_phrase(campaign):
    columns = columns_get(campaign=campaign)
    first, second = columns.runs
    curve = mix_get(columns=columns, runs=(first, second), human="MEANING", scale="minmax")
    assert drawn(curve) == {"phrases"}
    assert drawn(best_mix_get(columns=columns, human="MEANING", fit="nnls")) == {"phrases"}
