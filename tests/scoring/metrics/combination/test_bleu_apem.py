"""BLEU and APEM together (Moon, Gweon, Choi and Heo 2015, table 2)."""

from __future__ import annotations

import pytest

from scoring.metrics import Pair, create
from tests.scoring.metrics.combination.parts import PAIRS


@pytest.mark.parametrize("bleu", ["bleu_1max", "bleu"])
def test_bleu_apem_by_hand(bleu):
    """Table 2 names BLEU_APEM(2:8), (5:5) and (8:2) without a formula."""
    for weight in (0.2, 0.5, 0.8):
        metric = create("bleu_apem", {"bleu": bleu, "lang": "en", "weight": weight})
        part = create(bleu)
        scale = 100 if part.percent else 1
        for pair in PAIRS[:3]:
            expected = (
                weight * part.score(pair).value / scale
                + (1 - weight) * create("apem", {"lang": "en"}).score(pair).value
            )
            assert metric.score(pair).value == pytest.approx(expected)
        assert metric.score(PAIRS[2]).value == pytest.approx(1)


def test_bleu_apem_hands_its_options_on(synonyms):
    options = {"lang": "en", "apem": "apem_sd", "weight": 0, "synonyms": synonyms}
    metric = create("bleu_apem", options)
    assert metric.score(Pair("the cat ran", "a kitten went")).value == 1
    assert (
        create("bleu_apem", {"lang": "en"}).score(PAIRS[0]).value
        != create("bleu_apem", {"lang": "en", "against": "original"}).score(PAIRS[0]).value
    )
    with pytest.raises(ValueError, match="apem_sd: the option synonyms=FILE is missing"):
        create("bleu_apem", {"apem": "apem_sd"})
    with pytest.raises(ValueError, match="bleu_apem: no part takes synonyms="):
        create("bleu_apem", {"synonyms": synonyms})
    assert create("bleu_apem").queue == "korean"


def test_bleu_apem_counts_korean_morphemes_where_asked():
    pair = Pair("학생이 학교에 갔다", "학생은 학교로 갔다")
    for bleu in ("bleu_1max", "bleu"):
        words, morphemes = (
            create("bleu_apem", {"bleu": bleu, "tokenize": cut}).score(pair).value
            for cut in ("none", "ko")
        )
        assert 0 < words < morphemes < 1
