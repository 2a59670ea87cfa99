"""The guide for administrators and deploy/: every command, setting and file named in them exists.

The guide itself was followed by hand; this keeps its words true.
"""

import configparser
import re
import shlex
import shutil
import subprocess

import pytest
from django.core.management import get_commands, load_command_class
from django.urls import reverse

from paraanno.running import supervision
from tests import HOME

GUIDE = (HOME / "docs" / "operations.md").read_text("utf-8")
SETTINGS = (HOME / "docs" / "settings.md").read_text("utf-8")
DEPLOY = {
    str(one.relative_to(HOME)): one.read_text("utf-8")
    for one in sorted((HOME / "deploy").rglob("*"))
    if one.is_file()
}
BLOCKS = re.findall(r"^```sh\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
VARIABLE = re.compile(r"\b((?:PARAANNO|DATABASE|BROKER)_[A-Z_]+)\b")
UNITS = [name for name in DEPLOY if name.endswith((".service", ".timer"))]


def test_blocks_are_shell():
    assert len(BLOCKS) > 10
    checked = subprocess.run(
        ["bash", "-n"], input="\n".join(BLOCKS), text=True, capture_output=True, check=False
    )
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("name", ["docs/operations.md", *DEPLOY])
def test_every_setting_is_documented(name):
    text = DEPLOY.get(name, GUIDE)
    documented = set(re.findall(r"`([A-Z_]+)`", SETTINGS))
    assert set(VARIABLE.findall(text)) - documented == set()


@pytest.mark.parametrize("name", ["docs/operations.md", *UNITS])
def test_every_command_of_ours_exists_with_its_options(name):
    text = DEPLOY.get(name, GUIDE)
    asked = re.findall(r"manage\.py +([a-z_]+)([^\n`)]*)", text)
    assert asked or "manage.py" not in text
    commands = get_commands()
    for command, rest in asked:
        assert command in commands, command
        app = commands[command]
        made = load_command_class(app, command) if isinstance(app, str) else app
        parser = made.create_parser("manage.py", command)
        known = {option for one in parser._actions for option in one.option_strings}
        assert set(re.findall(r"(?<= )--[a-z-]+", rest)) <= known, (command, rest)


def test_the_proxy_repeats_routes_of_sheets_alone():
    text = DEPLOY["deploy/nginx/paraanno.conf"]
    found = re.findall(r"location ([^\n]*) \{\n(.*?)\n    \}", text, re.DOTALL)
    repeats = [place for place, inside in found if "non_idempotent" in inside]
    assert repeats == [r"~ ^/api/v1/(sheets/|campaigns/[-\w]+/claim$)"]
    assert text.count("non_idempotent") == 1
    again = re.compile(repeats[0].removeprefix("~ "))
    key, names = "4c1f0e4a-6d0e-4a57-8f8e-0d1c6a1d7b11", ("sheet", "substitution", "scale")
    for name, given in (
        ("api-sheet", names[:1]),
        ("api-sheet-state", names[:1]),
        ("api-judgment", names),
        ("api-remark", names[:1]),
    ):
        assert again.match(reverse(name, kwargs=dict.fromkeys(given, key))), name
    assert again.match(reverse("api-claim", args=["my-camp_1"]))
    for name in ("api-campaigns", "api-token", "api-builds", "login", "api-tasks"):
        assert not again.match(reverse(name)), name


HARDENED = {
    "NoNewPrivileges": "true",
    "CapabilityBoundingSet": "",
    "SystemCallFilter": "@system-service",
    "SystemCallArchitectures": "native",
    "PrivateDevices": "true",
    "ProtectSystem": "strict",
    "ProtectKernelTunables": "true",
    "ProtectKernelModules": "true",
    "ProtectKernelLogs": "true",
    "ProtectControlGroups": "true",
    "RestrictSUIDSGID": "true",
    "LockPersonality": "true",
}
EXPOSURE = 2.5  # of 10, as systemd counts


@pytest.mark.parametrize("name", [one for one in UNITS if one.endswith(".service")])
def test_a_unit_may_do_no_more_than_it_must(name):
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str
    unit.read_string(DEPLOY[name])
    assert HARDENED.items() <= dict(unit["Service"]).items()
    assert unit["Service"]["MemoryMax"].endswith("%")
    # Files of strangers are read in namespaces of their own, but for the command of backups.
    spaces = "true" if "backup" in name else "user net"
    assert unit["Service"]["RestrictNamespaces"] == spaces
    if shutil.which("systemd-analyze"):
        told = subprocess.run(
            ["systemd-analyze", "security", "--offline=true", str(HOME / name)],
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        exposure = re.search(r"exposure level for .*: ([0-9.]+)", told)
        assert exposure is None or float(exposure[1]) <= EXPOSURE, told


def test_every_target_of_make_and_every_file_exists():
    makefile = (HOME / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    assert set(re.findall(r"(?:^|`)make ([a-z-]+)", GUIDE, re.MULTILINE)) <= targets
    for path in re.findall(r"/opt/paraanno/(deploy/[\w./*-]+)", GUIDE):
        assert list(HOME.glob(path)), path
    for path in re.findall(r"`(deploy/[\w./-]+)`", GUIDE):
        assert (HOME / path).exists(), path
    for name in ("prometheus", "healthz", "readyz"):
        assert f"`{reverse(name)}`" in GUIDE + SETTINGS


@pytest.mark.parametrize("name", [one for one in UNITS if one.endswith(".service")])
def test_units_start_what_the_product_has(name):
    """The programs of the units are those that `make run` starts."""
    unit = configparser.RawConfigParser(strict=False, delimiters=["="])
    unit.optionxform = str
    unit.read_string(DEPLOY[name])
    assert unit["Service"]["User"] == "paraanno"
    argv = shlex.split(unit["Service"]["ExecStart"])
    assert argv[0] == "/opt/paraanno/.venv/bin/python"
    kind = name.rpartition("-")[2].partition(".")[0]
    if kind != "backup":
        ours = supervision.program_argv(kind)[1:]
        extra = {"--without-heartbeat", "--hostname", f"{kind}@%h", "worker@%h"}
        assert set(ours) - extra <= set(argv), set(ours) - set(argv)
    else:
        assert argv[1:] == ["manage.py", "backup", "--nightly"]
    wanted = set(re.findall(r"paraanno-(?:web|worker|heavy)", GUIDE))
    assert {f"deploy/systemd/{one}.service" for one in wanted} <= set(UNITS)


def test_proxies_set_what_the_site_believes_and_keep_figures_inside():
    nginx, caddy = DEPLOY["deploy/nginx/paraanno.conf"], DEPLOY["deploy/caddy/Caddyfile"]
    for header in ("X-Forwarded-Proto $scheme", "X-Forwarded-For $remote_addr", "Host $host"):
        assert f"proxy_set_header {header};" in nginx
    assert "location = /metrics { return 404; }" in nginx
    assert "respond /metrics 404" in caddy
