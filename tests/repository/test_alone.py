"""`annotation` stands without `scoring`: its own tests pass on a site that has none."""

import os
import re
import subprocess
import sys

import pytest

from tests.live_parts import HOME

# Tests of annotation alone: the rating screen's API and the pages of accounts.
QUICK = (
    "tests/annotation/api/collecting/test_sheets.py",
    "tests/annotation/views/people/test_accounts.py",
)


@pytest.mark.slow
def test_annotation_passes_its_tests_without_scoring():
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"),
            *("-m", "not slow and not browser and not postgres and not service", *QUICK),
        ],
        cwd=HOME,
        capture_output=True,
        text=True,
        check=False,
        env={**own, "PARAANNO_TEST_SETTINGS": "tests.alone"},
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert re.search(r"\d{2,} passed", done.stdout)
