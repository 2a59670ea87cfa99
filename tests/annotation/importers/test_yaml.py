"""YAML as plain texts, lists and tables with their lines, and fields read for what they are meant
to be."""

import pytest

from annotation.importers.yaml_reader import MOST_BYTES, Fields, YamlTable, read_yaml
from paraanno.common.texts import ProblemLog


def refused(data):
    log = ProblemLog("t.yaml")
    assert read_yaml(data, log=log) is None
    [problem] = log.problems()
    return str(problem)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: &x 1\nb: 2", "t.yaml:1: anchors"),
        ("a: 1\nb: *a", "t.yaml:2: anchors"),
        ("a: 1\nb: !!python/object:os.system x", "t.yaml:2: tags"),
        ("a: 1\nb: 2\na: 3", "t.yaml:3: 'a' is in line 1 already"),
        ("a: 1\n---\nb: 2", "t.yaml:2: a template is one document"),
        ("a:\n- [1, 2", "t.yaml:2: this is not YAML"),
        ("a: 1\nb: \x07", "t.yaml:2: this is not YAML"),
        ('a: 1\nb: "\\0"', "t.yaml:2: has a NUL"),
        ("? [1, 2]\n: x", "t.yaml:1: the name of a field"),
        ("a: " + "[" * 30 + "]" * 30, "t.yaml:1: the values are nested too deep"),
    ],
)
def test_what_is_refused_is_named_with_its_line(text, said):
    assert refused(text.encode()).startswith(said)


def test_bytes_that_are_no_text_and_a_large_file():
    assert refused(b"a: 1\nb: \xff") == "t.yaml:2: this is not UTF-8: save it as UTF-8"
    assert "larger than 1 MB" in refused(b"#" * (MOST_BYTES + 1))


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
