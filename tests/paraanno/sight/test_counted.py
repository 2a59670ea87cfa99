"""Several web processes count together in one folder, which a start empties."""

import re
from pathlib import Path

import pytest

PROCESS = """
import os, sys
from pathlib import Path
from django.conf import settings
from paraanno.observability import counted
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


@pytest.mark.slow
def test_counts_of_processes_are_added_up_and_a_start_begins_anew(fresh, tmp_path):
    for _ in range(2):
        folder = fresh("-c", PROCESS, "first", PARAANNO_METRICS_TOKEN="t" * 40).strip()
        assert Path(folder).is_relative_to(tmp_path)
        counted = fresh("-c", PROCESS, folder, PARAANNO_METRICS_TOKEN="t" * 40)
        assert re.search(r"^paraanno_saves_total 5\.0$", counted, re.MULTILINE)
