"""docker-compose.yml: parsed, and its commands run as processes with its variables."""

import contextlib
import re
import shlex
import subprocess
import sys

import pytest
import yaml

from paraanno.running.supervision import HEAVY_QUEUES
from scoring.work.workers import queues_taken
from tests import HOME
from tests.live_parts import run_python

COMPOSE = yaml.safe_load((HOME / "docker-compose.yml").read_text("utf-8"))
DOCKERFILE = (HOME / "Dockerfile").read_text("utf-8")
VARIABLE = re.compile(r"\$\{(\w+)(?::([?-])([^}]*))?\}")


def filled_in(text, values):
    """What the engine makes of `${NAME}`, `${NAME:-default}` and `${NAME:?message}`."""

    def one(match):
        name, kind, rest = match.groups()
        if values.get(name):
            return values[name]
        if kind == "?":
            raise KeyError(name)
        return rest or ""

    return VARIABLE.sub(one, text)


def strings(value):
    if isinstance(value, dict):
        return [text for one in value.values() for text in strings(one)]
    if isinstance(value, list):
        return [text for one in value for text in strings(one)]
    return [str(value)]


def test_secrets_are_required_and_have_no_default():
    kinds = {(name, kind) for text in strings(COMPOSE) for name, kind, _ in VARIABLE.findall(text)}
    for name in ("POSTGRES_PASSWORD", "PARAANNO_SECRET_KEY"):
        assert {kind for found, kind in kinds if found == name} == {"?"}
    with pytest.raises(KeyError):
        filled_in(COMPOSE["services"]["database"]["environment"]["POSTGRES_PASSWORD"], {})


def test_the_image_is_of_one_digest_and_has_compressed_static_files_where_they_are_served():
    pinned = r"^ARG BASE=python:\S+@sha256:[0-9a-f]{64}$\nFROM \$\{BASE\}$"
    assert re.search(pinned, DOCKERFILE, re.M)
    folder = COMPOSE["services"]["web"]["environment"]["PARAANNO_STATIC_DIR"]
    assert f"PARAANNO_STATIC_DIR={folder}\n" in DOCKERFILE
    steps = DOCKERFILE.index("collectstatic"), DOCKERFILE.index(f"compress --quiet {folder}")
    assert DOCKERFILE.index("COPY --chown") < steps[0] < steps[1] < DOCKERFILE.index("VOLUME")
    volumes = [one.split(":")[1] for one in COMPOSE["services"]["web"]["volumes"]]
    assert not any(folder.startswith(one) for one in volumes)


def test_every_documented_variable_reaches_the_containers():
    """Those of the servers that compose starts itself are made of its own names."""
    document = (HOME / "docs" / "settings.md").read_text("utf-8")
    before_tests = document[: document.index("## Tests")]
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", before_tests, re.MULTILINE))
    own = {
        "DATABASE_URL",
        "BROKER_URL",
        "PARAANNO_CACHE_URL",
        "PARAANNO_HOST",
        "PARAANNO_DATA_DIR",
        "PARAANNO_STATIC_DIR",
    }
    for service in ("web", "worker", "heavy"):
        passed = COMPOSE["services"][service]["environment"]
        assert set(passed) == documented
        for name in documented - own - {"PARAANNO_PORT"}:
            assert VARIABLE.match(passed[name])[1] == name
    assert "PARAANNO_PORT" in COMPOSE["services"]["web"]["ports"][0]


def test_services_wait_for_what_they_need_and_keep_their_data():
    services = COMPOSE["services"]
    assert set(services) == {"web", "worker", "heavy", "database", "broker"}
    for name in ("web", "worker", "heavy"):
        needs = services[name]["depends_on"]
        assert all(one == {"condition": "service_healthy"} for one in needs.values())
        assert {"database", "broker"} <= set(needs)
        assert services[name]["volumes"] == ["data:/data"]
    assert services["worker"]["depends_on"]["web"] and services["heavy"]["depends_on"]["web"]
    for name in ("database", "broker"):
        assert services[name]["healthcheck"]["test"]
        assert "ports" not in services[name]  # Reached from inside alone.
    assert {"data", "database"} <= set(COMPOSE["volumes"])


