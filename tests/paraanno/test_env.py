"""Variables are read strictly: understood, defaulted, or refused by name."""

import stat
from ipaddress import ip_network
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from hypothesis import given
from hypothesis import strategies as st

from paraanno import env

NAME = "PARAANNO_EXAMPLE"
HERE = str(Path(__file__).parent)
# A reader, what it is given besides the name, and texts with what it makes of them.
READERS = {
    "true": (env.env_bool, (False,), dict.fromkeys(("true", "YES", " 1 ", "on"), True)),
    "false": (env.env_bool, (True,), dict.fromkeys(("false", "No", "0", "off"), False)),
    "number": (env.env_int, (7,), {"8000 ": 8000, "0": 0}),
    "text": (env.env_str, ("x",), {" y ": "y"}),
    "list": (env.env_list, (["x"],), {"a, b,": ["a", "b"]}),
    "folder": (env.env_folder, (Path("x"),), {HERE: Path(HERE)}),
    "site": (
        env.env_site,
        (),
        {
            f"{one}/": one
            for one in ("https://a.example/realm", "http://127.0.0.1:80", "http://localhost")
        },
    ),
    "origin": (
        env.env_origin,
        (),
        {f"{one}/": one for one in ("https://a.example", "http://localhost:8000", "https://[::1]")},
    ),
    "word": (env.env_word, ("host", ("host", "all")), {"all ": "all", "host": "host"}),
    "rights": (
        env.env_rights,
        (),
        {
            "groups:staff=create, role:root=admin": [
                ("groups", "staff", "create"),
                ("role", "root", "admin"),
            ],
        },
    ),
    "networks": (
        env.env_networks,
        (),
        {
            "10.0.0.0/8, ::1": [ip_network("10.0.0.0/8"), ip_network("::1/128")],
        },
    ),
}


@pytest.mark.parametrize("kind", READERS)
def test_what_is_understood_and_that_empty_means_the_default(monkeypatch, kind):
    reader, default, cases = READERS[kind]
    for text, value in cases.items():
        monkeypatch.setenv(NAME, text)
        assert reader(NAME, *default) == value
    unset = default[0] if default else "" if kind in ("site", "origin") else []
    for text in ("", "  "):
        monkeypatch.setenv(NAME, text)
        assert reader(NAME, *default) == unset
    monkeypatch.delenv(NAME)
    assert reader(NAME, *default) == unset


@pytest.mark.parametrize(
    ("reader", "texts", "message"),
    [
        (lambda name: env.env_bool(name, False), ["False!", "2", "maybe", "tru"], "true or false"),
        (lambda name: env.env_int(name, 1), ["8.5"], "whole number"),
        (lambda name: env.env_int(name, 1), ["-1"], "least allowed is 0"),
        (lambda name: env.env_int(name, 3, maximum=23), ["24"], "most allowed is 23"),
        (lambda name: env.env_folder(name, Path("x")), [f"{HERE}/none"], "there is no such folder"),
        (env.env_site, ["http://evil.example", "https://", "ftp://a.example", "words"], "https://"),
        (
            env.env_origin,
            [
                "https://a.example/x",
                "https://u@a.example",
                "https://a.example?b",
                "http://a.example",
            ],
            "https://",
        ),
        (lambda name: env.env_word(name, "a", ("a", "b")), ["c", "A"], "one of a, b"),
        (
            env.env_rights,
            ["groups=create", "groups:staff", ":x=create", "groups:staff=all"],
            "CLAIM:VALUE=RIGHT",
        ),
        (env.env_networks, ["10.0.0.1/8"], r"Write networks as 10\.0\.0\.0/8"),
    ],
)
def test_what_is_not_understood_is_refused_by_name(monkeypatch, reader, texts, message):
    for text in texts:
        monkeypatch.setenv(NAME, text)
        with pytest.raises(ImproperlyConfigured, match=f"{NAME}.*{message}"):
            reader(NAME)


@given(st.lists(st.text("abc.-*", min_size=1), min_size=1))
def test_list_round_trip(words):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(NAME, " , ".join(words) + ",")
        assert env.env_list(NAME, []) == words


def test_secret_from_file_goes_first(monkeypatch, tmp_path):
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
            {
                "USER": "me",
                "PASSWORD": "p@ss",
                "HOST": "db.example",
                "PORT": "5433",
                "NAME": "data base",
                "OPTIONS": {**PREPARED, "sslmode": "require"},
            },
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
)
def test_postgresql_url(url, expected):
    database = env.database_from_url(url)
    expected["ENGINE"] = "django.db.backends.postgresql"
    assert {name: database[name] for name in expected} == expected


def test_sqlite_url_names_a_file(tmp_path):
    database = env.database_from_url(f"sqlite:///{tmp_path}/my%20data.sqlite3")
    assert database["NAME"] == f"{tmp_path}/my data.sqlite3"
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert stat.S_IMODE(Path(database["NAME"]).stat().st_mode) == 0o600


def test_other_databases_are_refused():
    with pytest.raises(ImproperlyConfigured, match=r"DATABASE_URL.*mysql"):
        env.database_from_url("mysql://me@db/name")
