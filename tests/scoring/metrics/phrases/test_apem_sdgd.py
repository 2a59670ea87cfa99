"""APEM with synonyms that a distance confirms (Moon, Gweon, Choi and Heo 2015)."""

import pytest

from tests.scoring.metrics.phrases.meaning import score


def test_the_threshold_keeps_as_the_paper_says_or_as_a_distance_means(files):
    """Section III D: 0.352 for nations and countries is kept, 0.163 for power and force is not."""
    distances = {}
    for keep_if, kept in (("score_at_least", "nation"), ("distance_at_most", "power")):
        found = score("apem_sdgd", "nation power", "country force", keep_if=keep_if, **files)
        assert found.value == 0.5
        assert [row[0] for row in found.detail["matched"]] == [kept]
        [(one, _, distance)] = found.detail["rejected"]
        distances[one] = distance
    assert distances == {
        "nation": pytest.approx(0.352, abs=1e-3),
        "power": pytest.approx(0.163, abs=1e-3),
    }
    assert score("apem_sdgd", "nation", "country", threshold="0.36", **files).value == 0


@pytest.mark.parametrize("keep_if", ["score_at_least", "distance_at_most"])
def test_words_that_share_no_page_are_never_matched(files, keep_if):
    options = {"keep_if": keep_if, "threshold": "0" if keep_if == "score_at_least" else "10"}
    found = score("apem_sdgd", "held a concert", "play", **options, **files)
    assert found.value == 0
    assert found.detail["rejected"] == [["hold concert", "play", None]]
    assert score("apem_sdgd", "power", "force", **options, **files).value == 1
