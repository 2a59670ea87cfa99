"""What every import keeps of its file."""

import hashlib
import io

import pytest

from annotation.importers import Problem
from annotation.importing.report import ImportReport, batch_make, digest_of, errors_first, pieces
from annotation.models import AuditEntry
from paraanno.common.texts import say
from tests.factories import make_user

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


def test_the_record_of_a_file_and_the_log_say_what_came_in(empty):
    alice = make_user("alice")
    batch = batch_make(
        campaign=empty,
        what="items",
        name="/home/alice/" + "n" * 300,
        sha256="0" * 64,
        rows=7,
        counts={"items": 3},
        actor=alice,
    )
    batch.refresh_from_db()
    assert (batch.file_name, batch.rows, batch.created_by) == ("n" * 255, 7, alice)
    [entry] = AuditEntry.objects.filter(verb="import items")
    assert (entry.actor, entry.campaign) == (alice, empty)
    assert entry.data == {"file": "n" * 255, "sha256": "0" * 64, "items": 3}
