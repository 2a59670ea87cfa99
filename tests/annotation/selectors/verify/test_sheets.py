"""Broken sheets, slots and their histories are reported."""

import pytest
from django.utils import timezone

from annotation import models as m
from tests.annotation.selectors.verify.breaks import (
    add_slot,
    control,
    copy,
    imported,
    put,
    report_alone,
    slot,
    text,
)


def event(row):
    return row.events.order_by("-pk")[0]


def entry(r):
    return r.waiting.entries.all()[0]


def strangers_repeat(r):
    """What Bob did before is shown to Ben as if it came again."""
    put(r.waiting, for_annotator=r.ben)
    r.waiting.entries.update(for_annotator=r.ben)


def strangers_list(r):
    """As many lists name each item as it has places, but they are nobody's."""
    m.Sheet.objects.filter(campaign=r.campaign).update(shared=False)
    m.WorkRule.objects.create(campaign=r.campaign, lists="listed")
    for n in range(r.campaign.annotators_per_sheet):
        made = m.WorkList.objects.create(campaign=r.campaign, name=str(n))
        m.WorkListEntry.objects.bulk_create(
            m.WorkListEntry(work_list=made, item=item, position=1)
            for item in r.campaign.items.all()
        )


def list_of_another_campaign(r):
    made = m.WorkList.objects.create(campaign=r.other, name="A")
    m.WorkListEntry.objects.create(work_list=made, item=r.campaign.items.all()[0], position=1)
    put(made, campaign=r.campaign, annotator=r.other.annotators.all()[0])


BREAKS = [
    ("A sheet holds", lambda r: put(entry(r), substitution=text(r, "system 0 paraphrase 3"))),
    ("A sheet holds", lambda r: put(entry(r), occasion=3)),
    ("A sheet holds", lambda r: put(entry(r), for_annotator=r.ben)),
    ("A sheet holds", lambda r: put(entry(r), for_annotator=None)),
    ("A sheet has", lambda r: r.waiting.entries.all().delete()),
    ("A sheet has", lambda r: put(r.campaign, max_per_sheet=1)),
    (
        "Practice",
        lambda r: m.SheetEntry.objects.create(
            sheet=control(r).entries.get().sheet, substitution=copy(r)
        ),
    ),
    ("Once", lambda r: put(copy(r), role="copy")),
    ("A sheet wants", lambda r: put(slot(r, "free").sheet, slots_wanted=3)),
    ("A sheet wants", lambda r: slot(r, "free", events=None).delete()),
    ("A sheet wants", lambda r: add_slot(slot(r, "free").sheet, "free")),
    ("With fixed", strangers_list),
    ("A list is", list_of_another_campaign),
    ("Shared", lambda r: add_slot(r.waiting, "free")),
    ("Shared", lambda r: add_slot(r.waiting, "claimed", "claimed", r.ben)),
    ("Shared", lambda r: add_slot(r.waiting, "void", "voided")),
    ("A repeat", strangers_repeat),
    ("A slot's", lambda r: put(event(slot(r, "claimed")), kind="done")),
    ("A slot's", lambda r: put(event(slot(r, "claimed")), annotator=r.bob)),
    ("A slot's", lambda r: put(event(slot(r, "claimed")), annotator=None)),
    ("A slot's", lambda r: slot(r, "done", sheet__occasion=2).events.all().delete()),
    ("A slot's", lambda r: event(slot(r, "void")).delete()),
    (
        "A slot's",
        lambda r: m.SlotEvent.objects.create(
            slot=slot(r, "free"), kind="claimed", annotator=r.ben, at=timezone.now()
        ),
    ),
    ("Who skipped", lambda r: put(r.campaign.skips.get(), annotator=imported(r).annotator)),
    ("A member", lambda r: put(r.campaign.memberships.get(user=r.bob.user), role="viewer")),
]


@pytest.mark.slow
def test_each_rule_is_reported_alone_when_it_is_broken():
    report_alone(BREAKS)
