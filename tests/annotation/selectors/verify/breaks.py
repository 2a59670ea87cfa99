"""Breaking the rules of `verify`: each of a module's rules, and only that rule, is reported.

Breaks write as a stranger to the project would, past every service; the constraints of the
database still hold. `verify_world.py` makes the campaign that they change.
"""

from contextlib import contextmanager

from django.db import transaction
from django.utils import timezone

from annotation import models as m
from annotation.verify import rules
from tests.annotation.selectors.verify.reverify import Reverify
from tests.annotation.selectors.verify.verify_world import make_rows


@contextmanager
def undone():
    """What is written inside is taken back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def report_alone(breaks):
    """One campaign, and one break after the other.

    Walks ask the rules in the same way (`reverify.py`), so no break may hide from them.
    """
    rows = make_rows()
    reverify = Reverify()
    assert reverify.broken(rows.campaign) == set()
    wrong = []
    for number, (beginning, do_break) in enumerate(breaks):
        [sentence] = [one for one in rules() if one.startswith(beginning)]
        with undone():
            do_break(rows)
            found = reverify.broken(rows.campaign)
        if found != {sentence}:
            wrong.append((number, sentence, found))
    assert wrong == []


def put(row, **columns):
    """Change columns of one row."""
    assert type(row)._default_manager.filter(pk=row.pk).update(**columns) == 1


def text(r, words):
    return m.Substitution.objects.get(campaign=r.campaign, text=words, role="output")


def control(r):
    return r.campaign.substitutions.get(role="control")


def copy(r):
    return r.campaign.substitutions.get(text="practised")


def slot(r, state, **where):
    return m.Slot.objects.filter(campaign=r.campaign, state=state, **where)[0]


def add_slot(sheet, state, kind="", who=None):
    """One more slot, with a history of one event."""
    now = timezone.now()
    held = {"claimed_at": now, "lease_expires_at": now} if state == "claimed" else {}
    made = m.Slot.objects.create(
        campaign=sheet.campaign,
        sheet=sheet,
        number=99,
        state=state,
        annotator=who,
        tier=0,
        scan_key=0,
        **held,
    )
    if kind:
        m.SlotEvent.objects.create(slot=made, kind=kind, annotator=who, at=now)
    return made


def imported(r):
    return m.Judgment.objects.get(campaign=r.campaign, batch__isnull=False)
