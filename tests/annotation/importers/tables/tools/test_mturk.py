import pytest

from tests.annotation.importers.tables.tools.checking import asks, check, of, table, values


@pytest.mark.parametrize("name", of("mturk"))
def test_what_comes_out(name):
    check(name)


def assignment(**more):
    return {
        "WorkerId": "W",
        "AssignmentStatus": "Approved",
        "Input.original": "It is so &amp; so.",
        "Input.paraphrase": "So it is.",
        **more,
    }


@pytest.mark.parametrize(
    ("given", "result"),
    [
        ({"Answer.meaning": "3", "Answer.grammar.label": "2 poor"}, {"MEANING": 3, "GRAMMAR": 2}),
        ({"Answer.meaning.on": "true"}, "asks"),
        ({"Answer.taskAnswers": '[{"meaning": {"4": true, "5": false}}]'}, {"MEANING": 4}),
        ({"Answer.taskAnswers": '[{"meaning": {"4": true, "5": true}}]'}, "asks"),
        ({"Answer.meaning.1": "false", "Answer.meaning.2": "true"}, {"MEANING": 2}),
        ({"Answer.beauty": "3"}, "asks"),
    ],
)
def test_answers(given, result):
    records = [assignment(**given)]
    if result == "asks":
        assert asks(table(records))
    else:
        assert values(records) == {("W", "So it is.", scale): one for scale, one in result.items()}


def test_submitted_work_counts_and_rejected_does_not():
    submitted = assignment(**{"Answer.meaning": 3, "AssignmentStatus": "Submitted"})
    assert values([submitted])
    rejected = submitted | {"AssignmentStatus": "Rejected"}
    assert "nobody has judged" in table([rejected])
