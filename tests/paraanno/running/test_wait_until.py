"""Workers begin when the web server answers, or when somebody asks for them."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path

from paraanno.running.supervision import WAITER
from tests.live import free_port


def begin(port: int, said: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", f"open({str(said)!r}, 'w').write('began')"]
    return subprocess.Popen([sys.executable, str(WAITER), "answers", f"127.0.0.1:{port}", *command])


def test_the_command_begins_with_the_first_answer(tmp_path: Path) -> None:
    port, said = free_port(), tmp_path / "said"
    process = begin(port, said)
    time.sleep(0.4)
    assert process.poll() is None and not said.exists()
    with socket.create_server(("127.0.0.1", port)) as server:
        connection, _ = server.accept()
        time.sleep(0.2)
        assert process.poll() is None  # It listens, and does not answer yet.
        connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n")
        assert process.wait(timeout=30) == 0
        connection.close()
    assert said.read_text() == "began"


def test_it_does_not_outlive_the_process_that_started_it(tmp_path: Path) -> None:
    port, said = free_port(), tmp_path / "said"
    command = [sys.executable, str(WAITER), "answers", f"127.0.0.1:{port}", "/bin/touch", str(said)]
    code = f"import subprocess, time; subprocess.Popen({command!r}); time.sleep(0.4)"
    subprocess.run([sys.executable, "-c", code], check=True)
    time.sleep(0.3)
    with socket.create_server(("127.0.0.1", port)):
        time.sleep(0.5)
    assert not said.exists()


def test_a_file_asks_once(tmp_path: Path) -> None:
    asks, said = tmp_path / "asked", tmp_path / "said"
    command = [sys.executable, str(WAITER), "wanted", str(asks), "/bin/touch", str(said)]
    process = subprocess.Popen(command)
    time.sleep(0.4)
    assert process.poll() is None and not said.exists()
    asks.touch()
    assert process.wait(timeout=30) == 0
    assert said.exists() and not asks.exists()
