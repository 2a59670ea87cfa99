"""A log of one JSON object a line, for programs that collect logs."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime

from paraanno.sight.requests import request_id


class JsonLog(logging.Formatter):
    """`time` (UTC), `level`, `logger`, `message`; `request`, the id, within one; `error`, the
    traceback, of an error; and of the access log `method`, `route`, `campaign`, `status`, `ms`,
    `user` (the number of the login, with a u before it)."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if mine := request_id.get():
            line["request"] = mine
        if access := getattr(record, "access", None):
            line |= access
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)
