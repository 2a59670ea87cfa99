"""What every store of a file for metrics has: `about.json`, which is written last and makes it
whole, with the SHA-256 of the file that the store was made from."""

import hashlib

import pytest

from paraanno.common.texts import say
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.stores import ABOUT, About

TOYS = About(frozenset({"words"}), say("is no store of toys."))


def test_what_was_written_is_read(tmp_path):
    TOYS.write(tmp_path, {"words": 3, "sha256": "abc"})
    assert TOYS.read(tmp_path) == {"words": 3, "sha256": "abc"}
    assert TOYS.sha256(str(tmp_path)) == "abc"


def test_a_plain_file_has_the_hash_of_its_own(tmp_path):
    path = tmp_path / "toys.txt"
    path.write_bytes(b"toys")
    assert TOYS.sha256(str(path)) == hashlib.sha256(b"toys").hexdigest()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "is no store of toys"),
        ("{", "is no store of toys"),
        ("[]", "is incomplete"),
        ('{"words": 3}', "is incomplete"),
        ('{"sha256": "abc"}', "is incomplete"),
    ],
)
def test_a_folder_without_its_whole_is_refused(tmp_path, text, said):
    if text is not None:
        (tmp_path / ABOUT).write_text(text)
    with pytest.raises(FileRefused, match=said):
        TOYS.read(tmp_path)
