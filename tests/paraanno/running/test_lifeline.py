"""Processes that end with the one that started them, even by kill -9."""

import subprocess
import sys

import pytest

from paraanno.running.supervision import SUPERVISED
from tests import HOME
from tests.live_parts import clean_environment

pytestmark = pytest.mark.slow  # Processes are started and killed.

# The child holds on to the pipe from which the test reads: its end is the end of the pipe.
PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdin=subprocess.PIPE)
child.wait()
"""
CHILD = """
import os, sys
from paraanno.running import supervision

parent = os.getppid()
supervision.{call}
print("ready", flush=True)
sys.stdin.read()  # Until the parent has ended.
{after}
print("survived", flush=True)
"""
# Until the kernel has given it another parent; it kills at the same moment.
ORPHANED = "while os.getppid() == parent: pass\nimport time; time.sleep(0.05)"
LONG = "import threading; threading.Event().wait(60)"
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel of Linux")


def said_after_the_end(call, after, **variables):
    """What the child says after its parent was killed."""
    program = CHILD.format(call=call, after=after)
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, program],
        cwd=HOME,
        env=clean_environment(**variables),
        stdout=subprocess.PIPE,
        text=True,
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "ready\n"
        parent.kill()
        return parent.stdout.read()


@linux
@pytest.mark.parametrize(
    ("call", "variables"),
    [("die_with_parent(parent)", {}), ("die_with_supervisor()", {SUPERVISED: "folder"})],
)
def test_the_kernel_ends_the_child(call, variables):
    assert said_after_the_end(call, ORPHANED, **variables) == ""


def test_without_a_supervisor_a_server_lives_on():
    assert said_after_the_end("die_with_supervisor()", ORPHANED) == "survived\n"


def test_a_watching_thread_ends_the_child():
    assert said_after_the_end("watch_parent(parent)", LONG) == ""


@linux
def test_who_asks_too_late_ends_at_once():
    program = "from paraanno.running import supervision; supervision.die_with_parent(0)"
    done = subprocess.run([sys.executable, "-c", program], cwd=HOME, check=False)
    assert done.returncode == -9
