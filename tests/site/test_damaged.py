"""Whatever is done to a file, its reader reads it or says in a sentence why not.

Five hundred damaged files of all kinds; `make simulate` reads five thousand. One file is one seed:
`python -m tests.site.test_damaged 123` reads that of number 123 alone.
"""

import sys
from itertools import islice
from warnings import catch_warnings

import pytest

from paraanno.common.sandbox.child import worded
from scoring.stats.terminal.files import FileProblems
from tests.simulate import FULL
from tests.site.damaged import KINDS, mutants

N = 500
REFUSED = ("refused", "unreadable", "memory")


def outcome(kind, name, data):
    """Return what its reader says: "read", a kind of refusal, or "failed" with the error."""
    try:
        with catch_warnings(action="ignore"):  # As in the sandbox, where nobody sees them.
            KINDS[kind].read(data, name)
    except FileProblems:  # The commands' own, of as many lines as a file has problems.
        return ("refused",)
    except Exception as error:
        return worded(error)
    return ("read",)


def failures(n, first=0):
    found = []
    for at, (kind, name, data) in enumerate(islice(mutants(n), first, n), first):
        said = outcome(kind, name, data)
        if said[0] not in ("read", *REFUSED):
            found.append((at, kind, name, *said[1:2]))
    return found


def test_a_whole_file_of_every_kind_is_read():
    said = {
        (kind, name): outcome(kind, name, data)
        for kind, one in KINDS.items()
        for name, data in one.files.items()
    }
    assert {place: one for place, one in said.items() if one[0] not in ("read", *REFUSED)} == {}
    assert sum(one == ("read",) for one in said.values()) > 0.9 * len(said)


@pytest.mark.slow
def test_damaged_files_are_read_or_refused():
    assert failures(N) == []


@pytest.mark.nightly
@pytest.mark.skipif(not FULL, reason="only in full")
def test_ten_times_as_many():
    assert failures(10 * N, first=N) == []


if __name__ == "__main__":
    number = int(sys.argv[1])
    chosen = next(islice(mutants(number + 1), number, None))
    print(chosen[:2], repr(chosen[2][:2000]))
    KINDS[chosen[0]].read(chosen[2], chosen[1])
