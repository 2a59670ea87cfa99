"""What the site registers when it starts, in a fresh process."""

from __future__ import annotations

import json
from pathlib import Path

from tests.live_parts import clean_environment, run_python

PROGRAM = """
import json, os
os.environ["DJANGO_SETTINGS_MODULE"] = "paraanno.settings"
import django
django.setup()
from django.core.checks import run_checks
from scoring.tasks import run_work
print(json.dumps({"app": run_work.app.main, "checks": [one.id for one in run_checks()]}))
"""


def test_tasks_go_to_our_application_and_checks_are_asked(tmp_path: Path) -> None:
    environment = clean_environment(PARAANNO_DATA_DIR=str(tmp_path), PARAANNO_ALLOWED_HOSTS="*")
    found = json.loads(run_python(environment, "-c", PROGRAM))
    assert found["app"] == "paraanno"
    assert "paraanno.W002" in found["checks"]
