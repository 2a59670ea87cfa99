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


LATER = """
import django
from paraanno.apps import OwnApp, register_all
OwnApp.registers = False
django.setup()
import sys
from django.apps import apps
from annotation.campaigns.overview import NEEDS
before = len(NEEDS), "scoring.health" in sys.modules
register_all()
once = len(NEEDS)
register_all()  # As where a test prepares a start in its own process.
own = sorted(one.label for one in apps.get_app_configs() if isinstance(one, OwnApp))
print(*before, len(NEEDS) == once > 2, "scoring.health" in sys.modules, *own)
"""


@pytest.mark.slow
def test_what_prepares_a_start_registers_nothing_until_it_loads_the_demo(fresh):
    assert fresh("-c", LATER).split() == [
        *("0", "False", "True", "True"),
        *("annotation", "paraanno", "scoring", "shared_tasks"),
    ]
