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
# And of models, importers, services, the rest of the API and pages.
PATHS = (
    *QUICK,
    "tests/annotation/api/campaigns/test_imports.py",
    "tests/annotation/api/campaigns/test_items.py",
    "tests/annotation/api/people/test_people.py",
    "tests/annotation/api/people/test_serializers.py",
    "tests/annotation/api/people/test_tokens.py",
    "tests/annotation/api/test_errors.py",
    "tests/annotation/api/test_paging.py",
    "tests/annotation/api/test_schema.py",
    "tests/annotation/importers",
    "tests/annotation/selectors/collecting/test_own_work.py",
    "tests/annotation/selectors/collecting/test_steps.py",
    "tests/annotation/services/collecting/test_opening.py",
    "tests/annotation/services/collecting/test_saving.py",
    "tests/annotation/services/people/test_background.py",
    "tests/annotation/services/quality/test_actions.py",
    "tests/annotation/views/collecting/test_blind.py",
    "tests/annotation/views/collecting/test_plain.py",
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "paths", [QUICK, pytest.param(PATHS, marks=pytest.mark.nightly)], ids=["quick", "whole"]
)
def test_annotation_passes_its_tests_without_scoring(paths):
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"),
            *("-m", "not slow and not browser and not postgres and not service", *paths),
        ],
        cwd=HOME,
        capture_output=True,
        text=True,
        check=False,
        env={**own, "PARAANNO_TEST_SETTINGS": "tests.alone"},
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert re.search(r"\d{2,} passed", done.stdout)
