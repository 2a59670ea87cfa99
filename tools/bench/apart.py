"""A measurement in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path


def apart(module: str) -> dict[str, float]:
    """What a module prints as its last line, in JSON, when run as a worker runs."""
    done = subprocess.run(
        [sys.executable, "-m", module],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # as in paraanno/celery.py
    )
    answer: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return answer
