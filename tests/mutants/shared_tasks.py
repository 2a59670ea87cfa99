"""Mutants of shared tasks."""

from tests.mutants import Mutant

CLOSING = [
    Mutant(
        "task: what came while it closed",
        "scoring/shared_tasks/submissions.py",
        "            now = clock.now()\n            open_or_refuse(task, now)\n",
        "            now = clock.now()\n",
        "tests/scoring/shared_tasks/services/test_submit.py",
    ),
    Mutant(
        "task: the clock is asked before the file is there",
        "scoring/shared_tasks/submissions.py",
        "            open_or_refuse(task, now)\n",
        "            task.closes_at = None\n            open_or_refuse(task, now)\n",
        "tests/scoring/shared_tasks/services/test_submit.py",
    ),
    Mutant(
        "task: a failed submission becomes primary",
        "scoring/shared_tasks/submissions.py",
        'rows.exclude(status="failed").order_by()',
        "rows.order_by()",
        "tests/scoring/shared_tasks/services/test_close.py",
    ),
]
