"""Messages as files, for an instance without a broker: kombu's transport with atomic writes.

kombu opens a message's file under its final name and then writes it: a worker that reads it in
between finds no JSON and ends. The table of queues has the same race when several workers start at
once. Here a message gets its name when it is complete, and the table has a lock.
"""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path
from time import monotonic
from typing import Any
from uuid import uuid4

from filelock import FileLock
from kombu.exceptions import ChannelError
from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.json import dumps

from paraanno.common.on_disk import put_in_place


class Channel(filesystem.Channel):
    """A channel whose messages appear complete; one process at a time changes the queue table."""

    # The arguments are named as in filesystem.Channel, not as in its base class.
    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        # kombu sorts by this name and takes the part between the first dot and `.msg` as the queue.
        name = f"{round(monotonic() * 1000)}_{uuid4()}"
        folder = Path(self.data_folder_out)
        draft = folder / f"{name}.part"
        try:
            draft.write_bytes(dumps(payload).encode())
            put_in_place(draft, folder / f"{name}.{queue}.msg")
        except OSError as error:
            raise ChannelError(f"Cannot add a message to {self.data_folder_out}") from error

    def _queue_bind(self, *args: Any) -> None:
        with self._table():
            super()._queue_bind(*args)

    def get_table(self, exchange: str) -> Any:
        with self._table():
            return super().get_table(exchange)

    def _table(self) -> FileLock:
        self.control_folder.mkdir(exist_ok=True)
        return FileLock(self.control_folder / "table.lock")


class Transport(filesystem.Transport):
    """The transport for `filesystem://`."""

    Channel = Channel


def install() -> None:
    """Use this transport for `filesystem://` in the entire process."""
    TRANSPORT_ALIASES["filesystem"] = f"{__name__}:Transport"


# Stop asking a server that does not answer, so that only one request in a while waits for it.


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
            was_away, self._away = self._away, True
            self._next = time.monotonic() + PAUSE
        if not was_away:
            name = type(error).__name__
            logger.warning("%s does not answer (%s): %s", self.server, name, self.instead)

    def worked(self) -> None:
        """Note that it answered."""
        if not self._away:
            return
        with self._lock:
            was_away, self._away = self._away, False
        if was_away:
            logger.warning("%s answers again.", self.server)
