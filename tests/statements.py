"""Which tests ask PostgreSQL nothing that others do not: `python -m tests.statements` runs there
all that `make test` may, notes the statements of each, and writes LISTED.

What PostgreSQL does otherwise than SQLite is in statements. So a test stays off the second round if
others that stay run each of its statements, and two others those that lock, count, group, compare
texts or convert. Tests of transactions stay. New tests run until this is written again.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from tests import HOME, shared
from tests.needs import POSTGRES

LISTED = HOME / "tests" / "repeated.txt"
VARIABLE = "PARAANNO_TEST_STATEMENTS"
LEFT_OUT = [f"--ignore={folder}" for folder in (*shared.PURE, *shared.SURFACES)]
MARKS = re.compile(r"\((?:%s(?:, )?)+\)"), re.compile(r"(?:\(\?\)(?:, )?)+")
NUMBERS = re.compile(r"SAVEPOINT \S+|\b\d+\b")
TWICE = re.compile(
    r"\bFOR (?:NO KEY |KEY )?(?:UPDATE|SHARE)|GROUP BY|\b(?:SUM|AVG|COUNT|MIN|MAX|\w+_AGG)\("
    r"|OVER \(|LIKE|::|->|CASE WHEN|DISTINCT|COLLATE|ON CONFLICT|UPPER\(|WITH |UNNEST"
)

Found = dict[str, tuple[float, set[str]]]  # Of each test: seconds, statements.


def plain(sql: str) -> str:
    """The statement without its numbers of rows, values and savepoints."""
    sql = MARKS[1].sub("(?)", MARKS[0].sub("(?)", sql))
    return NUMBERS.sub("0", " ".join(sql.split()))


class Notes:
    """The plugin that notes them, also of other threads."""

    def __init__(self, folder: Path) -> None:
        self.file = (folder / f"{os.getpid()}.jsonl").open("w", encoding="utf-8")
        self.seen: set[str] = set()

    def note(self, run: Callable[..., Any], sql: Any, *rest: Any) -> Any:
        self.seen.add(str(sql))
        return run(sql, *rest)

    def listen(self, connection: Any, **_: Any) -> None:
        if self.note not in connection.execute_wrappers:
            connection.execute_wrappers.append(self.note)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[Any]:
        from django.db import connection
        from django.db.backends.signals import connection_created

        connection_created.connect(self.listen)
        self.listen(connection)
        self.seen, began = set(), process_time()
        done = yield
        mark = item.get_closest_marker("django_db")
        stays = mark is not None and bool(mark.kwargs.get("transaction"))
        row = [name_of(item.nodeid), process_time() - began, stays, sorted(map(plain, self.seen))]
        self.file.write(json.dumps(row) + "\n")
        self.file.flush()
        return done


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Notes(Path(os.environ[VARIABLE])))


def name_of(nodeid: str) -> str:
    """A test with all its parameters."""
    return nodeid.partition("[")[0]


def read(folder: Path) -> tuple[Found, set[str]]:
    """What was noted, and the tests that stay in any case."""
    found: Found = {}
    kept = set()
    for file in folder.glob("*.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            name, seconds, stays, statements = json.loads(line)
            before, seen = found.get(name, (0.0, set()))
            found[name] = (before + seconds, seen | set(statements))
            if stays:
                kept.add(name)
    return found, kept


def repeated(found: Mapping[str, tuple[float, set[str]]], kept: set[str]) -> list[str]:
    """The tests that others make superfluous; those stay that run most statements in a second."""
    times = Counter(one for _, statements in found.values() for one in statements)
    lacks = {one: min(n, 2 if TWICE.search(one) else 1) for one, n in times.items()}
    left = dict(found)

    def worth(name: str) -> float:
        seconds, statements = left[name]
        return sum(lacks[one] > 0 for one in statements) / (seconds + 0.03)

    stay = sorted(kept & set(left))
    while left:
        name = stay.pop() if stay else max(left, key=worth)
        if name not in kept and not worth(name):
            break
        for one in left.pop(name)[1]:
            lacks[one] -= lacks[one] > 0
    return sorted(left)


def main() -> int:
    shared.begin()
    with tempfile.TemporaryDirectory(prefix="paraanno-statements-") as folder:
        command = ["-m", "pytest", "-q", "-n", "2", "-p", "tests.statements", *LEFT_OUT]
        done = subprocess.run(
            [sys.executable, *command, "-m", "not slow and database and not surface"],
            env={**os.environ, "DATABASE_URL": POSTGRES, VARIABLE: folder}, check=False,
        )  # fmt: skip
        if done.returncode == 0:
            LISTED.write_text("\n".join(repeated(*read(Path(folder)))) + "\n", encoding="utf-8")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
