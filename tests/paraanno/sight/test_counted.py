"""Several web processes count together in one folder, which a start empties."""

from __future__ import annotations

import re
from pathlib import Path

from tests.live_parts import clean_environment, run_python

PROCESS = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "paraanno.settings"
from pathlib import Path
from django.conf import settings
from paraanno.sight import counted
if sys.argv[1] == "first":
    counted.share(settings.DATA_DIR, 80)
    print(os.environ[counted.FOLDER])
    counted.answers_saved(2)
    sys.exit()
os.environ[counted.FOLDER] = sys.argv[1]
counted.answers_saved(3)
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
registry = CollectorRegistry()
MultiProcessCollector(registry)
print(generate_latest(registry).decode())
"""


def test_counts_of_processes_are_added_up(tmp_path: Path) -> None:
    site = clean_environment(PARAANNO_DATA_DIR=str(tmp_path), PARAANNO_METRICS_TOKEN="t" * 40)
    folder = run_python(site, "-c", PROCESS, "first").strip()
    assert Path(folder).is_relative_to(tmp_path)
    told = run_python(site, "-c", PROCESS, folder)
    assert re.search(r"^paraanno_saves_total 5\.0$", told, re.MULTILINE)
    again = run_python(site, "-c", PROCESS, "first").strip()
    assert again == folder
    told = run_python(site, "-c", PROCESS, folder)
    assert re.search(r"^paraanno_saves_total 5\.0$", told, re.MULTILINE)
