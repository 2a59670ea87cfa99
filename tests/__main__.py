"""Runs the tests: `python -m tests`, which `make test` calls; `--slow` for the slow ones, and
`--postgres` for all that uses Django's database on PostgreSQL alone.

Everything runs once on SQLite; what uses Django's database runs a second time on PostgreSQL, where
one answers, at the same time: browsers and servers wait much, and the others work meanwhile. Pages,
API and commands (`shared.SURFACES`), and tests whose statements others run there
(`tests/repeated.txt`), run on PostgreSQL with `--postgres` only.
Other arguments go to pytest: `python -m tests tests/scoring/stats -k kappa` runs a part, in one
process and one round after the other, the second only if something in it uses the database.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests import shared
from tests.needs import POSTGRES, missing, strict

NO_TESTS = 5  # pytest's exit code where its filters leave nothing
# More than two cores: who waits for servers and browsers leaves them to others.
SQLITE_JOBS, POSTGRES_JOBS = "3", "1"
# Not even imported for PostgreSQL; tests/conftest.py refuses a test with a database there.
PURE = [f"--ignore={folder}" for folder in shared.PURE]

ON_POSTGRES = {
    "not slow": "not slow and database and not surface and not repeated",
    "slow": "slow and database",
}
# Nor is what its expression leaves out altogether.
NOT_ON_POSTGRES = {
    "not slow": [*PURE, *(f"--ignore={path}" for path in shared.SURFACES)],
    "slow": PURE,
}


class Round:
    """One pytest on one database; its output goes to a file where another runs beside it."""

    def __init__(self, name: str, database: str, options: list[str], output: Path | None) -> None:
        self.name, self.output, self.began = name, output, time.monotonic()
        environment = {**os.environ, "DATABASE_URL": database}
        # Each module is compiled once, not in each of some hundred processes.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        if output is None:
            print(f"== {name}", flush=True)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pytest", "-q", *options],
            env=environment,
            stdout=None if output is None else output.open("wb"),
            stderr=None if output is None else subprocess.STDOUT,
        )

    def end(self) -> int:
        code = self.process.wait()
        if self.output is not None:
            print(f"== {self.name}\n{self.output.read_text(errors='replace')}", end="", flush=True)
        return code


def main(arguments: list[str]) -> int:
    speed = "slow" if "--slow" in arguments else "not slow"
    part = [argument for argument in arguments if argument not in ("--slow", "--postgres")]
    reason = missing("postgres")
    if reason is not None and strict():
        print(f"FAILED: {reason}")
        return 1
    shared.in_memory()
    shared.begin()
    if "--postgres" in arguments:
        if reason is not None:
            print(f"FAILED: {reason}")
            return 1
        options = [*jobs(SQLITE_JOBS), *PURE, "-m", "not slow and database", *part]
        return Round("PostgreSQL: all that uses the database", POSTGRES, options, None).end()
    codes = run_part(part, speed, reason) if part else run_all(speed, reason)
    if reason is not None:
        print(f"SKIPPED the second round: {reason}")
    return next((code for code in codes if code not in (0, NO_TESTS)), 0)


def run_all(speed: str, no_postgres: str | None) -> list[int]:
    with tempfile.TemporaryDirectory(prefix="paraanno-rounds-") as folder:
        # Each process would import thousands of other tests for nothing.
        files = shared.files_with("mark.slow") if speed == "slow" else []
        rounds = [Round("SQLite", "", [*jobs(SQLITE_JOBS), "-m", speed, *files], None)]
        if no_postgres is None:
            left_out = NOT_ON_POSTGRES[speed]
            files = [file for file in files if not file.startswith(shared.PURE)]
            options = [*jobs(POSTGRES_JOBS), *left_out, "-m", ON_POSTGRES[speed], *files]
            rounds.append(
                Round("PostgreSQL: what uses the database", POSTGRES, options, Path(folder, "log"))
            )
        return [one.end() for one in rounds]


def run_part(part: list[str], speed: str, no_postgres: str | None) -> list[int]:
    options = [*part, "-m", speed] if "-m" not in part else part
    codes = [Round("SQLite", "", options, None).end()]
    if no_postgres is None and shared.uses_database():
        options = [*part, "-m", f"{speed} and database"] if "-m" not in part else part
        name = "PostgreSQL: what uses the database"
        codes.append(Round(name, POSTGRES, options, None).end())
    return codes


def jobs(usual: str) -> list[str]:
    """Processes of a round that runs everything."""
    return ["-n", os.environ.get("PARAANNO_TEST_JOBS", usual)]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
