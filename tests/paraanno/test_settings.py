"""Settings: every variable explained, safe by default, fit for a public site."""

import json
import re
import runpy
import stat
import subprocess
import sys
from ipaddress import ip_network
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.exceptions import ImproperlyConfigured
from hypothesis import given
from hypothesis import strategies as st

import paraanno
from paraanno import checks, env
from tests import HOME
from tests.live_parts import clean_environment

READER = re.compile(
    r"env_(str|bool|int|list|word|secret|database|folder|networks|site|origin|rights)\(\s*\"([A-Z_]+)\""
)
PACKAGES = ("paraanno", "annotation", "scoring")
DOCUMENT = (HOME / "docs" / "settings.md").read_text("utf-8")


def variables():
    """Every variable that the code reads, with the kind of its reader."""
    found = {}
    for package in PACKAGES:
        for path in (HOME / package).rglob("*.py"):
            text = path.read_text("utf-8")
            found |= {name: kind for kind, name in READER.findall(text)}
            found |= dict.fromkeys(re.findall(r'environ\.get\("(PARAANNO_[A-Z_]+)"', text), "str")
    return found


@pytest.fixture
def under(fresh):
    """Settings as a fresh process has them under variables."""

    def ask(names, **variables):
        program = (
            "import json; from django.conf import settings\n"
            f"print(json.dumps({{name: getattr(settings, name) for name in {names!r}}}))"
        )
        return dict(json.loads(fresh("-c", program, **variables)))

    return ask


def check(data_dir, *arguments, **environment):
    return subprocess.run(
        [sys.executable, "manage.py", "check", *arguments],
        cwd=HOME,
        capture_output=True,
        text=True,
        env=clean_environment(PARAANNO_DATA_DIR=str(data_dir), **environment),
    )


def test_every_variable_is_documented_and_every_documented_one_exists():
    read = variables()
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", DOCUMENT, re.MULTILINE))
    of_tests = {name for name in documented if name.startswith("PARAANNO_TEST_")}
    assert set(read) == documented - of_tests - {"PARAANNO_REQUIRE_SERVICES"}
    for name, kind in read.items():
        if kind in {"secret", "database"}:
            assert f"`{name}_FILE`" in DOCUMENT


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, (0, False, False)),
        ({"PARAANNO_HSTS": "preload"}, (0, False, False)),
        ({"PARAANNO_HTTPS": "true"}, (31_536_000, False, False)),
        ({"PARAANNO_HTTPS": "true", "PARAANNO_HSTS": "subdomains"}, (31_536_000, True, False)),
        ({"PARAANNO_HTTPS": "true", "PARAANNO_HSTS": "preload"}, (31_536_000, True, True)),
    ],
)
def test_other_hosts_are_bound_to_https_only_where_that_is_asked_for(under, given, told):
    names = ["SECURE_HSTS_SECONDS", "SECURE_HSTS_INCLUDE_SUBDOMAINS", "SECURE_HSTS_PRELOAD"]
    assert tuple(under(names, **given).values()) == told


def test_the_sites_own_name_is_allowed_and_its_pages_are_trusted(under):
    found = under(
        ["ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS"], PARAANNO_SITE="https://a.example:8443/"
    )
    assert "a.example" in found["ALLOWED_HOSTS"]
    assert found["CSRF_TRUSTED_ORIGINS"] == ["https://a.example:8443"]


def test_example_of_variables_names_only_real_ones():
    example = (HOME / ".env.example").read_text("utf-8")
    names = set(re.findall(r"^([A-Z_]+)=", example, re.MULTILINE))
    assert names <= set(variables()) | {"POSTGRES_PASSWORD"}
    secrets = re.findall(r"^(?:PARAANNO_SECRET_KEY|POSTGRES_PASSWORD)=(.*)$", example, re.M)
    assert secrets == ["", ""]


def test_defaults_are_those_of_production(under, tmp_path):
    names = ["DEBUG", "ALLOWED_HOSTS", "HOST", "SESSION_COOKIE_HTTPONLY", "SECRET_KEY"]
    found = under(names)
    assert found["DEBUG"] is False and found["SESSION_COOKIE_HTTPONLY"] is True
    assert sorted(found["ALLOWED_HOSTS"]) == ["127.0.0.1", "[::1]", "localhost"]
    assert found["HOST"] == "127.0.0.1"
    assert found["SECRET_KEY"] == (tmp_path / "secret_key").read_text("utf-8")


@pytest.mark.slow
def test_public_https_site_passes_the_deployment_checks(tmp_path):
    done = check(
        tmp_path,
        "--deploy",
        "--fail-level",
        "WARNING",
        PARAANNO_HTTPS="true",
        PARAANNO_ALLOWED_HOSTS="paraanno.example",
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_variable_that_is_not_understood_stops_the_start(tmp_path):
    done = check(tmp_path, PARAANNO_HTTPS="perhaps")
    assert done.returncode == 1
    assert "PARAANNO_HTTPS is 'perhaps'" in done.stderr


def test_a_start_that_would_show_secrets_is_refused(fresh):
    public = {"PARAANNO_ALLOWED_HOSTS": "a.example", "PARAANNO_DEBUG": "true"}
    with pytest.raises(RuntimeError, match="cannot start: PARAANNO_DEBUG .* leave PARAANNO_DEBUG"):
        fresh("-m", "paraanno.running.start", "--prepare-only", **public)


# Settings that work at the start and fail later are told at the start.


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


# Settings of logins: single sign-on is off, and complete where it is on.


FILE = str(Path(paraanno.__file__).with_name("settings.py"))


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


# Variables are read strictly: understood, defaulted, or refused by name.


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
    file.write_text("from the file\n", "utf-8")
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
