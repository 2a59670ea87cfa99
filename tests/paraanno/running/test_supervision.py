"""The configuration of the supervisor."""

import shlex
import sys
from configparser import RawConfigParser

from paraanno.running.supervision import (
    HEAVY_QUEUES,
    PROGRAMS,
    WAITER,
    program_argv,
    supervisor_argv,
    write_config,
)


def test_every_program_is_in_the_group_that_stops_at_once(tmp_path):
    found = RawConfigParser()
    found.read(write_config(tmp_path, "localhost:8000"), encoding="utf-8")
    assert found["group:paraanno"]["programs"].split(",") == list(PROGRAMS)
    assert found["supervisord"]["nodaemon"] == "true"
    for name in PROGRAMS:
        program = found[f"program:{name}"]
        assert program["directory"] == str(tmp_path) and program["autorestart"] == "true"
        assert program["stdout_logfile"] == f"{tmp_path}/logs/{name}.log"
        waits = {
            "web": [],
            "worker": [
                *(sys.executable, str(WAITER), "prepared", f"{tmp_path}/prepared"),
                *(sys.executable, str(WAITER), "answers", "localhost:8000"),
            ],
            "heavy": [sys.executable, str(WAITER), "wanted", f"{tmp_path}/heavy.wanted"],
        }[name]
        assert shlex.split(program["command"] % {}) == [*waits, *program_argv(name)]


def test_a_per_cent_sign_in_a_path_is_no_variable(tmp_path):
    folder = tmp_path / "100%(here)s"
    folder.mkdir()
    found = RawConfigParser()
    found.read(write_config(folder, "localhost:8000"), encoding="utf-8")
    # The supervisor fills in variables as `%` does.
    assert found["program:web"]["directory"] % {} == str(folder)
    assert found["supervisord"]["logfile"] % {} == str(folder / "logs/supervisor.log")


def test_heavy_metrics_have_queues_of_their_own(monkeypatch):
    monkeypatch.delenv("PARAANNO_QUEUE", raising=False)
    assert program_argv("heavy")[-2:] == ["--queues", "paraanno.korean,paraanno.neural"]
    monkeypatch.setenv("PARAANNO_QUEUE", "mine")
    assert program_argv("heavy")[-1] == ",".join(f"mine.{one}" for one in HEAVY_QUEUES)
    assert program_argv("heavy", "other")[-1].startswith("other.")
    assert "--queues" not in program_argv("worker")


def test_programs_run_by_this_python(tmp_path):
    """Not as scripts, which break when the folder is moved."""
    for argv in (*map(program_argv, PROGRAMS), supervisor_argv(tmp_path)):
        assert argv[:2] == [sys.executable, "-m"]
