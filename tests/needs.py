"""Outside servers and programs that some tests need, and what happens where they are missing."""

import functools
import importlib.util
import os
import shutil
import subprocess
import tempfile

import pytest

POSTGRES = os.environ.get("PARAANNO_TEST_POSTGRES") or "postgresql://127.0.0.1:5432/postgres"
REDIS = os.environ.get("PARAANNO_TEST_REDIS") or "redis://127.0.0.1:6379"
RABBITMQ = os.environ.get("PARAANNO_TEST_RABBITMQ") or "amqp://guest:guest@127.0.0.1:5672//"


def strict():
    """Whether a missing service is a failure: in CI, or where it is asked for."""
    return any(
        os.environ.get(name, "").lower() in {"1", "true", "yes"}
        for name in ("CI", "PARAANNO_REQUIRE_SERVICES")
    )


def chromium_path():
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


@functools.cache
def missing(name):
    """Why `name` (one of _TRIALS) cannot be used; None if it can."""
    try:
        return _TRIALS[name]()
    except Exception as error:
        return f"{name} does not answer ({type(error).__name__}: {error})".replace("\n", " ")


def _try_postgres():
    import psycopg

    psycopg.connect(POSTGRES, connect_timeout=3).close()


def _try_redis():
    import redis

    with redis.Redis.from_url(REDIS, socket_connect_timeout=3) as client:
        client.ping()


def _try_rabbitmq():
    from kombu import Connection

    with Connection(RABBITMQ, connect_timeout=3) as connection:
        connection.ensure_connection(max_retries=1, timeout=3)


def _try_browser():
    return None if chromium_path() else "browser: no Chromium in PATH"


def _try_gettext():
    return None if shutil.which("msgfmt") else "gettext: no msgfmt in PATH"


def _try_wordnet():
    from scoring.metrics.resources.synonyms import DEBIAN, missing_files

    return "wordnet: Debian's wordnet-base is not installed" if missing_files(DEBIAN) else None


def _try_neural():
    from scoring.metrics.resources.neural_models import TORCH

    lacking = [name for name in TORCH if importlib.util.find_spec(name) is None]
    return f"neural: no {', '.join(lacking)} (make install-neural)" if lacking else None


def _try_minilm():
    from scoring.metrics.resources.neural_models import MINILM

    return None if MINILM.installed else f"minilm: no {MINILM.package} (make run brings it)"


def _try_small_disk():
    """A disk that a test may fill: root mounts memory."""
    if os.getuid() != 0:
        return "small_disk: only root may mount one"
    with tempfile.TemporaryDirectory() as folder:
        command = ["mount", "-t", "tmpfs", "-o", "size=1m", "trial", folder]
        tried = subprocess.run(command, check=False, capture_output=True, text=True)
        if tried.returncode == 0:
            subprocess.run(["umount", folder], check=True)
        return f"small_disk: {tried.stderr.strip()}" if tried.returncode else None


_TRIALS = {
    "postgres": _try_postgres,
    "redis": _try_redis,
    "rabbitmq": _try_rabbitmq,
    "browser": _try_browser,
    "gettext": _try_gettext,
    "wordnet": _try_wordnet,
    "neural": _try_neural,
    "minilm": _try_minilm,
    "small_disk": _try_small_disk,
}


def need(name):
    """Go on if `name` can be used; else skip the test, or fail it where skipping is forbidden."""
    reason = missing(name)
    if reason is not None:
        if strict():
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
