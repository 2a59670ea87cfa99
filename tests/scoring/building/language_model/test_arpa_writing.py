"""What is written is what is read, by us and by others."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.building import language_model
from scoring.building.language_model import counted, estimate, write_arpa
from scoring.metrics.resources.arpa import read_arpa
from tests.scoring.building.numbered import SENTENCES, numbered


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("arpa") / "m.arpa"


@given(sentences=SENTENCES, order=st.integers(1, 4), at_once=st.integers(1, 5))
def test_reading_gives_the_model_back(place, sentences, order, at_once):
    model, _ = estimate(*counted(numbered(sentences), order))
    with pytest.MonkeyPatch.context() as patch, place.open("wb") as stream:
        patch.setattr(language_model, "_AT_ONCE", at_once)
        write_arpa(model, stream)
    again = read_arpa(place).model
    assert again.order == order
    for ours, read in zip(model.levels, again.levels, strict=True):
        assert ours.keys.tolist() == read.keys.tolist()
        assert ours.probability.tolist() == pytest.approx(read.probability.tolist(), rel=1e-6)
        if len(ours.backoff):
            assert ours.backoff.tolist() == pytest.approx(read.backoff.tolist(), rel=1e-6)


def test_the_form_of_the_file():
    model, _ = estimate(*counted(numbered([["a"]]), 2))
    stream = io.BytesIO()
    write_arpa(model, stream)
    lines = stream.getvalue().decode().splitlines()
    assert lines[:5] == ["\\data\\", "ngram 1=4", "ngram 2=2", "", "\\1-grams:"]
    assert lines[-1] == "\\end\\"
    # p(a | <s>) = (1 - .5) / 1 + .5 p(a), p(a) = (1 - .5) / 2 + (.5 / 1) / 3.
    (line,) = [one for one in lines if one.endswith("\t<s> a")]
    assert float(line.split("\t")[0]) == pytest.approx(np.log10(0.5 + 0.5 * (0.25 + 0.5 / 3)))
