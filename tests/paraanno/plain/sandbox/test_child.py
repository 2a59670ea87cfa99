"""What the process of a sandbox says of an error, and what it takes from itself."""

import errno

import pytest

from annotation.importers.tables.books import TableError
from paraanno.common.sandbox.child import worded
from paraanno.common.texts import say
from scoring.metrics.files import FileRefused
from tests.paraanno.plain.sandbox.test_unreadable import raised_in_a_reader


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (TableError(say("no table"), 4), ("refused", "no table", None, 4)),
        (FileRefused.at("f", 2, say("is odd.")), ("refused", "f:2: is odd.", 0)),
        (MemoryError(), ("memory",)),
        (OSError(errno.EFBIG, "large"), ("large",)),
        (OSError(errno.ENOSPC, "full"), ("errno", errno.ENOSPC)),
        (raised_in_a_reader("b'\\xff'.decode()"), ("unreadable",)),
        (raised_in_a_reader("{}['a']"), ("failed", "KeyError: 'a'")),
        (SystemExit(3), ("failed", "SystemExit: 3")),
    ],
)
def test_how_an_error_is_told(error, told):
    found = worded(error)
    assert [one for one in told if one not in found] == [] and found[0] == told[0]
