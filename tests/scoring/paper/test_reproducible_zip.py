"""A zip file that is the same, byte for byte, whenever its contents are."""

import io
import zipfile

import pytest

from scoring.paper.reproducible_zip import Bundle


def test_a_bundle_is_the_same_bytes_and_refuses_a_name_twice():
    def made(order):
        bundle = Bundle()
        for name in order:
            bundle.add(name, name * 3)
        stream = io.BytesIO()
        bundle.write(stream, {"data": "x"})
        return stream.getvalue()

    assert made(["a", "b"]) == made(["b", "a"])
    with zipfile.ZipFile(io.BytesIO(made(["a", "b"]))) as archive:
        assert archive.namelist() == ["a", "b", "manifest.json"]
        assert archive.read("a") == b"aaa"
    bundle = Bundle()
    bundle.add("a", "")
    with pytest.raises(ValueError, match="two files"):
        bundle.add("a", "")
