"""Logged-in clients, and what their answers say."""

import re
from html import unescape

from django.test import Client

from tests.factories import make_admin, make_user


def client_of(name):
    """A client logged in as one of the cast; "adam" administers the site, "" is nobody."""
    client = Client()
    if name == "adam":
        client.force_login(make_admin())
    elif name:
        client.force_login(make_user(name))
    return client


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
