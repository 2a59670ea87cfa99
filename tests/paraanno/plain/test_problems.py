"""Errors and warnings about a file: where, what, and never too many."""

from paraanno.common.texts import Problem, ProblemLog, say


def test_a_problem_names_its_place():
    message = say("is empty")
    assert str(Problem("f.csv", 3, None, message)) == "f.csv:3: is empty"
    warned = Problem("f.csv", 3, "va\nlue", message, "warning")
    assert str(warned) == "f.csv:3: warning: column 'va\\nlue': is empty"


def test_errors_stand_first_and_those_beyond_the_limit_are_counted():
    log = ProblemLog("f.csv", limit=2)
    log.warn(1, say("odd"))
    for line in (2, 9, 5, 4):
        log.error(line, say("wrong"))
    assert (log.errors, log.warnings) == (4, 1)
    assert [str(one) for one in log.problems()] == [
        "f.csv:2: wrong",
        "f.csv:9: wrong",
        "f.csv:9: and 2 more errors; put these right first",  # At the last line with a problem.
        "f.csv:1: warning: odd",
    ]
