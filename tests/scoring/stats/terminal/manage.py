"""Commands on files of ratings, run here or in a process of their own."""

import contextlib
import io
import os
import subprocess
import sys

from django.core.management import ManagementUtility

from tests import HOME

ROOT = HOME

HEADER = "item,annotator,scale,value,phrase\n"


def write(folder, text, name="ratings.csv"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def manage(*arguments):
    """What `manage.py ARGUMENTS` does, in this process: pytest-django refuses every query."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            ManagementUtility(["manage.py", *map(str, arguments)]).execute()
            code = 0
        except SystemExit as ended:
            code = int(ended.code or 0)
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())


def manage_alone(*arguments):
    """The same in a process of its own, with a database that cannot be reached."""
    environment = {**os.environ, "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}
    return subprocess.run(
        [sys.executable, "manage.py", *map(str, arguments)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
