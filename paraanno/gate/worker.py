"""gunicorn's worker with threads, behind a gate.

The main thread takes every connection at once and reads the beginning of each request without
taking it from the socket. So it knows what a request is for and how long it has waited before a
thread has any work with it. Requests about health go to threads of their own; the others wait at
the gate for a place, or are answered 503 by the main thread.
"""

from __future__ import annotations

import errno
import logging
import selectors
import socket
import struct
import sys
import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

from gunicorn.workers.gthread import TConn, ThreadWorker

from paraanno.gate.admission import HEALTH, Gate, Queued, Rank, busy_answers, read_head
from paraanno.observability.counted import refused

PEEK = 16_384  # bytes of a request that are looked at
AT_ONCE = 64  # connections that are taken before anything else is done
PROBES = 8  # requests about health that may wait for each other
DRAIN = 2.0  # seconds in which the sender of a refused request may still be sending
GLANCE = 0.1  # seconds between looks for those that have waited too long
LINGER = 2.0  # seconds for which a process that stops keeps idle connections
REPORT = 10.0  # seconds between lines of the log about refusals
_LAST_DATA = struct.Struct("@52xI")  # of Linux's tcp_info: milliseconds since data came last
logger = logging.getLogger(__name__)


class Connection(TConn):
    """A connection. `kind` is the place at the gate that its request has, `probe` the address about
    health that it asks for."""

    kind: Rank | None = None
    probe = ""
    began = 0.0


