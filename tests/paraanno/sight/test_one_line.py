"""A database that is away costs a line a request; other errors keep their traceback."""

import io
import logging
from logging.config import DictConfigurator

import pytest
from django.db import OperationalError
from django.test import Client

from paraanno.observability.log_settings import logging_settings


@pytest.fixture
def log(settings):
    """What `django` writes to stderr, as the site sets it up."""
    settings.ALLOWED_HOSTS = ["testserver"]
    stream = io.StringIO()
    before = logging.getLogger("django").handlers[:]
    as_set_up = logging_settings(level="INFO", as_json=False)
    made = DictConfigurator({**as_set_up, "incremental": False})
    made.config["filters"]["one_line"] = made.configure_filter(made.config["filters"]["one_line"])
    made = made.configure_handler(
        {
            "()": logging.StreamHandler,
            "stream": stream,
            "filters": as_set_up["handlers"]["stderr"]["filters"],
        }
    )
    logging.getLogger("django").handlers = [made]
    yield stream
    logging.getLogger("django").handlers = before


@pytest.mark.parametrize(
    ("error", "alone"),
    [(OperationalError("connection refused\nis it running?"), True), (ValueError("x"), False)],
)
def test_one_line_for_a_database_that_is_away(log, monkeypatch, error, alone):
    def broken(*args, **kwargs):
        raise error

    monkeypatch.setattr("annotation.http.docs.render", broken)
    Client(raise_request_exception=False).get("/docs/")
    lines = log.getvalue().splitlines()
    assert (len(lines) == 1) is alone and str(error).splitlines()[0] in log.getvalue()
