"""What the pages refuse is refused in a template too, with its line."""

import pytest

from annotation.campaigns.templating.changes import template_read

PRACTICE = "practice:\n  texts:\n  "
SCALE = "scales:\n- name: A\n  points: [{value: 1}, {value: 2}]\n"
TEXT = "- {sentence: a b a, phrase: b, paraphrase: c, expected: {A: {low: 1}}}\n"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("settings:\n  language: no such tag", 2, "language tag"),
        ("settings:\n  order: depth\n  shared_share: 2", 3, "between 0 and 1"),
        ("settings: {annotators_per_sheet: 0}", 1, "between 1 and 1,000"),
        (f"{SCALE}- name: a", 4, "There is a scale a already"),
        (f"{SCALE}- name: A_n", 4, "cannot have this name"),
        (f"{SCALE}  threshold: 7", 2, "must be on the scale"),
        ("background:\n- {name: x y, wording: Who?}", 2, "letters, digits"),
        ("background:\n- {name: x, wording: Who?, kind: choice, options: [a]}", 2, "at least two"),
        ("background:\n- {name: x}", 2, "needs a wording"),
        (f"{SCALE}practice: {{share: 0}}", 4, "above 0 and at most 1"),
        (f"{SCALE}practice: {{tolerance: {{B: 1}}}}", 4, "There is no scale B"),
        (f"{SCALE}practice: {{tolerance: {{A: 9}}}}", 4, "not wider than its scale"),
        (f"{SCALE}{PRACTICE}{TEXT}  {TEXT}", 7, "there twice"),
        (f"{SCALE}{PRACTICE}{TEXT.replace('low: 1', 'low: 3')}", 6, "on the scale"),
        (f"{SCALE}{PRACTICE}{TEXT.replace('A:', 'B:')}", 6, "There is no scale B"),
        (f"{SCALE}{PRACTICE}{TEXT.replace('phrase: b', 'phrase: a')}", 6, "more than once"),
        (f"{SCALE}{PRACTICE}{TEXT.replace('phrase: b', 'phrase: x')}", 6, "its phrase"),
        (f"{SCALE}{PRACTICE}{TEXT.replace('- {', '- {start: 1, ')}", 6, "at start"),
        ("checks:\n  delay_least: 9", 1, "must not exceed"),
        ("checks: {repeat_share: 2}", 1, "between 0 and 1"),
        ("checks:\n  rules:\n  - {check: fast, least: 1, share: 2, action: note}", 3, "at most 1"),
    ],
)
def test_it_is_refused_at_its_line(text, line, said):
    read = template_read(data=text.encode(), name="t.yaml")
    assert read.template is None
    [problem] = read.problems
    assert said in str(problem.message)
    assert str(problem).startswith(f"t.yaml:{line}: ")


def test_options_are_tidied_as_the_page_does():
    text = "background:\n- {name: x, wording: Who?, kind: choice, options: [a , b, a]}"
    read = template_read(data=text.encode(), name="t.yaml")
    assert read.template is not None and read.template.background is not None
    assert read.template.background[0].options == ("a", "b")
