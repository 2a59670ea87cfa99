"""All simulations, and the examples of Hypothesis, in full, for which no CI has time:
`python -m tests.simulate`, `make simulate`.
Arguments go to pytest, as `-k coverage`."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.simulate import VARIABLE

if __name__ == "__main__":
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-s",
        "-m",
        "simulation or (hypothesis and not slow)",
    ]
    sys.exit(subprocess.call([*command, *sys.argv[1:]], env={**os.environ, VARIABLE: "1"}))
