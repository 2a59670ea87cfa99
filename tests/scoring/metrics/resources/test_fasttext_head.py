"""A model of fastText is believed nothing that the file does not hold: gensim would look for it for
ever."""

import struct

import pytest

from scoring.metrics.files import FileRefused
from scoring.metrics.resources.fasttext import MAGIC, check_model
from scoring.metrics.resources.stores import convert

WORDS, BUCKETS, SIZE = ("cat", "dog"), 3, 2


def model(
    *,
    dimension=SIZE,
    entries=2,
    buckets=BUCKETS,
    labels=0,
    words=WORDS,
    quantised=False,
    rows=5,
    pruned=-1,
):
    """A whole model, or one that declares what it does not hold."""
    options = struct.pack("<12id", dimension, 5, 1, 1, 5, 1, 2, 2, buckets, 3, 6, 100, 1e-4)
    vocabulary = struct.pack("<3i2q", entries, entries - labels, labels, 9, pruned)
    entry = [word.encode() + b"\0" + struct.pack("<qb", 1, 0) for word in words]
    vectors = b"".join(struct.pack("<2f", 1, at) for at in range(5))
    matrix = struct.pack("<?2q", quantised, rows, dimension) + vectors
    output = struct.pack("<?2q", False, 2, SIZE) + vectors[:16]
    return MAGIC + struct.pack("<i", 12) + options + vocabulary + b"".join(entry) + matrix + output


def in_vocabulary(raw):
    return raw[: raw.index(b"dog") + 2]


def without_ends(raw):
    """Long enough for all that is declared, and no word ends."""
    at = raw.index(b"cat")
    return raw[:at] + b"x" * 400_000


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (model()[:7], "ends inside its head"),
        (
            model()[:100],
            r"declares 2 words and 3 pieces of 2 values, which take \d+ bytes, and has",
        ),
        (in_vocabulary(model()), "declares 2 words"),
        (without_ends(model()), "ends inside a word"),
        (model(entries=2**31 - 1), "declares 2147483647 words"),
        (model(buckets=2**31 - 1), "declares 2 words and 2147483647 pieces"),
        (model(dimension=9_000), "of 9000 values"),
        (model(dimension=-1), "make no sense"),
        (model(entries=0), "make no sense"),
        (model(buckets=-5), "make no sense"),
        (model(labels=1), "holds labels"),
        (model(pruned=2**40), "declares 2 words"),
        (model(quantised=True), "is quantised"),
        (model(rows=4), "do not belong to its words"),
        (model()[:-1], "ends inside its vectors"),
        (model()[:-25], "ends inside its vectors"),
    ],
)
def test_what_it_declares_and_does_not_hold_is_refused_before_anything_is_read(raw, why, tmp_path):
    path = tmp_path / "m.bin"
    path.write_bytes(raw)
    with pytest.raises(
        FileRefused, match=rf"m.bin:0: cannot be read as a model of fastText \(it.*{why}"
    ):
        check_model(path)


@pytest.mark.slow
def test_a_whole_one_is_read_by_gensim(tmp_path):
    path = tmp_path / "m.bin"
    path.write_bytes(model())
    (tmp_path / "store").mkdir()
    meta = convert("vectors", path, tmp_path / "store", progress=print)
    assert meta == {"words": 2, "size": 2}
