"""Runs the tests: `python -m tests`, which `make test` calls.

    python -m tests              what runs without a service, on SQLite; of tests with rows, those
                                 that mutants name
    python -m tests --rest       what that leaves out: browsers, real servers, services, long
                                 tests, on PostgreSQL what differs there; mutants of core rules
    python -m tests --simulate   simulations with all samples, which print tables, all examples of
                                 Hypothesis, and what walks for many minutes
    python -m tests --nightly    that, all that uses the database on PostgreSQL, all mutants and
                                 the soak

Other arguments go to pytest: `python -m tests tests/scoring/stats -k kappa` runs a part, in one
process, and what uses the database a second time on PostgreSQL, where one answers.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests import shared
from tests.needs import POSTGRES, missing, strict
from tests.simulate import VARIABLE as SIMULATE

NO_TESTS = 5  # pytest's exit code where its filters leave nothing
# More than two cores for the rest: who waits for servers and browsers leaves them to others.
QUICK_JOBS, REST_JOBS, POSTGRES_JOBS = "2", "3", "0"
PURE = [f"--ignore={folder}" for folder in shared.PURE]
ON_POSTGRES = "database and not once"
PATIENCE = 20.0  # Seconds to end in peace after Ctrl-C.


class Round:
    """One pytest, or another program that judges; its output goes to a file where another runs
    beside it."""

    running: list[subprocess.Popen[bytes]] = []

    def __init__(
        self,
        name,
        *arguments,
        database="",
        program="pytest",
        output=None,
        **variables,
    ):
        self.name, self.output = name, output
        environment = {**os.environ, "DATABASE_URL": database, **variables}
        # Each module is compiled once, not in each of some hundred processes.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        if output is None:
            print(f"== {name}", flush=True)
        self.process = subprocess.Popen(
            [sys.executable, "-m", program, *(["-q"] if program == "pytest" else []), *arguments],
            env=environment,
            stdout=None if output is None else output.open("wb"),
            stderr=None if output is None else subprocess.STDOUT,
        )
        self.running.append(self.process)

    def end(self):
        code = self.process.wait()
        self.running.remove(self.process)
        if self.output is not None:
            print(f"== {self.name}\n{self.output.read_text(errors='replace')}", end="", flush=True)
        return code


def stop_all():
    """What Ctrl-C has not ended: its children see the same signal from a terminal alone."""
    for process in Round.running:
        process.send_signal(signal.SIGINT)
    end = time.monotonic() + PATIENCE
    for process in Round.running:
        try:
            process.wait(max(0.0, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()


def main(arguments):
    signal.signal(signal.SIGTERM, interrupt)
    signal.signal(signal.SIGHUP, interrupt)
    shared.begin()
    modes = {"--rest": rest, "--simulate": simulate, "--nightly": nightly}
    chosen = [modes[argument] for argument in arguments if argument in modes]
    part = [argument for argument in arguments if argument not in modes]
    try:
        codes = chosen[0](part) if chosen else run_part(part) if part else quick()
    except KeyboardInterrupt:
        stop_all()
        print("Interrupted.", file=sys.stderr)
        return 130
    return next((code for code in codes if code not in (0, NO_TESTS)), 0)


def interrupt(*_):
    raise KeyboardInterrupt


def jobs(usual):
    """Processes of a round that runs everything."""
    return ["-n", os.environ.get("PARAANNO_TEST_JOBS", usual)]


def quick():
    code = Round("SQLite, without services", *jobs(QUICK_JOBS), "-m", shared.QUICK).end()
    print(f"== {shared.noted('left out') or 'Not run here: what needs a browser or servers.'}")
    return [code]


def rest(options):
    logs = [Path(os.environ[shared.VARIABLE], name) for name in ("postgres.log", "mutants.log")]
    codes = []
    with_postgres = has_postgres(codes)
    files = [] if options else shared.left_out()
    rounds = [
        Round("What `make test` leaves out", *jobs(REST_JOBS), "-m", shared.REST, *files, *options)
    ]
    if with_postgres:
        places = {*shared.on_postgres(), *shared.files_with("transaction=True")}
        wanted = [one for one in sorted(places) if not one.startswith(shared.PURE)]
        wanted = filter(shared.there, wanted)
        options = [*jobs(POSTGRES_JOBS), "-m", "differs", *wanted, *options]
        name = "PostgreSQL: what differs there"
        rounds.append(Round(name, *options, database=POSTGRES, output=logs[0]))
    rounds[-1].process.wait()  # The shorter one, whose place the mutants take.
    rounds.append(Round("Mutants of core rules", "--core", program="tests.mutants", output=logs[1]))
    return [*codes, *(one.end() for one in rounds)]


SIMULATED = "nightly or simulation or (hypothesis and not slow)"


def simulate(options):
    chosen = ("-s", "-m", SIMULATED, *options)
    return [Round("Simulations in full, and long walks", *chosen, **{SIMULATE: "1"}).end()]


def nightly(options):
    codes = simulate(options)
    if has_postgres(codes):
        every = ("-m", f"{ON_POSTGRES} and not nightly", *jobs(QUICK_JOBS), *PURE, *options)
        name = "PostgreSQL: all that uses the database"
        codes.append(Round(name, *every, database=POSTGRES).end())
    codes.append(Round("All mutants", program="tests.mutants").end())
    for database in ("postgresql", "sqlite"):
        minutes = ("--minutes", "10", "--every", "25", "--fault", "8", "--database", database)
        codes.append(Round(f"Soak on {database}", *minutes, program="tools.soak").end())
    return codes


def run_part(part):
    """All of it, also what takes long: who names tests wants them."""
    chosen = part if "-m" in part else [*part, "-m", "not nightly"]
    codes = [Round("SQLite", *chosen).end()]
    if shared.noted("database") is not None and has_postgres(codes):
        chosen = part if "-m" in part else [*part, "-m", f"{ON_POSTGRES} and not nightly"]
        codes.append(Round("PostgreSQL: what uses the database", *chosen, database=POSTGRES).end())
    return codes


def has_postgres(codes):
    """Whether it answers; where it must and does not, `codes` gets a failure."""
    if (reason := missing("postgres")) is None:
        return True
    print(f"{'FAILED' if strict() else 'SKIPPED the round on PostgreSQL'}: {reason}")
    if strict():
        codes.append(1)
    return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
