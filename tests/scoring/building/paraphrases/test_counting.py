"""CodeCounts of phrase pairs."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.building.paraphrases import counting
from scoring.building.paraphrases.counting import SpanLabels, count, count_pairs, span_code
from tests.scoring.building.paraphrases.linked import as_linked, brute, spans, texts


def as_dict(text, found):
    names = zip(text.english.texts(found.english), text.foreign.texts(found.foreign), strict=True)
    return dict(zip(names, found.times.tolist(), strict=True))


@given(texts())
def test_counts_are_those_of_the_definition(text):
    linked = as_linked(*text)
    assert as_dict(linked, count_pairs(linked, longest=5)) == brute(*text, 5)


@pytest.mark.slow
@settings(max_examples=100)
@given(texts(), st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=3), max_size=3))
def test_wanted_phrases_need_the_pairs_of_their_foreign_phrases_alone(text, wanted):
    linked = as_linked(*text)
    names = {" ".join(words) for words in wanted}
    every = brute(*text, 5)
    near = {foreign for phrase, foreign in every if phrase in names}
    found = as_dict(linked, count_pairs(linked, longest=5, wanted=wanted))
    assert found == {pair: n for pair, n in every.items() if pair[1] in near}


@pytest.mark.slow
@settings(max_examples=100)
@given(texts(), st.data())
def test_labels_of_a_phrase_are_counted_with_its_pairs(text, data):
    english, foreign, links = text
    start = np.cumsum([0, *map(len, english)]).tolist()
    places = [(s, span) for s, words in enumerate(english) for span in spans(words, 5)]
    one = st.tuples(st.sampled_from(places), st.integers(0, 2)) if places else st.nothing()
    given_ = sorted(data.draw(st.sets(one, max_size=8)) if places else set())
    codes = [
        (int(span_code(np.array(start[s] + i), np.array(j - i))), label)
        for (s, (i, j)), label in given_
    ]
    codes.sort()
    columns = np.array(codes, dtype=np.int64).reshape(-1, 2)
    linked = as_linked(*text, labels=SpanLabels(columns[:, 0], columns[:, 1]))
    found = count_pairs(linked, longest=5)
    wanted = Counter()
    for (s, (i, j)), label in given_:
        # The pairs of this span alone: the same sentence, with other words outside of it.
        marked = ["*"] * i + ["="] * (j - i) + ["*"] * (len(english[s]) - j)
        alone = brute([marked], [foreign[s]], [links[s]], 5)
        for (phrase, other), n in alone.items():
            if phrase == " ".join(["="] * (j - i)):
                wanted[" ".join(english[s][i:j]), other, label] += n
    row, label, times = found.labelled
    names = zip(
        linked.english.texts(found.english[row]),
        linked.foreign.texts(found.foreign[row]),
        label.tolist(),
        strict=True,
    )
    assert dict(zip(names, times.tolist(), strict=True)) == wanted


@given(st.lists(st.lists(st.integers(0, 5)), max_size=20))
def test_parts_are_counted_as_one(parts):
    found = count(np.array(part, dtype=np.int64) for part in parts)
    every = Counter(code for part in parts for code in part)
    assert dict(zip(found.codes.tolist(), found.times.tolist(), strict=True)) == every
    assert found.codes.tolist() == sorted(every)


def test_blocks_of_sentences_change_no_count(monkeypatch):
    text = ([["a", "b", "c"]] * 5, [["x", "y"]] * 5, [[(0, 1), (2, 0)]] * 5)
    whole = count_pairs(as_linked(*text), longest=3)
    monkeypatch.setattr(counting, "_BLOCK", 2)
    parts = count_pairs(as_linked(*text), longest=3)
    assert parts.times.tolist() == whole.times.tolist() != []
    assert parts.english.tolist() == whole.english.tolist()
