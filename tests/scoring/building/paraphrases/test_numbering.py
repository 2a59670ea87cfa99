"""Numbers of phrases."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scoring.building.paraphrases.counting import number_phrases

SENTENCES = st.lists(st.lists(st.sampled_from("abc"), max_size=7), min_size=1, max_size=5)


@given(SENTENCES, st.integers(1, 5))
def test_a_number_stands_for_one_phrase(sentences, longest):
    text = number_phrases(sentences, longest)
    seen = {}
    for sentence, start in zip(sentences, text.starts[:-1].tolist(), strict=True):
        for place in range(len(sentence)):
            for length in range(1, longest + 1):
                number = int(text.numbers[length - 1][start + place])
                if place + length > len(sentence):
                    assert number == -1
                    continue
                phrase = " ".join(sentence[place : place + length])
                assert seen.setdefault(number, phrase) == phrase
                at = text.at(np.array([start + place]), np.array([length]))
                assert at.tolist() == [number]
    assert len(set(seen.values())) == len(seen) == len(text)
    numbers = np.array(sorted(seen), dtype=np.int64)
    assert text.texts(numbers) == [seen[number] for number in sorted(seen)]


@given(SENTENCES, st.lists(st.lists(st.sampled_from("abcd"), max_size=4), max_size=6))
def test_phrases_are_found_if_they_are_in_the_text(sentences, asked):
    text = number_phrases(sentences, 3)
    there = {
        " ".join(words[i:j])
        for words in sentences
        for i in range(len(words))
        for j in range(i + 1, min(len(words), i + 3) + 1)
    }
    wanted = sorted({" ".join(words) for words in asked} & there)
    assert sorted(text.texts(text.find(asked))) == wanted
