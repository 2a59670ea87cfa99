"""The sample of matches that people judge."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from scoring.metrics import Pair, create
from scoring.metrics.phrases.apem import Matching, Original
from scoring.metrics.phrases.judged_matches import MatchedPair, MatchedText, rows, sample

TABLE = "at last\tin the end\t.4\ntook off\tflew away\t.5\nred car\tfast vehicle\t.2\n"
PAIRS = [
    ("In the end, it flew away.", "At last it took off!"),
    ("He saw the red car in the end", "He saw the fast vehicle at last"),
    ("Nothing here.", "Nothing at all."),
    ("In the end we left.", "At last we left."),
]


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "table.tsv"
    path.write_text(TABLE)
    metric = create("paraeval", {"table": str(path), "against": "original"})
    found = []
    for original, text in PAIRS:
        detail = metric.score(Pair(original, text)).detail
        assert detail is not None
        tier = detail["tier_1"]
        assert isinstance(tier, list)
        found.append(MatchedText(("Not this one.", original), text, tier))
    return found


def test_each_pair_stands_where_it_says(texts):
    found = sample(texts, 9, seed=1, tokenize="words")
    assert {(one.phrase.lower(), one.paraphrase.lower()) for one in found} <= {
        ("in the end", "at last"),
        ("flew away", "took off"),
        ("red car", "fast vehicle"),
    }
    for one, row in zip(found, rows(found), strict=True):
        assert row["sentence"][row["start"] : row["end"]] == one.phrase
        assert row["own_sentence"][row["own_start"] : row["own_end"]] == one.paraphrase
        assert (one.sentence, one.own_sentence) in PAIRS


def test_texts_that_match_one_phrase_of_a_sentence_have_different_ranks():
    pairs = [
        MatchedPair("red car", "a red car", 2, one, one, 0) for one in ("fast vehicle", "fast cars")
    ]
    pairs.append(MatchedPair("a car", "a car", 0, "b", "b", 0))
    assert [row["rank"] for row in rows(pairs)] == [1, 2, 1]


@pytest.mark.parametrize("seed", range(5))
def test_no_pair_twice_and_one_of_a_text_at_most(texts, seed):
    found = sample(texts, 9, seed=seed, tokenize="words")
    assert len({(one.phrase.lower(), one.paraphrase.lower()) for one in found}) == len(found)
    assert len({one.own_sentence for one in found}) == len(found) >= 2
    assert sample(texts, 9, seed=seed, tokenize="words") == found
    assert len(sample(texts, 1, seed=seed, tokenize="words")) == 1


# One-to-one matching of the units of two texts: identical ones, then synonyms, then phrases.


@given(
    st.lists(st.sampled_from("ab"), min_size=1, max_size=6),
    st.lists(st.sampled_from("wxy"), min_size=1, max_size=6),
    st.sets(st.tuples(st.sampled_from("ab"), st.sampled_from("wxy"))),
)
def test_as_many_synonyms_are_matched_as_can_be(left, right, edges):
    groups = {}
    for number, (one, other) in enumerate(sorted(edges)):
        groups.setdefault((one,), []).append(number)
        groups.setdefault((other,), []).append(number)
    matching = Matching(Original(left), right)
    matching.match_synonyms(groups, lambda one, other: True)
    matched = [(one, other) for one, other, _ in filter(None, matching.matches)]
    graph = [[(one, other) in edges for other in right] for one in left]
    most = maximum_bipartite_matching(csr_array(graph))
    assert len(matched) == (most >= 0).sum()
    assert set(matched) <= edges
    assert Counter(left) == Counter(one for one, _ in matched) + Counter(matching.left(0))
    assert Counter(right) == Counter(two for _, two in matched) + Counter(matching.left(1))
