"""A mail server of the tests: it accepts, puts off or refuses, by the name in an address."""

import contextlib
import email
import email.policy
import socketserver
import threading

LATER, NEVER, SPAM = "later", "never", "spam"


class Talk(socketserver.StreamRequestHandler):
    def say(self, line):
        self.wfile.write(f"{line}\r\n".encode())

    def handle(self):
        self.server.connections += 1
        self.say("220 here")
        to = ""
        for raw in self.rfile:
            word = raw.decode().strip()
            verb = word[:4].upper()
            if verb == "RCPT":
                to = word
                code = {LATER: "451 mailbox busy", NEVER: "550 5.1.1 no such mailbox"}
                self.say(next((text for name, text in code.items() if name in to), "250 fine"))
            elif verb == "DATA":
                self.say("354 go on")
                lines = []
                while (line := self.rfile.readline().rstrip(b"\r\n")) != b".":
                    lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
                if SPAM in to:
                    self.say("554 5.7.1 not wanted")
                    continue
                text = b"\n".join(lines)
                self.server.got.append(email.message_from_bytes(text, policy=email.policy.default))
                self.server.accepted()
                self.say("250 queued")
            else:
                self.say("221 bye" if verb == "QUIT" else "250 fine")
                if verb == "QUIT":
                    return


@contextlib.contextmanager
def mail_server(settings=None, accepted=lambda: None):
    """A server on a port of its own, which `settings` then name; `got` has the messages.

    `accepted` is called between the end of a message and the answer to it.
    """
    socketserver.ThreadingTCPServer.allow_reuse_address = True
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Talk) as server:
        server.daemon_threads = True
        server.got, server.connections, server.accepted = [], 0, accepted
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        if settings is not None:
            by_smtp(settings, server.server_address[1])
        yield server
        server.shutdown()


def by_smtp(settings, port=1):
    """Send by SMTP; nothing listens at port 1."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_USE_TLS = "127.0.0.1", port, False
