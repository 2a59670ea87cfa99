"""Settings that work at the start and fail later are told at the start."""

from types import SimpleNamespace

import pytest

from paraanno import checks

SQLITE = {"default": {"ENGINE": "django.db.backends.sqlite3"}}
POSTGRESQL = {"default": {"ENGINE": "django.db.backends.postgresql"}}


@pytest.mark.parametrize(
    ("changed", "identifier"),
    [
        ({"ALLOWED_HOSTS": ["a.example"], "DEBUG": True, "HTTPS": True}, "paraanno.E001"),
        ({"ALLOWED_HOSTS": ["localhost", "a.example"]}, "paraanno.W001"),
        ({"ALLOWED_HOSTS": ["*"], "HTTPS": True}, "paraanno.W002"),
        ({"WEB_PROCESSES": 4, "DATABASES": SQLITE}, "paraanno.W003"),
        ({"ALLOWED_HOSTS": ["a.example"], "HTTPS": True, "EMAIL_HOST": "m"}, "paraanno.W004"),
        ({"ALLOWED_HOSTS": ["a.example"], "HTTPS": True, "EMAIL_HOST": "m", "SITE": "s"}, None),
        ({"DATABASES": POSTGRESQL, "CELERY_BROKER_URL": "filesystem://"}, "paraanno.I001"),
        ({"DATABASES": POSTGRESQL, "WEB_PROCESSES": 4, "CELERY_BROKER_URL": "redis://"}, None),
        ({"ALLOWED_HOSTS": ["localhost"], "DEBUG": True}, None),
    ],
)
def test_mis_settings_are_told(monkeypatch, changed, identifier):
    good = {
        "DEBUG": False,
        "HTTPS": False,
        "ALLOWED_HOSTS": ["127.0.0.1"],
        "WEB_PROCESSES": 1,
        "DATABASES": SQLITE,
        "CELERY_BROKER_URL": "filesystem://",
        "EMAIL_HOST": "",
        "SITE": "",
    }
    monkeypatch.setattr(checks, "settings", SimpleNamespace(**{**good, **changed}))
    messages = [*checks.check_public_settings(None), *checks.check_scale_settings(None)]
    assert [message.id for message in messages] == ([identifier] if identifier else [])
    assert all(message.hint for message in messages)
