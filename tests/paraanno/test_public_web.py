"""Only public hosts are asked, at the address that was looked at, and not for long."""

import socket
import ssl
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from paraanno import public_web
from paraanno.public_web import NoAnswer, NotPublic, checked_url, is_public, post_public

# A certificate that nobody trusts, for hook.example.
KEY = """\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgX81jzREZtkxCwvUj
Y6jT+GRPIrYKrwkI6wtCD7K2EBChRANCAATK3GQ19mgQwdim/3rZbC61rOdqX/ck
2twX+OAY/MScbPLGRLlu8ykvyA5/Vs9eeS4GBy+qHvw+fXnYd2mcSVVL
-----END PRIVATE KEY-----
"""
CERTIFICATE = """\
-----BEGIN CERTIFICATE-----
MIIBnzCCAUSgAwIBAgIUIn1BatImmybworQYNVa9vIPlSP4wCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMaG9vay5leGFtcGxlMCAXDTI2MTEyMjIzMjE0OFoYDzIxMjYx
MDI5MjMyMTQ4WjAXMRUwEwYDVQQDDAxob29rLmV4YW1wbGUwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAATK3GQ19mgQwdim/3rZbC61rOdqX/ck2twX+OAY/MScbPLG
RLlu8ykvyA5/Vs9eeS4GBy+qHvw+fXnYd2mcSVVLo2wwajAdBgNVHQ4EFgQUfEiA
bAdgom5MAFvc5IUBsbosOe4wHwYDVR0jBBgwFoAUfEiAbAdgom5MAFvc5IUBsbos
Oe4wDwYDVR0TAQH/BAUwAwEB/zAXBgNVHREEEDAOggxob29rLmV4YW1wbGUwCgYI
KoZIzj0EAwIDSQAwRgIhAL4COh5crQn2bghxl+6+cg9c9HTrSLGpd7HNJBS1FXBf
AiEA/JtRrK58BWJz6S94hRoOtv7iEed5OrPKw+LiqdFCKQA=
-----END CERTIFICATE-----
"""
URL = "https://hook.example:{port}/in?a=1"
real = socket.getaddrinfo


PUBLIC = ["93.184.215.14", "2606:2800:21f:cb07::1", "64:ff9b::5db8:d70e"]


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.9.9.9",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "0.0.0.0",
        "100.64.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "2002:7f00:1::",
        "2001:db8::1",
        *PUBLIC,
    ],
)
def test_addresses_of_the_internet_alone_are_public(address):
    assert is_public(address) == (address in PUBLIC)


def refused(ask, reason):
    with pytest.raises(NotPublic) as refusal:
        ask()
    assert refusal.value.reason == reason


@pytest.mark.parametrize(
    "url",
    [
        "http://hook.example/",
        "https:///path",
        "https://me:pass@hook.example/",
        "ftp://a.example",
        "https://hook.example/a b",
        "https://hook.example:99999/",
        "https://hook.example\\@b.example/",
        "https://[::1/",
        "https://hook.example/ü",
        "",
    ],
)
def test_only_plain_https_addresses_are_taken(url):
    refused(lambda: checked_url(url), "form")


class Server(ThreadingHTTPServer):
    """Answers by `answer`, which is given a file to write to."""

    def __init__(self, folder, answer):
        self.heard = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(one):
                body = one.rfile.read(int(one.headers["Content-Length"]))
                self.heard.append((one.requestline, one.headers, body))
                answer(one.wfile)

        super().__init__(("127.0.0.1", 0), Handler)
        for name, text in (("key", KEY), ("certificate", CERTIFICATE)):
            (folder / name).write_text(text, "utf-8")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "certificate", folder / "key")
        self.socket = context.wrap_socket(self.socket, server_side=True)
        threading.Thread(target=self.serve_forever, daemon=True).start()


def says(head):
    return lambda one: one.write(f"HTTP/1.1 {head}\r\nContent-Length: 0\r\n\r\n".encode())


@pytest.fixture
def server(tmp_path, monkeypatch):
    """Makes a server that this machine takes for a public one, behind the name hook.example."""
    made = []
    trusting = ssl.create_default_context(cadata=CERTIFICATE)
    monkeypatch.setattr(ssl, "create_default_context", lambda: trusting)
    monkeypatch.setattr(public_web, "is_public", lambda address: address == "127.0.0.1")
    monkeypatch.setattr(public_web, "SECONDS", 1.0)
    resolve(monkeypatch, ["127.0.0.1"])

    def make(answer):
        made.append(Server(tmp_path, answer))
        return made[-1]

    yield make
    for one in made:
        one.shutdown()
        one.server_close()


def resolve(monkeypatch, *answers):
    """Have hook.example resolve to each of these in turn; what is left of them is returned."""
    left = list(answers)

    def asked(host, port, *args, **options):
        if host != "hook.example":
            return real(host, port, *args, **options)
        found = left.pop(0) if len(left) > 1 else left[0]
        return [row for one in found for row in real(one, port, *args, **options)]

    monkeypatch.setattr(socket, "getaddrinfo", asked)
    return left


def post(url="https://hook.example/"):
    return post_public(url, body=b"{}", headers={"X-Sign": "one"})


def test_a_public_host_is_asked_once(server):
    there = server(says("204 No Content"))
    assert post(URL.format(port=there.server_port)) == 204
    [(line, headers, body)] = there.heard
    assert (line, headers["X-Sign"], body) == ("POST /in?a=1 HTTP/1.1", "one", b"{}")
    assert headers["Host"].startswith("hook.example:")


@pytest.mark.parametrize("head", ["302 Found\r\nLocation: /other", "500 Broken", "nonsense"])
def test_redirects_and_refusals_are_no_success(server, head):
    there = server(says(head))
    with pytest.raises(NoAnswer):
        post(URL.format(port=there.server_port))
    assert len(there.heard) == 1


def test_the_name_of_the_certificate_counts(
    server,
):
    there = server(says("200 OK"))
    with pytest.raises(NoAnswer, match="SSLCertVerificationError"):
        post(f"https://127.0.0.1:{there.server_port}/")


def drips(one):
    for byte in b"HTTP/1.1 200 OK\r\n" + b"X-Long: yes\r\n" * 100:
        one.write(bytes([byte]))
        time.sleep(0.05)


def test_a_server_that_sends_a_byte_now_and_then_is_left(server):
    with pytest.raises(NoAnswer):
        post(URL.format(port=server(drips).server_port))


def test_a_resolver_that_never_answers_is_left(server, monkeypatch):
    def late(*args, **options):
        time.sleep(5)
        raise socket.gaierror("too late")

    monkeypatch.setattr(socket, "getaddrinfo", late)
    with pytest.raises(NoAnswer, match="not resolved"):
        post()


def test_a_second_answer_of_the_resolver_changes_nothing(server, monkeypatch):
    """DNS rebinding: public when it is looked at, inside when it is connected to."""
    there = server(says("200 OK"))
    left = resolve(monkeypatch, ["127.0.0.1"], ["127.0.0.2"])
    assert post(URL.format(port=there.server_port)) == 200
    assert left == [["127.0.0.2"]] and len(there.heard) == 1


@pytest.mark.parametrize("inside", [["127.0.0.1"], ["93.184.215.14", "10.0.0.1"], ["::1"]])
def test_a_name_with_an_address_inside_is_never_connected_to(monkeypatch, inside):
    resolve(monkeypatch, inside)
    monkeypatch.setattr(socket, "create_connection", pytest.fail)
    refused(post, "private")
