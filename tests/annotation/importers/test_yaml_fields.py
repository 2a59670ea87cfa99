"""A field is read for what it is meant to be; anything else is named with its line."""

import pytest

from annotation.importers.yaml_fields import Fields
from annotation.importers.yaml_lines import YamlTable, read_yaml
from paraanno.common.texts import ProblemLog


def fields(text):
    log = ProblemLog("t.yaml")
    root = read_yaml(text.encode(), log=log)
    assert isinstance(root, YamlTable)
    return Fields(root, log, ("a", "b"))


def test_a_word_is_a_word_where_words_are_asked_for():
    """YAML itself reads `no` as false: the tag of Norwegian, and the most common answer."""
    assert fields("a: no").text("a") == "no"
    assert fields("a: [yes, no, 1.0]").texts("a", 9) == ("yes", "no", "1.0")
    assert fields("a: no").flag("a", True) is False
    assert fields("a: ~").text("a") == ""
    assert fields("a: '~'").text("a") == "~"


def test_numbers():
    one = fields("a: 1e3\nb: -.5")
    assert (one.whole("a", 0), one.number("b", 0)) == (1000, -0.5)
    assert fields("a: null").number_or_none("a", 3) is None
    assert fields("b: 1").number_or_none("a", 3) == 3


@pytest.mark.parametrize(
    ("text", "ask", "said"),
    [
        ("a: '1'", "number", "must be a number"),
        ("a: .inf", "number", "must be a number"),
        ("a: [1]", "number", "must be a number"),
        ("a:", "number", "is empty: give a number"),
        ("a: 1.5", "whole", "must be a whole number"),
        ("a: 1e99", "whole", "must be a whole number"),
        ("a: 'yes'", "flag", "must be true or false"),
        ("a: maybe", "flag", "must be true or false"),
    ],
)
def test_what_is_wrong_is_named(text, ask, said):
    one = fields(f"b: x\n{text}")
    assert getattr(one, ask)("a", 7) == 7
    [problem] = one.log.problems()
    assert str(problem) == f"t.yaml:2: column 'a': {said}"


def test_unknown_fields_are_named_with_those_that_there_are():
    one = fields("a: 1\nguidlines: x")
    [problem] = one.log.problems()
    assert str(problem) == "t.yaml:2: there is no field 'guidlines' here: use a, b"


def test_lists_and_tables():
    one = fields("a:\n- {x: 1}\n- 2\nb: [1, 2, 3]")
    assert [inner.number("x", 0) for inner in one.tables("a", ("x",), 9)] == [1]
    assert one.texts("b", 2) == ()
    assert one.table_of("b") is None
    said = [(problem.line, str(problem.message)) for problem in one.log.problems()]
    assert said == [
        (3, "must have the fields x"),
        (4, "has more than 2 entries"),
        (4, "must be a table of fields"),
    ]
