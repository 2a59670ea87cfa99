"""Settings: every variable explained, safe by default, fit for a public site."""

import json
import re
import subprocess
import sys

import pytest

from tests import HOME
from tests.live_parts import clean_environment

READER = re.compile(
    r"env_(str|bool|int|list|word|secret|database|folder|networks|site|origin|rights)\(\s*\"([A-Z_]+)\""
)
PACKAGES = ("paraanno", "annotation", "scoring")
DOCUMENT = (HOME / "docs" / "settings.md").read_text(encoding="utf-8")


def variables():
    """Every variable that the code reads, with the kind of its reader."""
    found = {}
    for package in PACKAGES:
        for path in (HOME / package).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
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
    example = (HOME / ".env.example").read_text(encoding="utf-8")
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
    assert found["SECRET_KEY"] == (tmp_path / "secret_key").read_text(encoding="utf-8")


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
