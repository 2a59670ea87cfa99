"""What stands on disk is what would stand in memory."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from paraanno.common.on_disk import Disk

texts = st.text(max_size=3) | st.integers(0, 3) | st.none()
keys = texts | st.tuples(texts, st.tuples(texts, texts))
steps = st.lists(st.tuples(st.sampled_from(["set", "default"]), keys, texts), max_size=30)


@given(steps)
def test_a_dictionary_on_disk_is_a_dictionary(done):
    usual = {}
    with Disk() as disk:
        on_disk = disk.dict()
        for how, key, value in done:
            if how == "set":
                usual[key] = value
                on_disk[key] = value
            else:
                assert on_disk.setdefault(key, value) == usual.setdefault(key, value)
        for _, key, _ in done:
            assert on_disk.get(key, "absent") == usual.get(key, "absent")


@given(st.lists(st.integers(0, 5), max_size=40), st.integers(1, 7))
def test_a_pile_keeps_places_together_and_in_order(places, size):
    with Disk() as disk:
        pile = disk.pile()
        for at, place in enumerate(places):
            pile.add(place, (place, at))
        assert len(pile) == len(places)
        pieces = list(pile.pieces(size))
    assert [one for piece in pieces for one in piece] == sorted(
        (place, at) for at, place in enumerate(places)
    )
    assert all(len(piece) >= size for piece in pieces[:-1])
    for piece, following in pairwise(pieces):
        assert piece[-1][0] != following[0][0]
