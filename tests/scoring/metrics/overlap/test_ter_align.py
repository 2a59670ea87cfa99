"""Edit distances of TER and what is aligned by them, as sacrebleu finds them."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import BeamEditDistance, trace_to_alignment

from scoring.metrics.overlap.ter import align, distance
from tests.scoring.metrics.overlap.ter_texts import assert_as_sacrebleu, random_pair, ter


@pytest.mark.slow
@settings(max_examples=8)
@given(st.integers(0, 10**9))
def test_long_texts_are_compared_within_the_same_band(seed):
    assert_as_sacrebleu(*random_pair(random.Random(seed), 60))


@given(st.integers(0, 10**9))
def test_the_band_is_filled_and_read_as_in_sacrebleu(seed):
    # Long halves are swapped, so that the cheapest way often leaves the band.
    rng = random.Random(seed)
    one = [chr(rng.randint(1, rng.choice([3, 300]))) for _ in range(rng.randint(1, 90))]
    cut = rng.randint(0, len(one))
    two = (one[cut:] + one[:cut])[rng.randint(0, 10) :]
    edits, trace = BeamEditDistance(one)(two)
    places, wrong_reference, wrong = trace_to_alignment(
        trace.translate({ord("i"): "d", ord("d"): "i"})
    )
    found = align("".join(two), "".join(one))
    assert distance("".join(two), "".join(one)) == edits
    assert found.places == [places[at] for at in range(len(one))]
    assert found.wrong == sum(bit << at for at, bit in enumerate(wrong))
    assert found.wrong_reference == sum(bit << at for at, bit in enumerate(wrong_reference))


def test_a_way_outside_of_the_band_is_not_taken():
    # 60 edits would do: take 30 words out, put them in elsewhere.
    one, two = [f"a{n}" for n in range(40)], [f"b{n}" for n in range(30)]
    reference, text = " ".join(one + two), " ".join(two + one)
    edits, _ = BeamEditDistance(one + two)(two + one)
    assert edits == 70
    assert ter(text, [reference]).value == pytest.approx(100)
