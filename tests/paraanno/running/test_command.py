"""The command `paraanno`."""

import shlex
import subprocess
import sys
from configparser import RawConfigParser
from pathlib import Path

import pytest

from paraanno.running import command
from paraanno.running.supervision import (
    HEAVY_QUEUES,
    PROGRAMS,
    WAITER,
    program_argv,
    supervisor_argv,
    write_config,
)
from tests import HOME
from tests.live_parts import clean_environment


def test_help_tells_every_command_of_ours(monkeypatch):
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "paraanno.settings")  # Taken away afterwards.
    told = command.help_text()
    folders = [Path(HOME, *app.split("."), "management", "commands") for app in command.GROUPS]
    ours = {path.stem for folder in folders for path in folder.glob("[a-z]*.py")} - command.HIDDEN
    assert {line.split()[0] for line in told.splitlines() if line.startswith("  ")} >= ours
    assert len(ours) > 40 and "makemessages" not in told


def run(*words, **variables):
    return subprocess.run(
        [sys.executable, "-m", "paraanno", *words],
        cwd=HOME,
        env=clean_environment(**variables),
        capture_output=True,
        text=True,
    )


def test_the_version_tells_folder_and_database_without_a_password_and_makes_nothing(tmp_path):
    folder = tmp_path / "site"
    told = run("--data", str(folder), "--version", DATABASE_URL="postgresql://me:pw@db/x").stdout
    assert f"Data folder: {folder}\n" in told
    assert "Database: postgresql://db/x\n" in told and "pw" not in told
    assert f"Database: {folder}/paraanno.sqlite3" in run(f"--data={folder}", "version").stdout
    assert not folder.exists()


def test_a_command_on_files_makes_no_data_folder(tmp_path):
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("id,original,paraphrase\n1,a b c,a c b\n", "utf-8")
    done = run("--data", str(tmp_path / "site"), "score", str(pairs), "--metric", "pinc")
    assert done.returncode == 0 and "pinc" in done.stdout, done.stderr
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize("words", [("--data",), ("completion",), ("completion", "csh")])
def test_what_is_missing_is_told(words):
    done = run(*words)
    assert done.returncode == 1 and done.stderr.startswith("paraanno: ")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/bin/bash").exists(), reason="no bash")
def test_bash_completes_commands(tmp_path):
    script = "\n".join(
        [
            f"paraanno() {{ '{sys.executable}' -m paraanno.running.command \"$@\"; }}",
            command.COMPLETIONS["bash"],
            "COMP_WORDS=(paraanno agre)",
            "COMP_CWORD=1",
            "_paraanno paraanno",
            'echo "${COMPREPLY[@]}"',
        ]
    )
    environment = clean_environment(PARAANNO_DATA_DIR=str(tmp_path), PYTHONPATH=str(HOME))
    done = subprocess.run(
        ["bash", "-c", script], env=environment, capture_output=True, text=True, cwd=tmp_path
    )
    assert done.stdout.split() == ["agreement"], done.stderr


# The configuration of the supervisor.


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
                *(*WAITER, "prepared", f"{tmp_path}/prepared"),
                *(*WAITER, "answers", "localhost:8000"),
            ],
            "heavy": [*WAITER, "wanted", f"{tmp_path}/heavy.wanted"],
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
