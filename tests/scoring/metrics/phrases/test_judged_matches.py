"""The sample of matches that people judge."""

import pytest

from scoring.metrics import Pair, create
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
