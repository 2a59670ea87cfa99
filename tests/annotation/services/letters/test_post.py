"""A mail server that is away, lets nobody in, or breaks off."""

import socket

import pytest

from annotation.mail import sending
from annotation.mail.sending import Mail, NotSent, Postman
from annotation.models import Letter
from tests.annotation.services.letters.test_sending import send, write
from tests.smtp import mail_server

MAIL = {"key": "k", "to": "a@example.org", "subject": "S", "text": "T", "headers": {}}


@pytest.mark.parametrize(
    ("login", "said"), [(True, "refuses the login"), (False, "cannot be reached")]
)
def test_a_server_that_lets_nobody_in_holds_all_back_at_once(settings, login, said, monkeypatch):
    write(), write("b@example.org")
    opened = []

    class Closed:
        def open(self):
            opened.append(1)
            raise sending.smtplib.SMTPAuthenticationError(535, b"no") if login else OSError("gone")

    monkeypatch.setattr(sending, "get_connection", Closed)
    assert send() == 0
    assert len(opened) == 1 and all(
        said in why for why in Letter.objects.values_list("why", flat=True)
    )


def test_a_connection_that_breaks_is_made_anew(settings):
    with mail_server(settings) as server:
        postman = Postman()
        postman.send(Mail(**MAIL))
        postman._connection.connection.sock.shutdown(socket.SHUT_RDWR)
        with pytest.raises(NotSent) as failure:
            postman.send(Mail(**MAIL))
        assert not failure.value.refused
        postman.send(Mail(**MAIL))
        assert server.connections == 2
        postman.close()
