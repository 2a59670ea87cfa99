"""Mutants of saving a whole sheet at once."""

from tests.mutants import Mutant

AT_ONCE, WHOLE = "annotation/collecting/whole_sheet_api.py", "annotation/collecting/saving.py"
SESSIONS, READS = "annotation/accounts/login.py", "annotation/collecting/save_queries.py"
NEXT, WRITTEN = "annotation/collecting/claiming.py", "annotation/collecting/save_rows.py"
OF_WAYS, OF_LOGINS = (
    "tests/annotation/services/collecting/test_at_once.py",
    "tests/annotation/selectors/people/test_sessions.py",
)
OF_ROUTE = "tests/annotation/api/collecting/test_whole.py"
WHO = [
    Mutant(
        "at once: a disabled account",
        SESSIONS,
        "return same and active and",
        "return same and",
        OF_LOGINS,
        "account_is_stored",
    ),
    Mutant(
        "at once: the password of before",
        SESSIONS,
        "return same and active and",
        "return active and",
        OF_LOGINS,
        "account_is_stored",
    ),
    Mutant(
        "at once: another person's session",
        SESSIONS,
        "active and login.user_id == user_id",
        "active",
        OF_LOGINS,
        "another_persons_key",
    ),
    Mutant(
        "at once: a session that ended",
        READS,
        "session.expire_date > {clock}",
        "session.expire_date <> {clock}",
        OF_LOGINS,
        "one_that_ended",
    ),
    Mutant(
        "at once: who left the campaign",
        AT_ONCE,
        "if login is None or not (locked_sheet.member or locked_sheet.everywhere):",
        "if login is None:",
        OF_ROUTE,
        "who_may_not_save",
    ),
    Mutant(
        "at once: viewers",
        READS,
        "member.role IN ('owner', 'researcher', 'annotator')",
        "member.role IN ('owner', 'researcher', 'annotator', 'viewer')",
        OF_ROUTE,
        "who_may_not_save",
    ),
]
WHAT = [
    Mutant(
        "at once: off the scale",
        WHOLE,
        "if answer.value is not None and not on_scale(answer.value, **bounds):",
        "if False:",
        OF_WAYS,
        "off_the_scale",
    ),
    Mutant(
        "at once: without an answer",
        WHOLE,
        "if row.required and not changed",
        "if False and not changed",
        OF_WAYS,
        "missing",
        core=True,
    ),
    Mutant(
        "at once: no look at quality",
        READS,
        "EXISTS (SELECT 1 FROM annotation_qualityrule",
        "NOT EXISTS (SELECT 1 FROM annotation_qualityrule",
        OF_WAYS,
        "quality_rules",
    ),
    Mutant(
        "at once: history knows the future",
        WRITTEN,
        "answer.comment,\n            status,",
        'answer.comment,\n            "counted" if what.done else status,',
        OF_WAYS,
        "rows_of_three",
    ),
    Mutant(
        "by parts: a refusal hands in",
        WHOLE,
        "if done and all(isinstance(one, Saved) for one in outcomes):",
        "if done:",
        OF_ROUTE,
        "one_stale",
    ),
]
FOLLOWING = [
    Mutant(
        "next: the sheet that the page has",
        NEXT,
        "if key not in beside:",
        "if True:",
        OF_WAYS,
        "first_unless",
    ),
    Mutant(
        "next: before the steps",
        NEXT,
        "and state.waiting.any_step",
        "and False",
        OF_WAYS,
        "a_step_comes",
    ),
    Mutant("next: before shared sheets", NEXT, "or state.has_shared", "", OF_WAYS, "shared_sheets"),
    Mutant(
        "next: the excluded too",
        NEXT,
        "    if state.excluded:\n        return None\n",
        "",
        OF_WAYS,
        "an_excluded",
    ),
]
