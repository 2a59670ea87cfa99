"""Broken judgments, versions and remarks are reported."""

import pytest
from django.utils import timezone

from annotation import models as m
from tests.annotation.selectors.verify.breaks import (
    add_slot,
    control,
    imported,
    put,
    report_alone,
)


def draft(r):
    """A draft of Ben's with a value and two versions, on his claimed sheet."""
    return m.Judgment.objects.get(annotator=r.ben, version=2)


def counted(r, **where):
    """A judgment of Bob's that counts."""
    return m.Judgment.objects.filter(annotator=r.bob, status="counted", **where)[0]


def newest(row):
    return row.versions.get(version=row.version)


def emptied(r):
    """A required answer of a done sheet is cleared, and its history too."""
    row = counted(r, scale__required=True)
    put(newest(row), value=None)
    put(row, value=None, status="draft")


def removed(r):
    row = counted(r, scale__required=True)
    row.versions.all().delete()
    row.delete()


def detached(r):
    """A slot without annotator, which no comparison of two columns finds."""
    sheet = draft(r).slot.sheet
    put(draft(r), slot=add_slot(sheet, "void", "voided"), status="surplus")


BREAKS = [
    ("The counts", lambda r: m.Tally.objects.filter(scale_id=0, n__gt=0).first().delete()),
    ("A value", lambda r: put(draft(r).versions.get(version=1), value=9)),
    ("A value", lambda r: put(newest(counted(r)), value=4.5) or put(counted(r), value=4.5)),
    (
        "A judgment's slot",
        lambda r: put(draft(r), slot=add_slot(r.waiting, "claimed", "claimed", r.bob)),
    ),
    ("A judgment's slot", lambda r: put(draft(r), occasion=2)),
    ("A judgment's slot", lambda r: put(draft(r), kind="adjudication")),
    ("A judgment's slot", detached),
    ("A rating", lambda r: put(imported(r), status="draft", batch=None)),
    ("What counts", lambda r: put(draft(r), status="counted")),
    ("What counts", lambda r: put(draft(r), status="counted", slot=None)),
    ("What counts", lambda r: put(draft(r), status="counted", batch=imported(r).batch)),
    ("What counts", lambda r: put(draft(r), status="surplus")),
    (
        "What counts",
        lambda r: put(m.Judgment.objects.filter(slot__state="void")[0], status="draft"),
    ),
    ("What counts", lambda r: put(counted(r, scale__required=False), status="surplus")),
    ("Done", emptied),
    ("Done", removed),
    ("A judgment is", lambda r: put(counted(r), version=2)),
    ("A judgment is", lambda r: draft(r).versions.get(version=1).delete()),
    ("A judgment is", lambda r: put(newest(counted(r)), value=1)),
    ("A judgment is", lambda r: put(newest(counted(r)), value=None)),
    ("A judgment is", lambda r: put(draft(r), value=None)),
    ("A judgment is", lambda r: put(newest(draft(r)), reason="none")),
    ("A judgment is", lambda r: put(newest(draft(r)), comment="another")),
    ("A judgment is", lambda r: put(newest(draft(r)), guideline=None)),
    ("A judgment is", lambda r: put(newest(draft(r)), recorded_at=timezone.now())),
    ("A remark", lambda r: put(r.campaign.remarks.get(), annotator=imported(r).annotator)),
    ("A remark", lambda r: put(r.campaign.remarks.get(), substitution=control(r))),
]


@pytest.mark.slow
def test_each_rule_is_reported_alone_when_it_is_broken():
    report_alone(BREAKS)
