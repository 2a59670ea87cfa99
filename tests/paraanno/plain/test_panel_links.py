"""Addresses of platforms: what may be told, and what may be a code."""

import pytest

from paraanno.common.panel_links import holds_a_code, parameter_problem


@pytest.mark.parametrize(
    ("address", "codes", "holds"),
    [
        ("", [], False),
        ("https://a.example/done", [], False),
        ("https://a.example/done?cc={code}&who={id}", ["C1"], False),
        ("https://a.example/done?cc=C1", [], True),
        ("https://a.example/done/C1", ["", "C1"], True),
        ("https://me:pass@a.example/", [], True),
        ("https://a.example/#C1", [], True),
        ("https://[broken", [], True),
    ],
)
def test_what_holds_a_code(address, codes, holds):
    assert holds_a_code(address, codes) is holds


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("PROLIFIC_PID", ""),
        ("workerId", ""),
        ("next-one", ""),
        ("next", "use “next” themselves"),
        ("CsrfMiddlewareToken", "themselves"),
        ("id ", "no blanks"),
        (" id", "no blanks"),
        ("a b", "no blanks"),
        ("id\n", "no blanks"),
        ("", "no blanks"),
        ("1d", "a letter first"),
        ("a" * 41, "letters"),
    ],
)
def test_names_of_forms_and_names_with_blanks_are_refused(name, said):
    problem = parameter_problem(name)
    assert said in problem and bool(said) == bool(problem)
