"""Scores of frames against sacrebleu."""

import pandas as pd
import pytest
import sacrebleu

from paraanno import lab

PAIRS = pd.DataFrame(
    {
        "before": ["the cat sat down", "it rains", "nobody knew why he left"],
        "after": ["the cat lay down", "rain falls", ""],
        "known": ["the cat lay", "rain is falling", "no one knew why"],
    },
    index=[7, 3, 5],
)


def test_scores_keep_the_index_and_are_those_of_sacrebleu():
    found = lab.score(
        PAIRS, ["bleu", "pinc"], original="before", paraphrase="after", references="known"
    )
    assert list(found.index) == [7, 3, 5] and list(found.columns) == ["bleu", "pinc"]
    bleu = sacrebleu.BLEU(effective_order=True)
    for key in (7, 3):
        wanted = bleu.sentence_score(PAIRS["after"][key], [PAIRS["known"][key]]).score
        assert found["bleu"][key] == pytest.approx(wanted, abs=1e-12)
    assert found.loc[5].isna().all()
    assert "bleu" in found.attrs["signatures"]["bleu"]


def test_what_has_no_score_and_what_cannot_be_joined_warn():
    texts = {"original": "before", "paraphrase": "after"}
    with pytest.warns(UserWarning, match="sari: no row has a score: .*reference"):
        assert lab.score(PAIRS, ["sari"], **texts)["sari"].isna().all()
    with pytest.warns(UserWarning, match="the index repeats"):
        lab.score(PAIRS.set_axis([1, 1, 2]), ["pinc"], **texts)
