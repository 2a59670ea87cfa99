"""The files of the project: what git knows or would add."""

import re
import subprocess

from tests import HOME

MADE = re.compile("/migrations/")  # what Django wrote


def source_files(*patterns):
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=HOME,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    return [HOME / name for name in listed if not MADE.search(name) and (HOME / name).exists()]
