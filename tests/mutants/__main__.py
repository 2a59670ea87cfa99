"""`python -m tests.mutants`: see `tests/mutants/__init__.py`."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests import shared
from tests.live_parts import HOME
from tests.mutants import Mutant
from tests.mutants.every import RULES

LONGEST = 600  # seconds for the tests of one mutant
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+::.+?)(?: - .*)?$", re.MULTILINE)


def copy_tree(to: Path) -> None:
    """What git knows or would add; no caches, which would hide a change."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=HOME, capture_output=True, text=True, check=True,
    ).stdout.split("\0")  # fmt: skip
    for name in filter(None, listed):
        if (HOME / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(HOME / name, to / name)


def caught_by(mutant: Mutant, tree: Path) -> str | None:
    """The test that sees the mutant; None where none does, or where the tests did not run."""
    file = tree / mutant.path
    source = file.read_text(encoding="utf-8")
    file.write_text(source.replace(mutant.old, mutant.new), encoding="utf-8")
    command = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "--no-header", "--tb=no"]
    command += ["-p", "no:cacheprovider", "--nomigrations", "-rfE", *mutant.tests.split()]
    try:
        done = subprocess.run(
            command + (["-k", mutant.only] if mutant.only else []),
            cwd=tree, capture_output=True, text=True, check=False, timeout=LONGEST,
        )  # fmt: skip
    finally:
        file.write_text(source, encoding="utf-8")
    if done.returncode == 0:
        return None
    found = FAILED.search(done.stdout)
    if done.returncode != 1 or found is None:
        print(done.stdout[-2000:], done.stderr[-2000:], file=sys.stderr)
        return None
    return found[1].rpartition("/")[2]


def main(words: list[str]) -> int:
    chosen = [
        (rule, mutant)
        for rule, mutants in RULES.items()
        for mutant in mutants
        if not words or any(word in f"{rule} {mutant.name}" for word in words)
    ]
    survivors = []
    shared.begin()  # No mutant changes tables: they are made once for all.
    with tempfile.TemporaryDirectory(prefix="paraanno-mutants-") as folder:
        tree = Path(folder)
        copy_tree(tree)
        print("| rule | mutant | caught by | seconds |\n|---|---|---|---|")
        for rule, mutant in chosen:
            began = time.monotonic()
            test = caught_by(mutant, tree)
            took = time.monotonic() - began
            print(f"| {rule} | {mutant.name} | {test or 'NOBODY'} | {took:.0f} |", flush=True)
            if test is None:
                survivors.append(mutant.name)
    print(f"\n{len(chosen) - len(survivors)} of {len(chosen)} caught")
    return 1 if survivors or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
