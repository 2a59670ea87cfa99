"""The thread of a worker that sends letters.

A thread and not a task: a letter must not wait until a process of the worker is free, and a mail
server that hangs must not occupy one.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from django.db import DatabaseError, InterfaceError, close_old_connections, connection

from annotation.mail.sending import Postman, letters_expire, letters_send

logger = logging.getLogger(__name__)
POLL_SECONDS = 3
EXPIRY_SECONDS = 3600


class LetterThread:
    """Looks for letters every few seconds, until stopped.

    `forking` is held around each use of the database, so that the worker never forks a child with
    a connection in the middle of a query.
    """

    def __init__(self, forking: AbstractContextManager[object]) -> None:
        self._forking = forking
        self._over = threading.Event()
        self._postman = Postman()
        self._expired_at = 0.0
        self._thread = threading.Thread(target=self._loop, name="letters", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop soon: what is being sent now is due again if this process ends before it is done."""
        self._over.set()
        self._thread.join(timeout=1)

    def _loop(self) -> None:
        while not self._over.wait(POLL_SECONDS):
            try:
                letters_send(postman=self._postman, guard=self._guard, over=self._over.is_set)
                if time.monotonic() - self._expired_at > EXPIRY_SECONDS:
                    self._expired_at = time.monotonic()
                    with self._guard():
                        letters_expire()
            except (DatabaseError, InterfaceError) as error:
                logger.warning("No letters are sent: the database says %s", error)
            except Exception:
                logger.exception("Letters failed once")  # One error must not end the thread.

    @contextmanager
    def _guard(self) -> Iterator[None]:
        with self._forking:
            close_old_connections()
            try:
                yield
            finally:
                connection.close()