class GatedWorker(ThreadWorker):
    """See above. What is overridden here belongs to the main thread, but for `handle`."""

    def init_process(self) -> None:
        self.gate: Gate[Connection] = Gate(self.cfg.threads)
        self.answers = busy_answers()
        self.probes = {path: ThreadPoolExecutor(max_workers=1) for path in HEALTH}
        self.probing = dict.fromkeys(HEALTH, 0)
        self.closing: deque[Connection] = deque()
        self.turned_away = 0
        self.reported = time.monotonic()
        super().init_process()

    def accept(self, listener: socket.socket) -> None:
        """Take the connections that wait; idle ones make room for them."""
        for _ in range(AT_ONCE):
            try:
                client, address = listener.accept()
            except OSError as error:
                if error.errno in (errno.EAGAIN, errno.ECONNABORTED):
                    return
                raise
            self.nr_conns += 1
            if self.nr_conns >= self.worker_connections:
                self._make_room()
            connection = Connection(self.cfg, client, address, listener.getsockname())
            self._wait_for_data(connection)

    def enqueue_req(self, connection: Connection) -> None:
        """Decide about a request whose beginning is there."""
        start, ahead = self._start_of(connection)
        if start is None:
            self._wait_for_data(connection)
        elif not start:
            self._drop(connection)
        else:
            self._decide(connection, start, ahead=ahead)

    def wait_for_and_dispatch_events(self, timeout: float) -> None:
        super().wait_for_and_dispatch_events(GLANCE if self.gate.waiting() else timeout)
        self._dispatch()
        now = time.monotonic()
        while self.closing and self.closing[0].timeout < now:
            self._close_now(self.closing[0])
        if self.turned_away and now - self.reported > REPORT:
            logger.warning(
                "The site is busy: %s requests were refused in %.0f s, %s wait.",
                self.turned_away,
                now - self.reported,
                self.gate.waiting(),
            )
            self.turned_away, self.reported = 0, now

    def finish_request(self, connection: Connection, future: Future[Any]) -> None:
        """Take the place back, and keep or close the connection."""
        if connection.kind is not None:
            self.gate.done(connection.kind, time.monotonic() - connection.began)
            connection.kind = None
        elif connection.probe:
            self.probing[connection.probe] -= 1
            connection.probe = ""
        try:
            if future.cancelled() or not future.result():
                self._close(connection)
            elif connection.parser.unreader.buf.getvalue():
                self.enqueue_req(connection)  # These bytes wake the poller no more.
            else:
                self._keep(connection)
        except Exception:
            logger.exception("A connection broke.")
            self._drop(connection)
        self._dispatch()

    def _decide(self, connection: Connection, start: bytes, *, ahead: bool) -> None:
        head = read_head(start)
        connection.data_ready = True
        if head.path in HEALTH:
            if self.probing[head.path] < PROBES:
                self.probing[head.path] += 1
                connection.probe = head.path
                self._submit(self.probes[head.path], connection)
            else:
                self._refuse(connection, start, ahead=ahead)
            return
        now = time.monotonic()
        request = Queued(connection, head.kind, now - _age(connection.sock), head.patience)
        if self.gate.enter(request, now):
            self._dispatch()
        else:
            self._refuse(connection, start, ahead=ahead)

    def _dispatch(self) -> None:
        """Give free places to those that wait, and refuse those that have waited too long."""
        now = time.monotonic()
        for request, in_time in self.gate.next(now):
            connection = request.item
            if in_time:
                connection.kind, connection.began = request.kind, now
                self._submit(self.tpool, connection)
                continue
            start, ahead = self._start_of(connection)
            if start:
                self._refuse(connection, start, ahead=ahead)
            else:
                self._drop(connection)

    def _submit(self, pool: ThreadPoolExecutor, connection: Connection) -> None:
        future = pool.submit(self.handle, connection)
        future.add_done_callback(
            lambda done: self.method_queue.defer(self.finish_request, connection, done)
        )

    def _start_of(self, connection: Connection) -> tuple[bytes | None, bool]:
        """Return the beginning of the next request, and whether gunicorn has read it already.

        Nothing if the sender has closed the connection, None if there is no data yet.
        """
        if connection.initialized:
            ahead: bytes = connection.parser.unreader.buf.getvalue()
            if ahead:
                return ahead, True
        connection.sock.setblocking(False)
        try:
            return connection.sock.recv(PEEK, socket.MSG_PEEK), False
        except BlockingIOError:
            return None, False
        except OSError:
            return b"", False

    def _refuse(self, connection: Connection, start: bytes, *, ahead: bool) -> None:
        """Answer 503. The connection stays if all of the request is there to be taken off."""
        head = read_head(start)
        self.turned_away += 1
        refused("busy")
        after = self.gate.retry_after(head.kind, time.monotonic())
        length = head.length
        whole = self.alive and not ahead and not head.close and length and length <= len(start)
        answer = self.answers.answer(head, after=after, close=not whole)
        connection.sock.setblocking(False)
        try:
            if whole:
                connection.sock.recv(length)
            if connection.sock.send(answer) < len(answer):
                raise BlockingIOError  # Its sender reads nothing.
        except OSError:
            self._drop(connection)
            return
        if whole:
            self._keep(connection)
        else:
            self._close(connection)

    def _wait_for_data(self, connection: Connection) -> None:
        connection.sock.setblocking(False)
        connection.timeout = time.monotonic() + self.cfg.keepalive
        self.pending_conns.append(connection)
        self.poller.register(
            connection.sock,
            selectors.EVENT_READ,
            partial(self.on_pending_socket_readable, connection),
        )

    def _keep(self, connection: Connection) -> None:
        connection.sock.setblocking(False)
        connection.set_timeout()
        if not self.alive:
            connection.timeout = min(connection.timeout, time.monotonic() + LINGER)
        self.keepalived_conns.append(connection)
        self.poller.register(
            connection.sock,
            selectors.EVENT_READ,
            partial(self.on_client_socket_readable, connection),
        )

    def _close(self, connection: Connection) -> None:
        """Close a connection whose sender may still be sending, without waiting for that.

        To close it at once would take back an answer that was not read yet.
        """
        try:
            connection.sock.setblocking(False)
            connection.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self._drop(connection)
            return
        connection.timeout = time.monotonic() + DRAIN
        self.closing.append(connection)
        self.poller.register(
            connection.sock, selectors.EVENT_READ, partial(self._drain, connection)
        )

    def _drain(self, connection: Connection, sock: socket.socket) -> None:
        try:
            if sock.recv(PEEK):
                return
        except BlockingIOError:
            return
        except OSError:
            pass
        self._close_now(connection)

    def _close_now(self, connection: Connection) -> None:
        self.closing.remove(connection)
        self.poller.unregister(connection.sock)
        self._drop(connection)

    def _drop(self, connection: Connection) -> None:
        self.nr_conns -= 1
        connection.close()

    def _make_room(self) -> None:
        """End the connection that has been idle for longest."""
        for idle in (self.keepalived_conns, self.pending_conns):
            if idle:
                connection = idle.popleft()
                self.poller.unregister(connection.sock)
                self._drop(connection)
                return


def _age(sock: socket.socket) -> float:
    """How many seconds ago the kernel got the latest part of the request, in whatever queue it has
    been since; 0 where the kernel does not say."""
    if not sys.platform.startswith("linux") or sock.family == socket.AF_UNIX:
        return 0.0
    info = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _LAST_DATA.size)
    return float(_LAST_DATA.unpack(info)[0]) / 1000
