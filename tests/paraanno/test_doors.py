"""Settings of logins: single sign-on is off, and complete where it is on."""

import runpy
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

import paraanno

FILE = str(Path(paraanno.__file__).with_name("doors.py"))


def test_off_by_default_and_whole(monkeypatch):
    found = runpy.run_path(FILE)
    assert (found["OIDC_ISSUER"], found["ADMINS_NEED_SECOND_FACTOR"]) == ("", False)
    assert (found["OIDC_CREATES"], found["OIDC_LINKS_BY_EMAIL"]) == (False, False)
    monkeypatch.setenv("PARAANNO_OIDC_ISSUER", "https://login.example.org/")
    with pytest.raises(ImproperlyConfigured, match="PARAANNO_OIDC_CLIENT_ID"):
        runpy.run_path(FILE)
    monkeypatch.setenv("PARAANNO_OIDC_CLIENT_ID", "paraanno")
    monkeypatch.setenv("PARAANNO_OIDC_DOMAINS", "Uni.example, b.example")
    found = runpy.run_path(FILE)
    assert found["OIDC_ISSUER"] == "https://login.example.org"
    assert found["OIDC_DOMAINS"] == ["uni.example", "b.example"]
