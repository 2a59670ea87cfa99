"""Sleep without `clock_nanosleep`, which libfaketime 0.9.10 refuses while the monotonic clock is
the real one. Every Python that has this folder in PYTHONPATH does this when it starts."""

from __future__ import annotations

import threading
import time
from typing import SupportsIndex


def sleep(seconds: float | SupportsIndex) -> None:
    threading.Event().wait(float(seconds))


time.sleep = sleep
