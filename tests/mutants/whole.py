"""Mutants of the whole save in the plain case, which shares no statement with the single one."""

from __future__ import annotations

from tests.mutants import Mutant

# fmt: off
AT_ONCE = "annotation/services/collecting/at_once.py"
WRITTEN = "annotation/services/collecting/written.py"
QUICK = "annotation/api/collecting/quick.py"
PLAIN = "tests/annotation/services/collecting/test_at_once.py"
ROWS = "tests/annotation/services/collecting/test_written.py"
ROUTE = "tests/annotation/api/collecting/test_whole.py tests/annotation/api/collecting/test_quick.py"
WHOLE = [
    Mutant("at once: whatever version is stored", AT_ONCE,
        "if row is None or one.base_version != (row.version or 0):", "if row is None:", PLAIN, "not_there_is_stale"),
    Mutant("at once: off the scale", AT_ONCE, "if answer.reason or not on:", "if answer.reason:",
        PLAIN, "off_the_scale"),
    Mutant("at once: required may be missing", AT_ONCE,
        "if row.required and not given.get(", "if False and not given.get(", PLAIN, "missing"),
    Mutant("at once: a cleared answer counts", AT_ONCE,
        "one.given.answer.given for one in changes}", "True for one in changes}", PLAIN, "cleared"),
    Mutant("at once: after the collection", AT_ONCE,
        "if done and found.status != Campaign.Status.OPEN:", "if False:", ROUTE, "after_the_collection"),
    Mutant("at once: any session", AT_ONCE,
        "    return stands(login, user_id=found.user, password=found.password, active=bool(found.active))\n",
        "    return True\n", ROUTE + " tests/annotation/selectors/people/test_sessions.py"),
    Mutant("at once: no limit", AT_ONCE, "or not admit(found.user)", "",
        "tests/annotation/api/collecting/test_throttles.py", "whole_sheets"),
    Mutant("at once: earlier answers stay drafts", AT_ONCE,
        "        if done and row.judgment is not None and", "        if False and row.judgment is not None and",
        ROWS, "of_before"),
    Mutant("at once: no lease is renewed", AT_ONCE,
        "lease = now + whole if not done and changes and stale else None", "lease = None", ROWS, "renews"),
    Mutant("at once: rules do not look", AT_ONCE,
        "return AtOnce(person, versions, now, found.watched, following)",
        "return AtOnce(person, versions, now, False, following)", PLAIN, "quality_rules"),
    Mutant("written: versions are counted", WRITTEN,
        'DRAFT = str(Judgment.Status.DRAFT.value)', 'DRAFT = str(Judgment.Status.COUNTED.value)', ROWS,
        "rows_of_three"),
    Mutant("written: no event of handing in", WRITTEN,
        "            cursor.execute(_NOTE, [place.slot, place.annotator, DONE, at])\n", "            pass\n",
        ROWS, "rows_of_three"),
]
