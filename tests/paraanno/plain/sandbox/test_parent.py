"""A reader in the sandbox gets no more than its file, and its file no more than its size allows."""

import os
import socket
import subprocess
import sys
import time

import psutil
import pytest

from paraanno.common.sandbox import parent
from paraanno.common.sandbox.parent import (
    TOO_LARGE,
    TOO_LONG,
    TOO_MUCH,
    Allowance,
    ReadingStopped,
    Unread,
    sandboxed,
)
from tests import HOME

LIMITS = Allowance(seconds=20, memory=2**30, file=2**20)


def run(name, *args, allowed=LIMITS):
    return list(sandboxed(f"tests.paraanno.plain.sandbox.targets:{name}", *args, allowed=allowed))


def gone(pid, patience=5.0):
    until = time.monotonic() + patience
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def test_what_it_tells_comes_as_it_is():
    told = ["a\n\ud800ü", 1.5, None, {"a": [1]}, "x" * 100_000]
    assert run("echo", *told) == told


def test_a_readers_sentence_keeps_its_parts_and_line():
    with pytest.raises(Unread) as refused:
        run("refuse", 7)
    assert (str(refused.value), refused.value.line) == ("there are 3 of them", 7)
    assert refused.value.message.values["part1"].template == "there are %(n)s of them"
    assert not isinstance(refused.value, ReadingStopped)


@pytest.mark.parametrize(
    ("name", "allowed", "sentence"),
    [
        ("greedy", LIMITS, TOO_MUCH),
        ("crashes", LIMITS, "ended early (status -6)"),
        ("odd", LIMITS, "AttributeError: no such thing"),
        ("no_exception", LIMITS, "KeyboardInterrupt"),
        ("no_text", LIMITS, "cannot be read (truncated data)"),
        ("sockets", LIMITS, "does not need socket.__new__"),
        ("programs", LIMITS, "does not need subprocess.Popen"),
    ],
)
def test_a_reader_that_goes_wrong_is_a_sentence(name, allowed, sentence):
    with pytest.raises(ReadingStopped) as stopped:
        run(name, allowed=allowed)
    assert sentence in str(stopped.value)


def test_a_busy_reader_is_stopped_by_what_it_used(monkeypatch):
    monkeypatch.setattr(parent, "CLOCK", 30)
    began = time.monotonic()
    with pytest.raises(ReadingStopped, match=str(TOO_LONG)):
        run("busy", allowed=Allowance(1, 2**30, 0))
    assert time.monotonic() - began < 25


def test_a_reader_that_sleeps_is_stopped_by_the_clock(monkeypatch):
    monkeypatch.setattr(parent, "CLOCK", 0.05)
    began = time.monotonic()
    with pytest.raises(ReadingStopped, match=str(TOO_LONG)):
        run("sleepy")
    assert time.monotonic() - began < 15


def test_no_file_grows_beyond_its_limit(tmp_path):
    with pytest.raises(ReadingStopped, match=str(TOO_LARGE)):
        run("writes", str(tmp_path / "large"), allowed=Allowance(20, 2**30, 1000))
    assert (tmp_path / "large").stat().st_size <= 1000


def test_an_error_of_our_own_is_logged_with_its_place(caplog):
    with pytest.raises(ReadingStopped):
        run("odd")
    assert "targets.py" in caplog.text


def test_no_secret_enters(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgresql://a:b@c/d")
    monkeypatch.setenv("PARAANNO_SECRET_KEY", "hidden")
    [found] = run("environment")
    assert "hidden" not in str(found) and "DATABASE_URL" not in found and "PATH" in found


@pytest.mark.skipif(os.getuid() != 0, reason="only where name spaces may be made")
def test_the_code_of_a_library_reaches_no_network_either():
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert run("raw_sockets", server.getsockname()[1]) != [0]


def test_it_ends_with_what_reads_it(tmp_path):
    told = sandboxed(
        "tests.paraanno.plain.sandbox.targets:sleepy", str(tmp_path / "pid"), allowed=LIMITS
    )
    assert next(told) == "begun"
    told.close()
    assert gone(int((tmp_path / "pid").read_text()), patience=0)


STARTS = """
from paraanno.common.sandbox.parent import Allowance, sandboxed
told = sandboxed("tests.paraanno.plain.sandbox.targets:{name}", {args} allowed=Allowance.of(1))
print(next(told), flush=True)
next(told)
"""


@pytest.mark.parametrize("ask", ["kill", "terminate"])
def test_it_dies_with_its_parent(tmp_path, ask):
    file = tmp_path / "pid"
    code = STARTS.format(name="sleepy", args=f"{str(file)!r},")
    caller = subprocess.Popen([sys.executable, "-c", code], cwd=HOME, stdout=subprocess.PIPE)
    assert caller.stdout.readline() == b"begun\n"
    getattr(caller, ask)()
    caller.wait()
    assert gone(int(file.read_text()))
    caller.stdout.close()


def test_limits_grow_with_the_file_and_end_with_the_machine():
    small, large = Allowance.of(100), Allowance.of(10**12)
    assert small.seconds == 60 and large.seconds == 3600
    assert small.memory < 2 * 2**30 and large.memory <= max(
        psutil.virtual_memory().total, small.memory
    )
    assert Allowance.of(10**9).file > Allowance.of(10**8).file
