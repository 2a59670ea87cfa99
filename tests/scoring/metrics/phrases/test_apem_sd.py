"""APEM with a dictionary of synonyms (Moon, Gweon, Choi and Heo 2015)."""

import pytest

from scoring.metrics import create
from tests.scoring.metrics.phrases.meaning import score

TWICE = "they held a concert and held a concert"


@pytest.mark.parametrize(
    ("original", "paraphrase", "value"),
    [
        # `concert` is there itself, so that the phrase is broken and `play` stands alone.
        ("they held a concert", "they play a concert", 0.5),
        # Two phrases, one `play`; then two.
        (TWICE, "they play", 1 / 4),
        (TWICE, "they play and play", 2 / 4),
        # From a word to a phrase.
        ("they play", "they hold concerts", 1),
    ],
)
def test_phrases_take_what_single_words_leave_each_word_once(files, original, paraphrase, value):
    found = score("apem_sd", original, paraphrase, synonyms=files["synonyms"])
    assert found.value == value


def test_synonyms_of_a_synonym_are_none(tmp_path):
    path = tmp_path / "s.tsv"
    path.write_text("tree\tplant\nplant\tfactory\n", encoding="utf-8")
    assert score("apem_sd", "trees", "plants", synonyms=str(path)).value == 1
    assert score("apem_sd", "trees", "factories", synonyms=str(path)).value == 0


def test_synonyms_without_a_word_of_meaning_are_refused(tmp_path):
    path = tmp_path / "s.tsv"
    path.write_text("of\tfrom\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"s.tsv:0: has no content word; check lang=\."):
        create("apem_sd", {"lang": "en", "synonyms": str(path)}).load()
