"""Requests to addresses that people typed in: by https, and only to public hosts.

A name is resolved once. Every address that it has must be public, and the connection goes to the
address that was looked at, so that a resolver which answers otherwise the second time changes
nothing. Redirects are not followed, proxies of the environment are not used, and everything
together ends after SECONDS.
"""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import queue
import re
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

SECONDS = 5.0
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


class NotPublic(ValueError):
    """The address is none that may be asked; `reason` is one of form, unknown, private."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NoAnswer(OSError):
    """The host gave no answer in time, no valid certificate, or one that is no success."""


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet.

    Addresses of IPv6 that hold one of IPv4 (mapped, 6to4, Teredo, NAT64) are as public as that.
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return is_public(str(ip.ipv4_mapped))
        inner = [ip.sixtofour, *(ip.teredo or ())]
        if ip in _NAT64:
            inner.append(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF))
        if any(one is not None and not is_public(str(one)) for one in inner):
            return False
        if ip in _NAT64:
            return True
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def checked_url(url: str) -> SplitResult:
    """Return the parts of an https address. Raises NotPublic("form") for any other."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
        host.encode("idna")
    except (ValueError, UnicodeError) as error:
        raise NotPublic("form") from error
    odd = re.search(r"[\s\x00-\x1f\x7f\\]", url) or not (parts.path + parts.query).isascii()
    named = parts.username is not None or parts.password is not None
    if parts.scheme != "https" or not host or named or odd or port == 0:
        raise NotPublic("form")
    return parts


def post_public(url: str, *, body: bytes, headers: Mapping[str, str]) -> int:
    """Send the body by POST and return the status, which is 200 to 299.

    Raises NotPublic for an address that may not be asked, and NoAnswer for everything else that
    goes wrong. The answer's body is not read.
    """
    parts = checked_url(url)
    host, port = str(parts.hostname), parts.port or 443
    end = time.monotonic() + SECONDS
    addresses = _addresses(host, port, end)
    if not addresses or not all(is_public(one) for one in addresses):
        raise NotPublic("private")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection = _PinnedConnection(host, port, addresses[0], max(0.1, end - time.monotonic()))
    # A server that sends a byte now and then passes every timeout of a socket.
    watch = threading.Timer(max(0.1, end - time.monotonic()), connection.cut)
    watch.daemon = True
    watch.start()
    try:
        connection.request("POST", path, body=body, headers=dict(headers))
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise NoAnswer(type(error).__name__) from error
    finally:
        watch.cancel()
        connection.close()
    # A head that was cut off looks like one that is whole.
    if connection.was_cut:
        raise NoAnswer("it took too long")
    if not 200 <= status < 300:
        raise NoAnswer(f"HTTP {status}")
    return status


def _addresses(host: str, port: int, end: float) -> list[str]:
    """Everything that the name resolves to. The resolver has no time limit of its own, so it is
    asked in a thread that nobody waits for after `end`."""
    results: queue.Queue[list[str] | None] = queue.Queue()

    def ask() -> None:
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            results.put([str(row[4][0]) for row in rows])
        except (OSError, UnicodeError):
            results.put(None)

    threading.Thread(target=ask, name="resolve", daemon=True).start()
    try:
        addresses = results.get(timeout=max(0.1, end - time.monotonic()))
    except queue.Empty as error:
        raise NoAnswer("the name was not resolved in time") from error
    if addresses is None:
        raise NotPublic("unknown")
    return addresses


class _PinnedConnection(http.client.HTTPSConnection):
    """Connects to one address, whatever the name resolves to now; the certificate is the name's."""

    def __init__(self, host: str, port: int, address: str, seconds: float) -> None:
        self._tls = ssl.create_default_context()
        super().__init__(host, port, timeout=seconds, context=self._tls)
        self._address = address
        self.was_cut = False

    def connect(self) -> None:
        raw = socket.create_connection((self._address, self.port), self.timeout)
        self.sock = raw
        self.sock = self._tls.wrap_socket(
            raw, server_hostname=self.host, do_handshake_on_connect=False
        )
        self.sock.do_handshake()

    def cut(self) -> None:
        """End what is under way, from another thread."""
        self.was_cut = True
        sock = self.sock
        if sock is not None:
            # Not SSLSocket's own: it takes apart what the other thread is using. It may be closed
            # in this moment.
            with contextlib.suppress(OSError):
                socket.socket.shutdown(sock, socket.SHUT_RDWR)
