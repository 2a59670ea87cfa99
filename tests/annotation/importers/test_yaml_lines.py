"""YAML as plain texts, lists and tables with their lines; whatever is more than that is refused."""

import unicodedata

import pytest

from annotation.importers.yaml_lines import MOST_BYTES, YamlList, YamlTable, YamlText, read_yaml
from paraanno.common.texts import ProblemLog


def refused(data):
    log = ProblemLog("t.yaml")
    assert read_yaml(data, log=log) is None
    [problem] = log.problems()
    return str(problem)


def plain(value):
    if isinstance(value, YamlText):
        return value.text
    if isinstance(value, YamlList):
        return [plain(one) for one in value.values]
    assert isinstance(value, YamlTable)
    return {name: plain(one) for name, one in value.values.items()}


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


def nfc(value):
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, list):
        return [nfc(one) for one in value]
    assert isinstance(value, dict)
    return {name: nfc(one) for name, one in value.items()}
