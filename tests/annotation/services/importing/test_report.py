"""What every import keeps of its file."""

import hashlib
import io

import pytest

from annotation.importing.report import ImportReport, digest_of, errors_first, pieces
from paraanno.common.texts import Problem, say

WARNING = Problem("f.csv", 1, None, say("odd"), severity="warning")
ERROR = Problem("f.csv", 2, None, say("wrong"))
LATER = Problem("f.csv", 3, None, say("wrong too"))


def test_warnings_do_not_stop_an_import_and_errors_are_told_first():
    assert ImportReport((WARNING,), 1).ok
    assert not ImportReport((WARNING, ERROR), 2).ok
    assert errors_first([WARNING, ERROR, LATER]) == (ERROR, LATER, WARNING)


@pytest.mark.parametrize(
    ("count", "sizes"), [(0, []), (1, [1]), (3, [3]), (4, [3, 1]), (6, [3, 3])]
)
def test_pieces_have_at_most_the_size_and_lose_nothing(count, sizes):
    found = list(pieces(iter(range(count)), 3))
    assert [len(part) for part in found] == sizes
    assert [one for part in found for one in part] == list(range(count))


def test_the_digest_is_of_the_whole_file_which_can_then_be_read_from_its_start():
    content = b"a line\n" * 200_000  # More than is read at a time.
    stream = io.BytesIO(content)
    stream.seek(5)
    assert digest_of(stream) == hashlib.sha256(content).hexdigest()
    assert stream.read() == content
