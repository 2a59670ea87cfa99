"""Stop asking a server that does not answer, so that only one request in a while waits for it."""

from __future__ import annotations

import logging
import threading
import time

PAUSE = 5.0  # seconds
logger = logging.getLogger(__name__)


class Breaker:
    """Whether to ask a server. `instead` says in the log what happens while it is away.

    Both the loss and the return are logged once. Threads share a breaker.
    """

    def __init__(self, server: str, *, instead: str) -> None:
        self.server, self.instead = server, instead
        self._lock = threading.Lock()
        self._away = False
        self._next = 0.0

    def allows(self) -> bool:
        """Whether to ask now: always while it answers, else one caller every `PAUSE` seconds."""
        if not self._away:
            return True
        with self._lock:
            now = time.monotonic()
            if now < self._next:
                return False
            self._next = now + PAUSE
            return True

    def failed(self, error: Exception) -> None:
        """Note that it did not answer."""
        with self._lock:
            known, self._away = self._away, True
            self._next = time.monotonic() + PAUSE
        if not known:
            name = type(error).__name__
            logger.warning("%s does not answer (%s): %s", self.server, name, self.instead)

    def worked(self) -> None:
        """Note that it answered."""
        if not self._away:
            return
        with self._lock:
            known, self._away = self._away, False
        if known:
            logger.warning("%s answers again.", self.server)
