"""Settings of logs, alone in a file: settings are read before anything else is loaded."""

from __future__ import annotations

from typing import Any


def logging_settings(*, level: str, as_json: bool) -> dict[str, Any]:
    """Everything goes to stderr, as lines for people or as JSON objects for programs."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
            "json": {"()": "paraanno.observability.logs.JsonLog"},
        },
        "filters": {"one_line": {"()": "paraanno.observability.logs.OneLine"}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "filters": ["one_line"],
                "formatter": "json" if as_json else "line",
            }
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
            # Every figure of a paper would log a hundred lines about its fonts.
            "fontTools": {"level": "WARNING"},
            "gensim": {"level": "WARNING"},  # It tells every step of training.
            "matplotlib": {"level": "WARNING"},
        },
    }
