"""One JSON object a line."""

import io
import json
import logging
import logging.config
from logging.config import DictConfigurator

import pytest
from django.db import OperationalError
from django.test import Client

from paraanno.observability.log_settings import logging_settings
from paraanno.observability.logs import JsonLog, request_id


def test_a_line_names_time_level_logger_and_request():
    record = logging.LogRecord("one", logging.WARNING, "f.py", 1, "n is %s\nö", (3,), None)
    record.created = 0.0
    line = JsonLog().format(record)
    assert "\n" not in line
    assert json.loads(line) == {
        "time": "1970-01-01T00:00:00.000+00:00",
        "level": "WARNING",
        "logger": "one",
        "message": "n is 3\nö",
    }
    token = request_id.set("abc")
    try:
        record.access = {"status": 200}
        assert (
            json.loads(JsonLog().format(record)).items()
            >= {"request": "abc", "status": 200}.items()
        )
    finally:
        request_id.reset(token)


def test_an_error_has_its_traceback():
    try:
        raise ValueError("wrong")
    except ValueError as error:
        info = (type(error), error, error.__traceback__)
    record = logging.LogRecord("one", logging.ERROR, "f.py", 1, "failed", (), info)
    assert "ValueError: wrong" in json.loads(JsonLog().format(record))["error"]


# Logs as lines and as JSON, configured by settings.


@pytest.mark.parametrize(("as_json", "formatter"), [(False, "line"), (True, "json")])
def test_the_form_of_a_line_is_chosen_and_the_level_is_kept(as_json, formatter):
    made = logging_settings(level="WARNING", as_json=as_json)
    assert made["handlers"]["stderr"]["formatter"] == formatter
    assert made["root"]["level"] == "WARNING"
    logging.config.DictConfigurator(made)  # It understands it.


# A database that is away costs a line a request; other errors keep their traceback.


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

    monkeypatch.setattr("annotation.http.markdown.render", broken)
    Client(raise_request_exception=False).get("/docs/")
    lines = log.getvalue().splitlines()
    assert (len(lines) == 1) is alone and str(error).splitlines()[0] in log.getvalue()
