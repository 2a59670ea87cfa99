"""`python -m tests.mutants`: see `tests/mutants/__init__.py`."""

import argparse
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from queue import SimpleQueue

from tests import HOME, live_parts, shared
from tests.mutants.every import RULES

LONGEST = 600  # seconds for the tests of one mutant
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+::.+?)(?: - .*)?$", re.MULTILINE)
# Without pytest's rewriting of assertions, which takes a third of a short run.
OPTIONS = ["-q", "--no-header", "--tb=no", "--assert=plain"]
OPTIONS += ["-p", "no:cacheprovider", "--nomigrations", "-rfE"]
NO_TEST = "5"  # pytest's exit code


class NotRun(Exception):
    """The tests of a mutant did not run."""


def copy_tree(to):
    """Copy what git knows or would add."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=HOME,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\0")
    for name in filter(None, listed):
        if (HOME / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(HOME / name, to / name)


class Tree:
    """A copy of the tree, and a process in it that runs its tests."""

    def __init__(self, path):
        copy_tree(path)
        self.path = path
        # The tree says which settings it has; modules that were imported here may have said others.
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
        environment.pop("DJANGO_SETTINGS_MODULE", None)
        self.output = path.with_suffix(".log")
        self.warm = subprocess.Popen(
            [sys.executable, "-P", Path(__file__).with_name("warm.py")],
            cwd=path,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def close(self):
        self.warm.stdin.close()
        self.warm.wait()
        self.warm.stdout.close()

    @contextmanager
    def applied(self, mutant):
        """Have the fault in the tree. Other modules stay compiled from one mutant to the next."""
        file = self.path / mutant.path
        source = file.read_text(encoding="utf-8")
        file.write_text(source.replace(mutant.old, mutant.new), encoding="utf-8")
        try:
            yield
        finally:
            file.write_text(source, encoding="utf-8")
            # Python compares times in seconds, and a mutant may be as long as the source.
            Path(importlib.util.cache_from_source(str(file))).unlink(missing_ok=True)

    def failed(self, arguments):
        """Run tests; return those that fail. Raises NotRun if they do not run."""
        job = [str(self.output), LONGEST, *OPTIONS, *arguments]
        print(json.dumps(job), file=self.warm.stdin, flush=True)
        answer = self.warm.stdout.readline().strip()
        if answer == "late":
            raise NotRun(f"not done after {LONGEST} seconds")
        if answer == "0":
            return []
        if answer == NO_TEST:
            raise NotRun("no test is selected")
        output = self.output.read_text(encoding="utf-8")
        tests = FAILED.findall(output)
        if answer != "1" or not tests:
            print(output[-4000:], file=sys.stderr)
            raise NotRun(f"pytest ended with {answer or 'nothing'}")
        return tests


def caught_by(mutant, tree):
    """Return the test that sees the mutant, or None. Raises NotRun if the tests do not run."""
    only = ["-k", mutant.only] if mutant.only else []
    with tree.applied(mutant):
        return next(iter(tree.failed(["-x", *mutant.tests.split(), *only])), None)


def run_all(chosen, jobs):
    """Print the table, in the order of the list; return how many are caught.

    A test that fails without a fault, too, catches nothing.
    """
    trees = SimpleQueue()

    def run(mutant):
        tree, began = trees.get(), time.monotonic()
        try:
            test = caught_by(mutant, tree)
            file, _, name = (test or "").partition("::")
            shown = f"{Path(file).name}::{name}" if test else "NOBODY"
            return test, shown, time.monotonic() - began
        except NotRun as error:
            return None, f"ERROR: {error}", time.monotonic() - began
        finally:
            trees.put(tree)

    seen = []
    with tempfile.TemporaryDirectory(prefix="paraanno-mutants-") as folder, ExitStack() as stack:
        for number in range(jobs):
            trees.put(stack.enter_context(closing(Tree(Path(folder, str(number))))))
        print("| rule | mutant | caught by | seconds |\n|---|---|---|---|", flush=True)
        with ThreadPoolExecutor(jobs) as pool:
            results = pool.map(run, [mutant for _, mutant in chosen])
            for (rule, mutant), (test, shown, took) in zip(chosen, results, strict=True):
                print(f"| {rule} | {mutant.name} | {shown} | {took:.1f} |", flush=True)
                seen += [test] if test else []
        anyway = trees.get().failed(sorted(set(seen))) if seen else []
    for test in anyway:
        print(f"This test fails without a fault, too: {test}", file=sys.stderr)
    return sum(test not in anyway for test in seen)


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("words", nargs="*", metavar="WORD", help="of a rule or a name")
    parser.add_argument("--core", action="store_true", help="only mutants of core rules")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="mutants at a time (2)")
    options = parser.parse_args(arguments)
    chosen = [
        (rule, mutant)
        for rule, mutants in RULES.items()
        for mutant in mutants
        if (mutant.core or not options.core)
        and (not options.words or any(one in f"{rule} {mutant.name}" for one in options.words))
    ]
    misfits = [f"{one.name}: {why}" for _, one in chosen if (why := one.misfit(HOME))]
    if misfits or not chosen:
        print(*misfits or ["There is no such mutant."], sep="\n", file=sys.stderr)
        return 2
    shared.begin()
    live_parts.prepared()  # The tables, which no mutant changes, by the source as it stands.
    caught = run_all(chosen, options.jobs)
    print(f"\n{caught} of {len(chosen)} caught")
    return 0 if caught == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
