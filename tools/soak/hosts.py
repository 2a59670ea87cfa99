"""Two hosts on one machine: network namespaces where root may make them, else two ports."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import subprocess
from dataclasses import dataclass, field

HERE = "127.0.0.1"


@dataclass(frozen=True)
class Host:
    """Where processes of one host run, and how they and the middle reach each other.

    address   of its web server
    middle    of the database and the broker, as this host sees them
    namespace of the network; empty: this machine's own
    """

    name: str
    address: str
    middle: str
    namespace: str = ""

    def argv(self, argv: list[str]) -> list[str]:
        """The command line that runs `argv` on this host; the process keeps its number."""
        return ["ip", "netns", "exec", self.namespace, *argv] if self.namespace else argv


@dataclass
class Hosts:
    """Host a and host b; `close` takes away what was made."""

    all: list[Host] = field(default_factory=list)
    apart: bool = False
    _links: dict[str, str] = field(default_factory=dict)

    def cut(self, host: Host) -> None:
        """Take the host's cable out: nothing reaches it and nothing leaves it."""
        _ip("link", "set", self._links[host.name], "down")

    def mend(self, host: Host) -> None:
        _ip("link", "set", self._links[host.name], "up")

    def close(self) -> None:
        for host in self.all:
            if host.namespace:
                with contextlib.suppress(subprocess.CalledProcessError):
                    _ip("netns", "del", host.namespace)


def make_hosts() -> Hosts:
    """Two namespaces, each with a cable to this one; without the right to that, this machine."""
    if os.getuid() != 0 or shutil.which("ip") is None:
        return _together()
    hosts = Hosts(apart=True)
    mark = secrets.token_hex(2)
    subnet = 16 + secrets.randbelow(200)  # Another run beside this one has other addresses.
    try:
        for number, name in enumerate("ab"):
            space, outer, inner = (f"soak-{mark}-{name}{end}" for end in ("", "o", "i"))
            middle, address = (f"10.{subnet}.{number}.{last}" for last in (1, 2))
            _ip("netns", "add", space)
            hosts.all.append(Host(name, address, middle, space))
            hosts._links[name] = outer
            _ip("link", "add", outer, "type", "veth", "peer", "name", inner, "netns", space)
            _ip("addr", "add", f"{middle}/24", "dev", outer)
            _ip("link", "set", outer, "up")
            for command in (
                ("addr", "add", f"{address}/24", "dev", inner),
                ("link", "set", inner, "up"),
                ("link", "set", "lo", "up"),
            ):
                _ip("-n", space, *command)
    except subprocess.CalledProcessError:
        hosts.close()
        return _together()
    return hosts


def _together() -> Hosts:
    return Hosts([Host(name, HERE, HERE) for name in "ab"])


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)
