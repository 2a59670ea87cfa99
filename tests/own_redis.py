"""A Redis of a test's own, which the test may freeze and kill."""

import contextlib
import signal
import socket
import subprocess
import time

from tests import needs
from tests.live import free_port


class OwnRedis:
    """A server on a free port; `url` reaches its first database."""

    def __init__(self):
        needs.need("redis")
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""],
            stdout=subprocess.DEVNULL,
        )
        end = time.monotonic() + 30
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return
            assert time.monotonic() < end
            time.sleep(0.02)

    def freeze(self):
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self._process.send_signal(signal.SIGCONT)

    def kill(self):
        self._process.kill()
        self._process.wait()


def cached_at(url):
    """The setting CACHES for a Redis."""
    return {"default": {"BACKEND": "paraanno.patient_cache.PatientCache", "LOCATION": url}}
