"""What tests let a sandbox run: readers that are busy, greedy, nosy or wrong."""

import ctypes
import os
import socket
import subprocess
import time
from pathlib import Path

from annotation.importers.tables.books import TableError
from paraanno.common.texts import say


def echo(tell, *args):
    for one in args:
        tell(one)


def refuse(tell, line):
    raise TableError(say("there are %(n)s of them", n=3), line)


def busy(tell):
    tell("begun")
    while True:
        pass


def sleepy(tell, file=""):
    if file:
        Path(file).write_text(str(os.getpid()))
    tell("begun")
    time.sleep(60)


def greedy(tell):
    tell(len(bytearray(8 * 2**30)))


def writes(tell, file):
    Path(file).write_bytes(b"x" * 10**6)


def crashes(tell):
    os.abort()


def odd(tell):
    raise AttributeError("no such thing")


def no_exception(tell):
    raise KeyboardInterrupt  # As panics of Rust, it is none.


def no_text(tell):
    """Decode in what looks like a reader's module."""
    exec("b'a'.decode('utf-16')", {"__name__": "annotation.importers.new"})


def environment(tell):
    tell(dict(os.environ))


def sockets(tell):
    socket.socket()


def programs(tell):
    subprocess.run(["true"])


def raw_sockets(tell, port):
    """Connect as the C code of a parser would, past Python: the number of the error."""

    class Address(ctypes.Structure):
        _fields_ = [
            ("family", ctypes.c_ushort),
            ("port", ctypes.c_ushort),
            ("host", ctypes.c_uint),
            ("zero", ctypes.c_char * 8),
        ]

    system = ctypes.CDLL(None, use_errno=True)
    found = system.socket(2, 1, 0)
    address = Address(2, socket.htons(port), socket.htonl(0x7F000001), b"")
    tell(0 if system.connect(found, ctypes.byref(address), 16) == 0 else ctypes.get_errno())
