"""Logged-in clients, what they send, what it costs, and what their answers say."""

import re
import time
from html import unescape

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.accounts.tokens import CONFIRMED
from tests.factories import make_admin, make_user


def client_of(name, *, confirmed=True):
    """A client logged in as one of the cast; "adam" administers the site, "" is nobody.

    `confirmed`: just now, by the password; else a browser that was left open.
    """
    client = Client()
    if name:
        user = make_admin() if name == "adam" else make_user(name)
        client.force_login(user)
        if confirmed:
            confirm(client, user)
    return client


def confirm(client, user):
    """Who uses the client has just given the password."""
    session = client.session
    session[CONFIRMED] = [user.pk, int(time.time())]
    session.save()


def text_of(answer):
    """The words of a page, without tags, in one line."""
    html = answer.content.decode()
    html = re.sub(r"<(script|style|head)\b.*?</\1>", " ", html, flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def html_of(answer):
    """The tags and words of a page in one line, without white space beside tags: how a template is
    laid out is nothing to a test."""
    line = " ".join(answer.content.decode().split())
    return line.replace(" >", ">").replace("> ", ">").replace(" <", "<")


def messages_of(answer):
    """The messages on a page that was reached with follow=True."""
    return [str(message) for message in answer.context["messages"]]


def upload(name, data):
    """A file as a browser sends it."""
    return SimpleUploadedFile(name, data)


def captured():
    """The statements that the database is asked inside of `with captured() as queries`."""
    return CaptureQueriesContext(connection)
