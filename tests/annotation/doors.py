"""What a phone and a provider of single sign-on do: RFC 6238, and signed tokens by HTTP."""

import base64
import hashlib
import hmac
import json
import struct
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, parse_qsl, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

from annotation.accounts.login import factor_add, secret_new


def code_of(secret, steps=0, at=None):
    """The code that a phone shows now, or some steps of 30 seconds later."""
    counter = int(time.time() if at is None else at) // 30 + steps
    digest = hmac.new(base64.b32decode(secret), struct.pack(">Q", counter), hashlib.sha1).digest()
    place = digest[-1] & 15
    number = struct.unpack(">I", digest[place : place + 4])[0] & 0x7FFFFFFF
    return f"{number % 10**6:06d}"


def with_factor(user):
    """Give the user a second factor by the code before the present one, which stays unused."""
    secret = secret_new()
    return secret, factor_add(user=user, secret=secret, code=code_of(secret, -1))


class Provider:
    """A provider on this machine. `claims` is what its next token says, over what is right; `key`
    signs, and `audience` and so on can be made wrong."""

    def __init__(self):
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.signer = self.key
        self.claims = {
            "sub": "s-1",
            "email": "kim@uni.example",
            "email_verified": True,
        }
        self.asked = []
        self.nonce = self.challenge = ""
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.issuer = f"http://127.0.0.1:{self.server.server_port}"

    def authorise(self, address, code="c-1"):
        """The person logs in there; return the query with which the browser comes back."""
        query = dict(parse_qsl(urlsplit(address).query))
        assert address.startswith(f"{self.issuer}/authorize?")
        assert (query["response_type"], query["code_challenge_method"]) == ("code", "S256")
        self.nonce, self.challenge = query["nonce"], query["code_challenge"]
        return {"state": query["state"], "code": code}

    def token(self):
        now = int(time.time())
        right = {
            "iss": self.issuer,
            "aud": "paraanno",
            "iat": now,
            "exp": now + 60,
            "nonce": self.nonce,
        }
        body = {**right, **self.claims}
        return jwt.encode(body, self.signer, algorithm="RS256", headers={"kid": "k-1"})

    def exchange(self, form):
        """PKCE and the client's secret are asked for, as at a real one."""
        self.asked.append(form)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        proof = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if proof != self.challenge or form.get("client_secret") != "shared":
            return 400, {"error": "invalid_grant"}
        self.challenge = "spent"
        return 200, {"access_token": "a", "token_type": "Bearer", "id_token": self.token()}

    def document(self, path):
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key()))
        return {
            "/.well-known/openid-configuration": {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/keys",
            },
            "/keys": {"keys": [{**public, "kid": "k-1", "use": "sig"}]},
        }.get(path)

    def _handler(provider):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                found = provider.document(self.path)
                self.tell(200 if found else 404, found or {})

            def do_POST(self):
                text = self.rfile.read(int(self.headers["Content-Length"])).decode()
                self.tell(*provider.exchange({k: v[0] for k, v in parse_qs(text).items()}))

            def tell(self, status, data):
                self.send_response(status)
                self.end_headers()
                self.wfile.write(json.dumps(data).encode())

            def log_message(self, *_):
                """Say nothing."""

        return Handler


@contextmanager
def provider(settings, **others):
    """A provider that the site's settings name; `others` are settings without OIDC_."""
    one = Provider()
    settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID = one.issuer, "paraanno"
    settings.OIDC_CLIENT_SECRET = "shared"
    for name, value in others.items():
        setattr(settings, f"OIDC_{name}", value)
    threading.Thread(target=one.server.serve_forever, daemon=True).start()
    try:
        yield one
    finally:
        one.server.shutdown()
        one.server.server_close()
