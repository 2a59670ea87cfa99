"""Variables are read strictly: understood, defaulted, or refused by name."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from hypothesis import given
from hypothesis import strategies as st

from paraanno import env

NAME = "PARAANNO_EXAMPLE"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("true", True), ("YES", True), (" 1 ", True), ("on", True),
     ("false", False), ("No", False), ("0", False), ("off", False)],
)  # fmt: skip
def test_bool(monkeypatch: pytest.MonkeyPatch, text: str, expected: bool) -> None:
    monkeypatch.setenv(NAME, text)
    assert env.env_bool(NAME, not expected) is expected


def test_a_folder_must_be_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(NAME, str(tmp_path))
    assert env.env_folder(NAME, Path("x")) == tmp_path
    monkeypatch.setenv(NAME, str(tmp_path / "none"))
    with pytest.raises(ImproperlyConfigured, match=f"{NAME} is .*none': there is no such folder"):
        env.env_folder(NAME, tmp_path)
    monkeypatch.delenv(NAME)
    assert env.env_folder(NAME, Path("x")) == Path("x")


@pytest.mark.parametrize("default", [True, False])
def test_empty_means_default(monkeypatch: pytest.MonkeyPatch, default: bool) -> None:
    for text in ("", "  "):
        monkeypatch.setenv(NAME, text)
        assert env.env_bool(NAME, default) is default
        assert env.env_int(NAME, 7) == 7
        assert env.env_str(NAME, "x") == "x"
        assert env.env_list(NAME, ["x"]) == ["x"]
    monkeypatch.delenv(NAME)
    assert env.env_bool(NAME, default) is default


@pytest.mark.parametrize("text", ["False!", "2", "maybe", "tru"])
def test_bool_refuses_other_words(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv(NAME, text)
    with pytest.raises(ImproperlyConfigured, match=NAME):
        env.env_bool(NAME, False)


def test_int_refuses_words_and_small_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "8000 ")
    assert env.env_int(NAME, 1) == 8000
    for text, message in (("8.5", "whole number"), ("-1", "least allowed is 0")):
        monkeypatch.setenv(NAME, text)
        with pytest.raises(ImproperlyConfigured, match=f"{NAME}.*{message}"):
            env.env_int(NAME, 1)
    monkeypatch.setenv(NAME, "24")
    with pytest.raises(ImproperlyConfigured, match=f"{NAME}.*most allowed is 23"):
        env.env_int(NAME, 3, maximum=23)


@given(st.lists(st.text("abc.-*", min_size=1), min_size=1))
def test_list_round_trip(words: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(NAME, " , ".join(words) + ",")
        assert env.env_list(NAME, []) == words


def test_secret_from_file_goes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text("from the file\n", encoding="utf-8")
    monkeypatch.setenv(NAME, "from the variable")
    assert env.env_secret(NAME) == "from the variable"
    monkeypatch.setenv(f"{NAME}_FILE", str(file))
    assert env.env_secret(NAME) == "from the file"
    monkeypatch.setenv(f"{NAME}_FILE", str(tmp_path / "missing"))
    with pytest.raises(ImproperlyConfigured, match=f"{NAME}_FILE"):
        env.env_secret(NAME)


PREPARED = {"server_side_binding": True, "prepare_threshold": 5}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "postgresql://me:p%40ss@db.example:5433/data%20base?sslmode=require",
            {"USER": "me", "PASSWORD": "p@ss", "HOST": "db.example", "PORT": "5433",
             "NAME": "data base", "OPTIONS": {**PREPARED, "sslmode": "require"}},
        ),
        (
            "postgres:///name?host=/run/pg",
            {"HOST": "/run/pg", "NAME": "name", "OPTIONS": PREPARED},
        ),
        (
            "postgres:///name?prepare=no",
            {"OPTIONS": {"server_side_binding": False, "prepare_threshold": None}},
        ),
    ],
)  # fmt: skip
def test_postgresql_url(url: str, expected: dict[str, Any]) -> None:
    database = env.database_from_url(url)
    assert database["ENGINE"] == "django.db.backends.postgresql"
    assert {name: database[name] for name in expected} == expected


def test_sqlite_url_names_a_file(tmp_path: Path) -> None:
    database = env.database_from_url(f"sqlite:///{tmp_path}/my%20data.sqlite3")
    assert database["NAME"] == f"{tmp_path}/my data.sqlite3"
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert stat.S_IMODE(Path(database["NAME"]).stat().st_mode) == 0o600


def test_other_databases_are_refused() -> None:
    with pytest.raises(ImproperlyConfigured, match=r"DATABASE_URL.*mysql"):
        env.database_from_url("mysql://me@db/name")


@pytest.mark.parametrize("text", ["http://evil.example", "https://", "ftp://a.example", "words"])
def test_a_site_is_https_or_on_this_machine(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv(NAME, text)
    with pytest.raises(ImproperlyConfigured, match=NAME):
        env.env_site(NAME)
    for good in ("https://a.example/realm", "http://127.0.0.1:80", "http://localhost"):
        monkeypatch.setenv(NAME, f"{good}/")
        assert env.env_site(NAME) == good
    assert env.env_site("PARAANNO_NOT_SET") == ""


def test_rights_are_claims_with_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "groups:staff=create, role:root=admin")
    assert env.env_rights(NAME) == [("groups", "staff", "create"), ("role", "root", "admin")]
    for wrong in ("groups=create", "groups:staff", ":x=create", "groups:staff=all"):
        monkeypatch.setenv(NAME, wrong)
        with pytest.raises(ImproperlyConfigured, match=NAME):
            env.env_rights(NAME)


def test_networks_are_read_strictly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NETS", "10.0.0.0/8, ::1,127.0.0.1")
    assert [str(one) for one in env.env_networks("NETS")] == [
        "10.0.0.0/8",
        "::1/128",
        "127.0.0.1/32",
    ]
    monkeypatch.setenv("NETS", "10.0.0.1/8")
    with pytest.raises(ImproperlyConfigured, match=r"NETS: .*Write networks as 10\.0\.0\.0/8"):
        env.env_networks("NETS")
    monkeypatch.delenv("NETS")
    assert env.env_networks("NETS") == []
