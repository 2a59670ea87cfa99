"""APEM, APEM_SD and APEM_SDGD.

Worked examples: Moon, Gweon, Choi and Heo (2015), "APEM: Automatic paraphrase evaluation using
morphological analysis for the Korean language", section III D: "the evaluation score for the
paraphrased sentences in our example is 0.25" and "the APEM_SD evaluation score ... is 0.75".
Figure 4 is lost in the text we have; its English glosses are in the introduction.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics import create, from_spec
from tests.scoring.metrics.phrases.meaning import score

ORIGINAL = "What nations have U2 held concerts in"

PARAPHRASE = "What countries have U2 played in?"

U2 = ("U2가 콘서트를 개최한 국가는 어디입니까?", "어떤 나라에서 U2가 공연을 하였는지 알려 주세요.")

WORDS = st.lists(st.sampled_from(["tree", "house", "dog", "cat", "run"]), max_size=7)


def test_the_papers_example(files):
    assert score("apem", ORIGINAL, PARAPHRASE).value == 0.25
    found = score("apem_sd", ORIGINAL, PARAPHRASE, synonyms=files["synonyms"])
    assert found.value == 0.75
    assert found.detail == {
        "matched": [
            ("nation", "country", "synonym"),
            ("u2", "u2", "identical"),
            ("hold concert", "play", "synonym"),
        ],
        "unmatched": [],
        "new": [],
    }
    json.dumps(found.detail)


def test_how_korean_is_cut_matters_more_than_the_formula(files):
    """The same example in Korean of our own: no way of cutting gives the paper's four units."""
    for options, value in (
        ({}, 1 / 6),
        ({"segmentation": "raw"}, 3 / 8),
        ({"auxiliaries": "drop"}, 1 / 5),
    ):
        assert score("apem", *U2, lang="ko", **options).value == pytest.approx(value)
    assert score("apem_sd", *U2, lang="ko", synonyms=files["synonyms"]).value == 2 / 6


def test_it_is_a_recall():
    assert score("apem", "trees and houses", "a tree").value == 0.5
    assert score("apem", "a tree", "trees and houses").value == 1
    assert score("apem", "tree tree tree", "tree tree house").value == pytest.approx(2 / 3)


def test_what_has_no_meaning_cannot_be_scored_and_an_empty_paraphrase_has_none_of_it():
    reason = "The original has no meaningful morphemes."
    for original in ("", "  ", "the of", "?!", "\ud800", "🙂"):
        assert score("apem", original, "a tree").reason == reason
    assert score("apem", "... ?", "국가", lang="ko").reason == reason
    for paraphrase in ("", " ", "the", "🙂", "\udfff", "שלום"):
        assert score("apem", "a tree", paraphrase).value == 0
        assert score("apem", "국가", paraphrase, lang="ko").value == 0
    assert score("apem", "שלום עולם", "שלום", lang="ko").value == 0.5


def test_a_text_that_is_too_long_has_a_reason():
    assert "compares at most 20,000" in score("apem", "tree", "tree " * 5000, lang="ko").reason


@given(WORDS, WORDS)
def test_equals_a_count_of_shared_words(one, other):
    found = score("apem", " ".join(one), " ".join(other))
    if not one:
        assert found.value is None
        return
    shared = sum(min(one.count(word), other.count(word)) for word in set(one))
    assert found.value == pytest.approx(shared / len(one))


@given(st.text(max_size=60), st.text(max_size=60))
def test_lies_between_0_and_1_and_a_copy_has_1(files, original, paraphrase):
    synonyms = {"synonyms": files["synonyms"]}
    for name, options in (("apem", {}), ("apem_sd", synonyms), ("apem_sdgd", files)):
        found = score(name, original, paraphrase, **options)
        assert bool(found.reason) if found.value is None else 0 <= found.value <= 1
        copy = score(name, original, original, **options)
        assert copy.value in (None, 1)


@pytest.mark.parametrize("text", U2)
def test_a_korean_copy_has_1(text):
    assert score("apem", text, text, lang="ko").value == 1


def test_files_are_needed_and_signed(files):
    for spec, missing in (
        ("apem_sd", "synonyms"), ("apem_sdgd", "synonyms"),
        (f"apem_sdgd:synonyms={files['synonyms']}", "counts"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=rf"the option {missing}=FILE is missing"):
            from_spec(spec)
    text = str(create("apem_sdgd", {"lang": "en", **files}).signature())
    assert "synonyms@" in text and "counts@" in text and "simplemma=" in text
    assert files["synonyms"] not in text
    assert "kiwipiepy=" in str(create("apem", {"lang": "ko"}).signature())


def test_korean_has_a_queue_of_its_own():
    assert create("apem", {"lang": "ko"}).queue == "korean"
    assert create("apem", {"lang": "en"}).queue == ""
    assert create("apem").against == "original"
    with pytest.raises(ValueError, match="against=references is not allowed"):
        create("apem", {"against": "references"})


def test_several_morphemes_in_a_row_are_one_unit():
    """`order` is the paper's future work; the morphemes here are tree, house, dog, cat."""
    original = "tree house dog cat"
    for paraphrase, one, two, three in (
        (original, 1, 1, 1),
        ("dog cat tree house", 1, 2 / 3, 0),
        ("tree house dog", 3 / 4, 2 / 3, 1 / 2),
        ("cat dog house tree", 1, 0, 0),
    ):
        for order, value in ((1, one), (2, two), (3, three)):
            found = score("apem", original, paraphrase, order=order, lang="en")
            assert found.value == pytest.approx(value), (paraphrase, order)
    found = score("apem", original, "tree house cat", order=2, lang="en").detail
    assert found["matched"] == [("tree house", "tree house", "identical")]
    assert found["unmatched"] == ["house dog", "dog cat"]
    assert found["new"] == ["house cat"]
    short = score("apem", "tree", "tree", order=2, lang="en")
    assert short.value is None and "fewer" in str(short.reason)
    korean = "고양이가 큰 나무에 올라갔다."
    assert score("apem", korean, korean, lang="ko", order=3).value == 1
