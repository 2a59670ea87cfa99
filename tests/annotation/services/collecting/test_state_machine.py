"""Everything that can happen to a campaign, in any order, with `verify` after every step.

The machine keeps its own book of what annotators were told is saved; after every step the
database must agree with the book: no value lost, none doubled, none given to another.
"""

import pytest
from django.db import connection
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    invariant,
    rule,
    run_state_machine_as_test,
)

from annotation.campaigns import services
from annotation.collecting.saving import Answer
from annotation.errors import Invalid, NotAllowed
from annotation.models import Exclusion, Sheet, Slot
from annotation.people.exclusions import (
    annotator_return,
    annotator_withdraw,
    exclusion_add,
)
from annotation.quality.checks import repeat_add
from tests.annotation.services.collecting.machine import Annotating, held, who
from tests.factories import add_items, item_rows, take_in
from tests.simulate import examples


class Collection(Annotating):
    """What researchers can do meanwhile."""

    @rule(name=who, free=st.booleans())
    def exclude(self, name, free):
        annotator = self.annotator(name)
        already = Exclusion.objects.filter(annotator=annotator, ends_at=None).exists()
        try:
            exclusion_add(target=annotator, reason="a test", actor=None, free_slots=free)
        except Invalid:
            assert already
        else:
            assert not already

    @rule(where=held, number=st.integers(0, 9), value=st.integers(1, 5))
    def exclude_before_a_late_save(self, where, number, value):
        """The page was open when they were excluded; `the_excluded_get_no_place` looks after."""
        self.exclude(where[0], free=True)
        self.watched_places()
        self.save(where, number, Answer(float(value)))
        self.submit(where)

    @rule(name=who)
    def lift(self, name):
        annotator = self.annotator(name)
        for exclusion in Exclusion.objects.filter(annotator=annotator, ends_at=None):
            if exclusion.kind == Exclusion.Kind.WITHDRAWAL:
                with pytest.raises(NotAllowed):
                    take_in(exclusion)
            else:
                take_in(exclusion)

    @rule(name=who, judgments=st.sampled_from(["keep", "remove"]))
    def withdraw(self, name, judgments):
        left = annotator_withdraw(annotator=self.annotator(name), judgments=judgments)
        assert annotator_withdraw(annotator=self.annotator(name)) == left

    @rule(name=who)
    def come_back(self, name):
        annotator_return(annotator=self.annotator(name), actor=None)
        assert not self.withdrew(self.annotator(name))

    @rule(k=st.integers(1, 4))
    def set_k(self, k):
        services.annotators_per_sheet_set(campaign=self.campaign, wanted=k, actor=None)
        self.most_k = max(self.most_k, k)

    @rule(new_item=st.booleans())
    def add_later(self, new_item):
        self.added += 1
        row = item_rows(1, 1)[0]
        if new_item:
            row |= {
                "item": f"item-{self.added}",
                "phrase": "later",
                "sentence": f"One later sentence, {self.added}.",
            }
        row |= {"paraphrase": f"added {self.added}", "system": f"T{self.added}"}
        self.campaign.refresh_from_db()
        add_items(self.campaign, [row])

    @rule(where=held)
    def hidden_repeat(self, where):
        sheet = Sheet.objects.get(pk=where[1])
        if sheet.occasion > 2:
            return
        annotator = self.annotator(where[0])
        done = Slot.objects.filter(sheet=sheet, annotator=annotator, state=Slot.State.DONE)
        if done.exists():
            repeat_add(annotator=annotator, sheet=sheet, actor=None, after_sheets=1)
        else:
            with pytest.raises(Invalid):
                repeat_add(annotator=annotator, sheet=sheet, actor=None)

    @rule(threshold=st.integers(1, 5))
    def set_threshold(self, threshold):
        services.threshold_set(scale=self.scales[0], threshold=threshold, actor=None)

    @rule(status=st.sampled_from(["open", "open", "open", "pause", "close"]))
    def set_status(self, status):
        getattr(services, f"campaign_{status}")(campaign=self.campaign, actor=None)

    def watched_places(self):
        """(annotator, sheet) of every place of the excluded; what they had before is kept."""
        live = Slot.objects.exclude(state=Slot.State.VOID).filter(annotator__isnull=False)
        places = set(live.values_list("annotator", "sheet"))
        out = set(Exclusion.objects.filter(ends_at=None).values_list("annotator", flat=True))
        new = places - getattr(self, "places", places)
        self.places = places
        return {place for place in new if place[0] in out}

    @invariant()
    def the_excluded_get_no_place(self):
        assert self.watched_places() == set()


def walk(many, steps, machine=Collection):
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=many,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            print_blob=True,
        ),
    )


@pytest.mark.slow
def test_walk():
    """The rules are the same on PostgreSQL: there a few show that it takes every statement."""
    walk(6 if connection.vendor == "sqlite" else 2, steps=25)


@pytest.mark.nightly
@pytest.mark.simulation
@pytest.mark.parametrize("half", [1, 2])
def test_long_walk(half):
    """In halves, for two processes: where examples are the same each time, as on a CI, they are
    made from the name of the machine."""
    many = examples(28 if connection.vendor == "sqlite" else 14)
    walk(many, steps=50, machine=type(f"Collection{half}", (Collection,), {}))
