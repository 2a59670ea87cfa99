"""Runs the tests: `python -m tests`, which `make test` calls; `--slow` for the slow ones.

Everything runs once on SQLite; what uses Django's database runs a second time on PostgreSQL,
where one answers. Other arguments go to pytest.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from tests.needs import POSTGRES, missing, strict

NO_TESTS = 5  # pytest's exit code where its filters leave nothing


def main(arguments: list[str]) -> int:
    slow = "--slow" in arguments
    rest = [argument for argument in arguments if argument != "--slow"]
    speed = "slow" if slow else "not slow"
    jobs = ["-n", os.environ.get("PARAANNO_TEST_JOBS", "2"), "-q"]
    with tempfile.TemporaryDirectory(prefix="paraanno-shared-") as shared:
        print("== SQLite", flush=True)
        codes = [run([*jobs, "-m", speed, *rest], database="", shared=shared)]
        reason = missing("postgres")
        if reason is None:
            print("== PostgreSQL: what uses the database", flush=True)
            options = [*jobs, "-m", f"{speed} and database", *rest]
            codes.append(run(options, database=POSTGRES, shared=shared))
    if reason is not None and strict():
        print(f"FAILED: {reason}")
        return 1
    if reason is not None:
        print(f"SKIPPED the second round: {reason}")
    return next((code for code in codes if code not in (0, NO_TESTS)), 0)


def run(options: list[str], *, database: str, shared: str) -> int:
    """Start pytest; its processes make in `shared` what each would make for itself."""
    environment = {**os.environ, "DATABASE_URL": database, "PARAANNO_TEST_SHARED": shared}
    return subprocess.run([sys.executable, "-m", "pytest", *options], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
