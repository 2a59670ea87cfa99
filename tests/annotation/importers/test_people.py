"""Lists of people: what is read, and what is told with its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.importers.gold import InvitedPerson, people_read

ROLES = ("annotator", "researcher")


def read(text):
    people, problems = people_read(text, name="list.csv", roles=ROLES)
    return people, [str(one) for one in problems]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_lines_are_name_e_mail_role_and_group(separator):
    rows = [
        ["Name", "E-mail", "Role", "Group"],
        ["Bob", "bob@example.org", "Researcher", "Experts"],
        ["", "ben@example.org"],
        ["Beth"],
    ]
    text = "\ufeff" + "\n\n".join(separator.join(row) for row in rows)
    people, problems = read(text)
    assert problems == []
    assert people == [
        InvitedPerson(3, "Bob", "bob@example.org", "researcher", "Experts"),
        InvitedPerson(5, "", "ben@example.org", "annotator", ""),
        InvitedPerson(7, "Beth", "", "annotator", ""),
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Bob,bob@example", "column 'email': bob@example is no e-mail address"),
        ("bob@", "column 'email': bob@ is no e-mail address"),
        ("Bob,,owner", "column 'role': owner is no role"),
        (",,annotator", "column 'name': neither a name nor"),
        ("Bob,,,,more", "more than four cells"),
        ("x" * 101, "column 'name': longer than 100 characters"),
        ("Ann,ANN@example.org", "is in line 1 too"),
    ],
)
def test_problems_name_the_line_and_what_to_do(line, said):
    people, problems = read(f"Ann,ann@example.org\n{line}")
    assert len(people) == 1
    [problem] = problems
    assert problem.startswith("list.csv:2: ") and said in problem


@given(st.text(max_size=300))
def test_any_text_is_read_or_told(text):
    people, problems = people_read(text, name="f", roles=ROLES)
    emails = [one.email.casefold() for one in people if one.email]
    assert len(emails) == len(set(emails))
    assert len({one.line for one in people} | {one.line for one in problems}) == len(people) + len(
        problems
    )
