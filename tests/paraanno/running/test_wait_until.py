"""Workers begin when the web server answers, or when somebody asks for them."""

import socket
import subprocess
import sys
import time

import pytest

from paraanno.running.supervision import WAITER
from tests.live import free_port

pytestmark = pytest.mark.slow  # Processes are started and killed.


def begin(*arguments):
    """The waiter, which has not begun its command yet."""
    process = subprocess.Popen([sys.executable, str(WAITER), *arguments])
    time.sleep(0.4)
    assert process.poll() is None
    return process


def test_the_command_begins_with_the_first_answer(tmp_path):
    port, mark = free_port(), tmp_path / "mark"
    process = begin("answers", f"127.0.0.1:{port}", "/bin/touch", str(mark))
    with socket.create_server(("127.0.0.1", port)) as server:
        connection, _ = server.accept()
        time.sleep(0.2)
        assert process.poll() is None  # It listens, and does not answer yet.
        assert not mark.exists()
        connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n")
        assert process.wait(timeout=30) == 0
        connection.close()
    assert mark.exists()


def test_it_does_not_outlive_the_process_that_started_it(tmp_path):
    port, said = free_port(), tmp_path / "said"
    command = [sys.executable, str(WAITER), "answers", f"127.0.0.1:{port}", "/bin/touch", str(said)]
    code = f"import subprocess, time; subprocess.Popen({command!r}); time.sleep(0.4)"
    subprocess.run([sys.executable, "-c", code], check=True)
    time.sleep(0.3)
    with socket.create_server(("127.0.0.1", port)):
        time.sleep(0.5)
    assert not said.exists()


def test_a_file_asks_once(tmp_path):
    asks, mark = tmp_path / "asked", tmp_path / "mark"
    process = begin("wanted", str(asks), "/bin/touch", str(mark))
    assert not mark.exists()
    asks.touch()
    assert process.wait(timeout=30) == 0
    assert mark.exists() and not asks.exists()
