"""Many texts that are found by hash and never loaded: arrays that files are mapped into."""

from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics.resources.text_index import TextIndex, index_of


@given(st.lists(st.text(), unique=True, min_size=1), st.lists(st.text()))
def test_every_text_is_found_and_no_other(texts, others):
    index, ids = index_of(texts)
    assert index.find(texts) == ids.tolist()
    assert [index[at] for at in ids] == texts
    assert index.find(others) == [ids[texts.index(o)] if o in texts else -1 for o in others]


def test_texts_of_one_hash_are_told_apart(monkeypatch):
    def length(raw):
        return len(raw).to_bytes(8, "little")

    monkeypatch.setattr("scoring.metrics.resources.text_index.raw_hash", length)
    index, ids = index_of(["ab", "cd", "e"])
    assert isinstance(index, TextIndex)
    assert index.find(["cd", "ab", "xy", "e", "\ud800"]) == [ids[1], ids[0], -1, ids[2], -1]
