import pytest

from tests.annotation.importers.tables.tools.checking import check, of, table, values


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


def test_submitted_work_counts_and_rejected_does_not():
    submitted = assignment(**{"Answer.meaning": 3, "AssignmentStatus": "Submitted"})
    assert values([submitted])
    rejected = submitted | {"AssignmentStatus": "Rejected"}
    assert "nobody has judged" in table([rejected])
