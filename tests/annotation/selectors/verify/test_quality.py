"""Broken expected values and figures of practice are reported."""

import pytest

from annotation import models as m
from tests.annotation.selectors.verify.breaks import control, put, report_alone, text

BREAKS = [
    ("Controls and", lambda r: put(control(r), role="copy")),
    ("Controls and", lambda r: put(control(r).expected.get(), high=9)),
    ("Controls and", lambda r: put(control(r).expected.get(), low=-1)),
    ("A text to", lambda r: put(m.PracticeText.objects.get(), substitution=text(r, "fifth"))),
    ("The figures", lambda r: m.PracticeAnswer.objects.all().delete()),
    ("The figures", lambda r: put(m.PracticeAnswer.objects.get(), right=False)),
    ("The figures", lambda r: put(m.PracticeAttempt.objects.get(), asked=2)),
]


@pytest.mark.slow
def test_each_rule_is_reported_alone_when_it_is_broken():
    report_alone(BREAKS)
