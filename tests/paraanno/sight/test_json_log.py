"""One JSON object a line."""

import json
import logging

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
