"""What the site registers when it starts, in a fresh process."""

import json

import pytest

PROGRAM = """
import json
import django
django.setup()
from django.core.checks import run_checks
from scoring.tasks import run_work
print(json.dumps({"app": run_work.app.main, "checks": [one.id for one in run_checks()]}))
"""


@pytest.mark.slow
def test_tasks_go_to_our_application_and_checks_are_asked(fresh):
    found = json.loads(fresh("-c", PROGRAM, PARAANNO_ALLOWED_HOSTS="*"))
    assert found["app"] == "paraanno"
    assert "paraanno.W002" in found["checks"]
