"""Under which names a platform may give ids."""

import pytest

from paraanno.plain.query_parameter import parameter_problem


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("PROLIFIC_PID", ""), ("workerId", ""), ("next-one", ""),
        ("next", "use next themselves"), ("CsrfMiddlewareToken", "themselves"),
        ("id ", "no blanks"), (" id", "no blanks"), ("a b", "no blanks"), ("id\n", "no blanks"),
        ("", "no blanks"), ("1d", "a letter first"), ("a" * 41, "letters"),
    ],
)  # fmt: skip
def test_names_of_forms_and_names_with_blanks_are_refused(name, said):
    problem = parameter_problem(name)
    assert said in problem and bool(said) == bool(problem)
