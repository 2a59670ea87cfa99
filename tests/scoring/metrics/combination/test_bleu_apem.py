"""BLEU and APEM together (Moon, Gweon, Choi and Heo 2015, table 2)."""

import pytest

from scoring.metrics import Pair, create
from tests.scoring.metrics.combination.parts import PAIRS

KOREAN = [
    Pair("U2가 콘서트를 개최한 국가는?", "U2는 어느 나라에서 콘서트를 열었나?"),
    Pair("학생이 학교에 갔다.", "학생은 'School'에 갔다."),
    Pair("그는 (다시) 웃었다!", "그는 다시, 또 웃었다."),
]
ENGLISH = [
    Pair("The cat sat on the mat.", "the cat's mat, on which it sat", ("A cat sat there.", "Cat!")),
    Pair("It costs 3.50 EUR.", "it costs 3.5 eur", ("The price: 3.50 EUR",)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "pairs"), [("ko", KOREAN), ("en", ENGLISH)])
@pytest.mark.parametrize("bleu", ["bleu_1max", "bleu"])
def test_it_is_made_of_the_columns_beside_it(lang, pairs, bleu):
    """Each part equals the metric with its own defaults: its words, not those of another one."""
    found = create("bleu_apem", {"lang": lang, "bleu": bleu}).score_many(pairs)
    one, other = create(bleu), create("apem", {"lang": lang})
    for score, wording, meaning in zip(
        found, one.score_many(pairs), other.score_many(pairs), strict=True
    ):
        term = wording.value / (100 if one.percent else 1)
        assert score.detail["parts"] == [
            [bleu, wording.value, term, 0.2],
            ["apem", meaning.value, meaning.value, 0.8],
        ]
        assert score.value == 0.2 * term + 0.8 * meaning.value


def test_an_earlier_run_keeps_its_tokens_and_another_signature():
    """Runs store all options: those made when 13a was the default go on with it."""
    earlier = create("bleu_apem", {"tokenize": "13a", "lowercase": "no", "lang": "en"})
    part = create("bleu_1max", {"tokenize": "13a", "lowercase": "no"})
    assert earlier.score(ENGLISH[0]).detail["parts"][0][1] == part.score(ENGLISH[0]).value
    now = create("bleu_apem", {"lang": "en"})
    assert now.score(ENGLISH[0]).value != earlier.score(ENGLISH[0]).value
    signature = str(now.signature())
    assert signature != str(earlier.signature())
    assert "tokenize:own" in signature and "tokenize%3Awords" in signature
    for given, option in ((True, "yes"), ("false", "no")):
        metric = create("bleu_apem", {"lowercase": given, "lang": "en"})
        assert metric.options["lowercase"] == option


def test_bleu_apem_hands_its_options_on(synonyms):
    options = {"lang": "en", "apem": "apem_sd", "weight": 0, "synonyms": synonyms}
    metric = create("bleu_apem", options)
    assert metric.score(Pair("the cat ran", "a kitten went")).value == 1
    of_all, original = (
        create("bleu_apem", {"lang": "en", "against": against}).score(PAIRS[0]).value
        for against in ("auto", "original")
    )
    assert of_all != original
    with pytest.raises(ValueError, match="apem_sd: the option synonyms=FILE is missing"):
        create("bleu_apem", {"apem": "apem_sd"})
    with pytest.raises(ValueError, match="bleu_apem: no part takes synonyms="):
        create("bleu_apem", {"synonyms": synonyms})
    assert create("bleu_apem", {"lang": "ko"}).queue == "korean"


@pytest.mark.slow
def test_bleu_apem_counts_korean_morphemes_where_asked():
    pair = Pair("학생이 학교에 갔다", "학생은 학교로 갔다")
    for bleu in ("bleu_1max", "bleu"):
        words, morphemes = (
            create("bleu_apem", {"bleu": bleu, "tokenize": cut, "lang": "ko"}).score(pair).value
            for cut in ("none", "ko")
        )
        assert 0 < words < morphemes < 1
