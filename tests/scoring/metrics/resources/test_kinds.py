"""Any file is converted or refused: nothing else, whatever its bytes are."""

from __future__ import annotations

import io
import pickle
import struct
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.metrics.files import FileRefused
from scoring.metrics.resources.kinds import convert, kinds
from scoring.metrics.resources.vectors import load_vectors
from tests.scoring.metrics.arpa_files import LINES

GOOD = {
    "vectors": "2 2\ncat 1 0\ndog 0 1\n",
    "table": "cat\tkitten\t0.5\ndog\thound\t0.4\n",
    "synonyms": "cat\tkitten\ndog\thound\tcur\n",
    "nbest": "cat\tkitten\t-1.5\ncat\ttom\t-2\n",
    "counts": "#total\t100\ncat\t10\ndog\t20\ncat\tdog\t5\n",
    "corpus": "the cat sat\nthe dog sat\n",
    "lm": LINES,
    "parses": "(S (NP (D the) (N cat)) (VP (V sat)))\n(NP (D a) (N dog))\n",
    "translations": "Hund ||| dog ||| 0.7 1 0.9\nKatze ||| cat ||| 0.8 1 0.6\n",
    "aligned_pairs": "the cat sat\ta cat sat\t0-0 1-1 2?2\n",
    "texts": "text,label\nA cat sat.,1\nA dog sat.,0\n",
}


def zipped() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("vectors.txt", "1 1\na 1\n")
    return stream.getvalue()


@pytest.mark.parametrize("kind", kinds())
def test_every_kind_converts_a_small_file_and_tells_how_far_it_is(kind: str, tmp_path: Path):
    source = tmp_path / "source.txt"
    source.write_text(GOOD[kind], encoding="utf-8")
    (tmp_path / "folder").mkdir()
    told: list[float] = []
    meta = convert(kind, source, tmp_path / "folder", progress=told.append)
    assert meta and all(isinstance(value, int) and value >= 0 for value in meta.values())
    assert told and told == sorted(told) and told[-1] == 1.0 and told[0] >= 0
    assert list((tmp_path / "folder").iterdir())


@pytest.mark.parametrize("kind", kinds())
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (pickle.dumps({"a": 1}), "is a Python pickle"),
        (pickle.dumps({"a": 1}, protocol=2), "is a Python pickle"),
        (zipped(), r"compressed \(zip\)"),
        (b"\x1f\x8b\x08\x00", r"compressed \(gzip\)"),
        (struct.pack("<i", 793712314) + b"\x0c\0\0\0", "fastText"),
        ("1 1\na 1\n".encode("utf-16"), "UTF-16"),
    ],
)
def test_what_is_something_else_says_so(kind: str, content: bytes, message: str, tmp_path: Path):
    source = tmp_path / "source.bin"
    source.write_bytes(content)
    with pytest.raises(FileRefused, match=message) as refused:
        convert(kind, source, tmp_path, progress=print)
    assert refused.value.lines[0].startswith(f"{source}:0: ")


@pytest.mark.parametrize("kind", kinds())
def test_a_line_without_an_end_is_refused(kind: str, tmp_path: Path):
    source = tmp_path / "source.txt"
    source.write_text(GOOD[kind] + "a" * 10_000_000, encoding="utf-8")
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileRefused, match="over 1000000 bytes"):
        convert(kind, source, tmp_path / "folder", progress=lambda share: None)


@pytest.mark.parametrize("kind", kinds())
@settings(max_examples=60)
@given(content=st.binary(max_size=60) | st.text("a1 \t\n|.#-e", max_size=60).map(str.encode))
def test_any_bytes_are_converted_or_refused(kind: str, content: bytes):
    for ending in (".txt", ".bin"):
        with TemporaryDirectory() as folder:
            source = Path(folder) / f"source{ending}"
            source.write_bytes(content)
            store = Path(folder) / "store"
            store.mkdir()
            try:
                meta = convert(kind, source, store, progress=lambda share: None)
            except FileRefused as refused:
                assert all(line.startswith(f"{source}:") for line in refused.lines)
                assert 1 <= len(refused.lines) <= 20
            else:
                assert meta


def test_there_is_no_other_kind(tmp_path: Path):
    with pytest.raises(ValueError, match="no kind pickle: use one of vectors"):
        convert("pickle", tmp_path, tmp_path, progress=print)


def test_a_file_of_many_blocks_is_one_store(tmp_path: Path):
    """Words that come again in a later block are passed over, and the header fits the rows."""
    values = np.random.default_rng(1).normal(size=(20_000, 2))
    lines = [f"w{at} {a} {b}" for at, (a, b) in enumerate(values.tolist())]
    lines[15_000] = "w7 1 1"
    lines[16_000] = "zero 0 0"
    path = tmp_path / "v.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    told: list[float] = []
    (tmp_path / "store").mkdir()
    meta = convert("vectors", path, tmp_path / "store", progress=told.append)
    assert meta == {"words": 19_998, "size": 2}
    assert len(told) > 2
    found = load_vectors(str(tmp_path / "store"))
    units = values / np.linalg.norm(values, axis=1, keepdims=True)
    for at in (0, 7, 14_999, 17_000, 19_999):
        np.testing.assert_allclose(found.matrix[found.rows[f"w{at}"]], units[at], atol=1e-6)
    assert "zero" not in found.rows
