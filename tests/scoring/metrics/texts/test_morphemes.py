"""Korean morphemes and English content words, and the tokenizer `ko`."""

import math
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from scoring.metrics import Pair, create
from scoring.metrics.texts.morphemes import _opened, load, meaningful, morphemes
from scoring.metrics.texts.tokenizers import tokens
from scoring.metrics.texts.words import LONGEST_KEPT

U2 = "U2가 콘서트를 개최한 국가는 어디입니까?"


def units(text, segmentation="merged", auxiliaries="keep"):
    return " ".join(meaningful(text, segmentation=segmentation, auxiliaries=auxiliaries))


@pytest.mark.parametrize(
    ("text", "raw", "merged"),
    [
        (U2, "u 2 콘서트 개최 하 국가 어디 이", "u2 콘서트 개최하 국가 어디 이"),
        ("iPhone13을 샀다.", "iphone 13 사", "iphone13 사"),
        ("U 2와 COVID-19", "u 2 covid 19", "u 2 covid 19"),  # A blank or a mark parts them.
        ("깨끗하게 공부했다", "깨끗 하 공부 하", "깨끗하 공부하"),
        ("공부를 했다", "공부 하", "공부 하"),  # A particle parts them: a verb of its own.
        ("학생들이", "학생 들", "학생 들"),
        ("שלום 🙂 50%!", "שלום 🙂 50", "שלום 🙂 50"),
        ("\u200fשלום\u200e\x00", "שלום", "שלום"),
        ("\ud800국가\udfff", "국가", "국가"),
        ("... ?!", "", ""),
        ("  \n", "", ""),
    ],
)
def test_what_carries_meaning(text, raw, merged):
    assert units(text, "raw") == raw
    assert units(text) == merged


@pytest.mark.parametrize(
    ("text", "kept", "dropped"),
    [
        ("나는 학생이다", "나 학생 이", "나 학생"),
        ("먹어 보았다", "먹 보", "먹"),
        ("가지 않는다", "가 않", "가"),
        ("학생이 아니다", "학생 아니", "학생 아니"),  # The negative copula is no auxiliary.
    ],
)
def test_auxiliaries(text, kept, dropped):
    assert units(text) == kept
    assert units(text, auxiliaries="drop") == dropped


def test_raw_units_are_the_analysers_without_endings_particles_and_marks():
    kiwi = _opened(os.getpid())
    for text in (U2, "어떤 나라에서 U2가 공연을 하였는지 알려 주세요.", "그는 3.5km를 걸었다!"):
        plain = [
            token.form.lower()
            for token in kiwi.tokenize(text)
            if token.tag[0] not in "EJ" and (token.tag[0] != "S" or token.tag in "SL SH SN")
        ]
        assert units(text, "raw").split() == plain


def test_a_text_is_analysed_once_and_a_long_one_not_kept():
    assert morphemes(U2) is morphemes(U2)
    long = U2 * (LONGEST_KEPT // len(U2) + 1)
    assert morphemes(long) is not morphemes(long)


def test_threads_get_what_one_alone_gets():
    texts = [f"{U2} {n}" for n in range(60)]
    alone = [units(text) for text in texts]

    def work(blanks):  # Not from the cache.
        return [units(text + " " * blanks) for text in texts]

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(work, (1, 2, 3))) == [alone] * 3


@pytest.mark.slow
def test_a_process_that_was_forked_off_opens_an_analyser_of_its_own():
    before = units(U2)
    child = os.fork()
    if child == 0:
        try:
            opened = _opened.cache_info().misses
            same = units(U2 + " ") == before
            os._exit(0 if same and _opened.cache_info().misses == opened + 1 else 1)
        except BaseException:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_the_tokenizer_counts_morphemes_and_signs_its_library():
    assert tokens(U2, "ko", lowercase=True)[:5] == ("u", "2", "가", "콘서트", "를")
    metric = create("bleu", {"tokenize": "ko"})
    # Another particle leaves the noun; of words cut at white space nothing is left.
    pair = Pair("학생이", "학생은")
    assert create("bleu", {"smooth": "none"}).score(pair).value == 0
    unigrams = create("bleu", {"tokenize": "ko", "smooth": "floor"}).score(pair).value
    assert unigrams == pytest.approx(100 * math.sqrt(1 / 2 * 0.1 / 1))
    assert "kiwipiepy=" in str(metric.signature())
    assert metric.queue == "korean"
    assert create("bleu").queue == ""


def test_without_its_extra_nothing_is_cut_or_signed(monkeypatch):
    monkeypatch.setitem(sys.modules, "kiwipiepy", None)
    _opened.cache_clear()
    for call in (load, create("bleu", {"tokenize": "ko"}).signature):
        with pytest.raises(ValueError, match="extra korean is not installed"):
            call()