def test_image_runs_as_a_plain_user_and_is_asked_for_its_health():
    for line in (
        r"^ARG BASE=python:3\.12\.\d+-slim",
        r"^USER (?!root)",
        r"HEALTHCHECK",
        r"/healthz",
    ):
        assert re.search(line, DOCKERFILE, re.M), line
    ignored = (HOME / ".dockerignore").read_text("utf-8").split()
    assert {".git", ".venv", "var", ".env"} <= set(ignored)
    # The database is PostgreSQL there: without pg_dump every nightly backup is refused.
    installed = re.search(r"apt-get install ([^\\]*)", DOCKERFILE)
    assert installed and {"postgresql-client", "wordnet-base"} <= set(installed[1].split())


def variables_of(service, site):
    """The service's variables, its servers replaced by those of this machine."""
    secrets = {"POSTGRES_PASSWORD": "p", "PARAANNO_SECRET_KEY": "k" * 60}
    given = {
        name: filled_in(str(value), secrets)
        for name, value in COMPOSE["services"][service]["environment"].items()
    }
    # Names of other containers mean nothing here, and only this machine should reach the test.
    local = {"PARAANNO_HOST": "127.0.0.1", "PARAANNO_CACHE_URL": site.environment["BROKER_URL"]}
    # Static files of the image are not here: they are collected as anywhere.
    return {**given, **site.environment, **local, "PARAANNO_STATIC_DIR": ""}


def argv_of(service):
    command = COMPOSE["services"].get(service, {}).get("command")
    if command is None:
        match = re.search(r"^CMD (\[.*\])$", DOCKERFILE, re.M)
        assert match
        parts = yaml.safe_load(match[1])
    else:
        parts = shlex.split(command) if isinstance(command, str) else command
    python = shlex.quote(sys.executable)
    programs = {"gunicorn": f"{python} -m gunicorn", "celery": f"{python} -m celery"}
    programs["python"] = python
    line = parts[2] if parts[:2] == ["sh", "-c"] else shlex.join(parts)
    pattern = r"(?<![\w.:-])(python|gunicorn|celery)(?= )(?! -m (?:gunicorn|celery))"
    return ["sh", "-c", re.sub(pattern, lambda match: programs[match[1]], line)]


@pytest.mark.slow
def test_the_image_alone_is_a_whole_site(live_site):
    """Its command with its variables, without the folders that only the image has."""
    assert "PARAANNO_HOST=0.0.0.0" in DOCKERFILE
    site = live_site()
    with site.log_path("alone").open("ab") as log:
        site.processes["alone"] = subprocess.Popen(
            argv_of("alone"),
            cwd=HOME,
            env={**site.environment, "PARAANNO_DEMO": "false"},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    site.until(lambda: (site.health() or {}).get("status") == "ok", "all parts are well")
    site.stop("alone")


@pytest.mark.postgres
@pytest.mark.service("redis")
def test_commands_of_the_containers_make_a_healthy_site(live_site):
    site = live_site(database="postgresql", broker="redis")
    with contextlib.ExitStack() as stack:
        for service in ("web", "worker", "heavy"):
            log = stack.enter_context(site.log_path(service).open("ab"))
            process = subprocess.Popen(
                argv_of(service),
                cwd=HOME,
                env=variables_of(service, site),
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
            site.processes[service] = process
            if service == "web":
                site.until(lambda: site.health() is not None, "the web server answers")
        site.until(lambda: (site.health() or {}).get("status") == "ok", "all parts are well")
        queues = {"paraanno", *(f"paraanno.{one}" for one in HEAVY_QUEUES)}
        with site.database():
            site.until(lambda: set(queues_taken()) == queues, "every queue is taken")
    check = re.search(r"CMD (\[\"python\".*\])$", DOCKERFILE, re.M)
    assert check
    program = yaml.safe_load(check[1])[2].replace(":8000", f":{site.port}")
    run_python(variables_of("web", site), "-c", program)
