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
        "tests/scoring/shared_tasks/services/test_submit.py",
    ),
    Mutant(
        "task: what a team sends besides is ranked",
        "scoring/shared_tasks/boards.py",
        "answers if one.pk in counted else further",
        "answers",
        "tests/scoring/shared_tasks/services/test_submit.py",
    ),
    Mutant(
        "task: a failure of ours stays in the day's count",
        "scoring/shared_tasks/submissions.py",
        "n__lt=per_day + given_back",
        "n__lt=per_day",
        "tests/scoring/shared_tasks/test_services.py",
    ),
    Mutant(
        "task: every file is read as TSV",
        "scoring/shared_tasks/submissions.py",
        'ids=ids, format=format_of(file_name, "tsv"))',
        'ids=ids, format="tsv")',
        "tests/scoring/shared_tasks/services/test_submit.py",
    ),
]
