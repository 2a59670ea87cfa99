"""A campaign as annotators walk through it, and the book of what they were told is saved."""

from __future__ import annotations

import random
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from unittest.mock import patch
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from django.db.models import Count, F, Q
from hypothesis import event
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
)

from annotation.collecting.claiming import NotClaimable, claim_next
from annotation.collecting.saving import Answer, CampaignClosed, sheet_submit
from annotation.collecting.sheets import sheet_release, sheet_skip
from annotation.errors import Conflict, Incomplete, RevisionClosed, StaleVersion
from annotation.models import Campaign, Exclusion, Judgment, JudgmentVersion, Sheet, Slot
from tests.annotation.selectors.verify.reverify import Reverify
from tests.factories import item_rows, make_annotator, make_campaign, save_answer

ANNOTATORS = ("ann", "ben", "cleo", "dan")
answers = st.one_of(
    st.integers(1, 5).map(lambda value: Answer(float(value))),
    st.just(Answer(reason="not a sentence")),
    st.just(Answer()),
)
who = st.sampled_from(ANNOTATORS)


@dataclass
class Told:
    """What the annotator saw as saved."""

    answer: Answer
    version: int
    history: list[tuple[UUID, Answer]] = field(default_factory=list)


@contextmanager
def steady_chance():
    """The same chance in every run of one example: Hypothesis repeats examples to shrink them."""
    chance = random.Random(0)
    with (
        patch("annotation.sheets.slots._random", chance),
        patch("annotation.sheets.slots._phrase_key", lambda phrase: phrase),
        patch("annotation.models.people.secrets.randbits", chance.getrandbits),
    ):
        yield


held = Bundle("held")


class Annotating(RuleBasedStateMachine):
    """What annotators can do, and what must hold after every step."""

    @initialize(
        order=st.sampled_from(Campaign.Order.values),
        limit=st.sampled_from([None, 1, 2]),
        shared=st.sampled_from([0.0, 0.5]),
        revision=st.booleans(),
    )
    def begin(self, order, limit, shared, revision):
        self.around = ExitStack()
        self.around.enter_context(transaction.atomic())
        self.around.enter_context(steady_chance())
        self.now = datetime(2026, 1, 1, tzinfo=UTC)
        self.campaign = make_campaign(
            "machine",
            rows=item_rows(3, 2),
            k=2,
            cast=False,
            order=order,
            max_per_sheet=limit,
            shared_share=shared,
            allow_revision=revision,
        )
        self.rules = Reverify()
        self.scales = list(self.campaign.scales.all())
        self.told = {}
        self.most_k = 2
        self.added = 3

    def teardown(self):
        if hasattr(self, "around"):
            transaction.set_rollback(True)
            self.around.close()

    def annotator(self, name):
        made = make_annotator(self.campaign, name)
        made.campaign = Campaign.objects.get(pk=self.campaign.pk)
        return made

    def withdrew(self, annotator):
        return bool(annotator.withdrawals.filter(ended_at=None).exists())

    # --- annotators ------------------------------------------------------------------------

    @rule(target=held, name=who, ahead=st.booleans())
    def claim(self, name, ahead):
        annotator = self.annotator(name)
        excluded = Exclusion.objects.filter(annotator=annotator, ends_at=None).exists()
        excluded = excluded or self.withdrew(annotator)
        try:
            sheet = claim_next(annotator=annotator, now=self.now)
            if ahead and sheet is not None:
                following = claim_next(annotator=annotator, beside=[sheet.key], now=self.now)
                assert following != sheet
                sheet = following
        except NotClaimable:
            assert excluded or annotator.campaign.status != Campaign.Status.OPEN
            return multiple()
        assert not excluded
        if sheet is None:
            return multiple()
        slot = Slot.objects.get(sheet=sheet, annotator=annotator)
        assert slot.state == Slot.State.CLAIMED
        again = claim_next(annotator=annotator, now=self.now)
        assert Slot.objects.get(sheet=again, annotator=annotator).state == Slot.State.CLAIMED
        return (name, sheet.pk)

    @rule(where=held)
    def release(self, where):
        """Only what nothing was said on, and what somebody else can have, goes back."""
        sheet = Sheet.objects.get(pk=where[1])
        annotator = self.annotator(where[0])
        if sheet_release(annotator=annotator, sheet_key=sheet.key, now=self.now):
            assert not sheet.shared and sheet.for_annotator_id is None
            assert not Slot.objects.filter(sheet=sheet, annotator=annotator, state="claimed")
            on_sheet = set(sheet.entries.values_list("substitution_id", flat=True))
            assert not any(
                name == where[0] and substitution in on_sheet and occasion == sheet.occasion
                for name, substitution, _scale, occasion in self.told
            )

    def send(
        self,
        name,
        sheet,
        entry,
        scale,
        answer,
        base,
        request,
    ):
        text = entry.substitution
        return save_answer(
            self.annotator(name), sheet, text, scale, answer, base, request, now=self.now
        )

    def put(self, name, sheet, entry, scale, answer):
        """Save from the newest version that the annotator knows."""
        place = (name, entry.substitution_id, scale.pk, sheet.occasion)
        told = self.told.get(place)
        base = told.version if told else 0
        request = uuid4()
        try:
            saved = self.send(name, sheet, entry, scale, answer, base, request)
        except RevisionClosed:
            campaign = Campaign.objects.get(pk=self.campaign.pk)
            open_still = campaign.allow_revision and campaign.status == Campaign.Status.OPEN
            assert not open_still or self.withdrew(self.annotator(name))
            return
        assert saved.answer == answer
        before = told.answer if told else Answer()
        assert saved.version == (base if before == answer else base + 1)
        if saved.version:
            told = self.told.setdefault(place, Told(answer, 0))
            if saved.version != base:
                told.history.append((request, answer))
            told.answer, told.version = answer, saved.version
        event(f"saved: {saved.sheet_state} {saved.status}")

    @rule(where=held, number=st.integers(0, 9), answer=answers)
    def save(self, where, number, answer):
        sheet = Sheet.objects.get(pk=where[1])
        entries = list(sheet.entries.select_related("substitution"))
        entry, scale = entries[number % len(entries)], self.scales[number % len(self.scales)]
        self.put(where[0], sheet, entry, scale, answer)

    @rule(where=held, value=st.integers(1, 5), submit=st.booleans())
    def rate_all(self, where, value, submit):
        sheet = Sheet.objects.get(pk=where[1])
        for entry in sheet.entries.select_related("substitution"):
            for scale in self.scales:
                self.put(where[0], sheet, entry, scale, Answer(float(value)))
        if submit:
            self.submit(where)

    @rule(where=held)
    def submit(self, where):
        sheet = Sheet.objects.get(pk=where[1])
        annotator = self.annotator(where[0])
        complete = all(
            (told := self.told.get((where[0], pk, scale.pk, sheet.occasion))) and told.answer.given
            for pk in sheet.entries.values_list("substitution_id", flat=True)
            for scale in self.scales
        )
        try:
            state = sheet_submit(annotator=annotator, sheet_key=sheet.key, now=self.now)
        except Incomplete:
            assert not complete
            return
        except CampaignClosed:
            assert annotator.campaign.status == Campaign.Status.CLOSED
            return
        assert complete
        assert sheet_submit(annotator=annotator, sheet_key=sheet.key, now=self.now) == state
        event(f"submitted: {state}")

    @rule(where=held)
    def skip(self, where):
        """A sheet that is not submitted is given back, and never offered again unasked."""
        annotator, sheet = self.annotator(where[0]), Sheet.objects.get(pk=where[1])
        done = Slot.objects.filter(sheet=sheet, annotator=annotator, state=Slot.State.DONE).exists()
        try:
            sheet_skip(annotator=annotator, sheet_key=sheet.key, reason="a test", now=self.now)
        except Conflict:
            assert done
        else:
            assert not done
            own = Slot.objects.filter(sheet=sheet, annotator=annotator)
            assert not own.exclude(state=Slot.State.VOID).exists()

    def draw(self, data):
        """What was saved on a place, and whose place it is."""
        place = data.draw(st.sampled_from(sorted(p for p, t in self.told.items() if t.history)))
        name, substitution, scale, occasion = place
        sheet = Sheet.objects.get(
            entries__substitution=substitution,
            occasion=occasion,
            for_annotator=None if occasion == 1 else self.annotator(name),
        )
        entry = sheet.entries.select_related("substitution").get(substitution=substitution)
        where = (name, sheet, entry, next(one for one in self.scales if one.pk == scale))
        return self.told[place], where

    @precondition(lambda self: getattr(self, "told", None))
    @rule(data=st.data())
    def repeat_request(self, data):
        """The answer got lost and the browser sends the same request again."""
        told, where = self.draw(data)
        version = data.draw(st.integers(1, len(told.history)))
        request, answer = told.history[version - 1]
        saved = self.send(*where, answer, version - 1, request)
        assert saved.repeated
        assert (saved.version, saved.answer) == (version, answer)

    @precondition(lambda self: getattr(self, "told", None))
    @rule(data=st.data(), answer=answers)
    def stale_tab(self, data, answer):
        """A tab that does not know the newest value is refused and shown what is stored."""
        told, where = self.draw(data)
        with pytest.raises(StaleVersion) as refused:
            self.send(*where, answer, told.version - 1, uuid4())
        assert refused.value.data["stored"]["version"] == told.version
        assert refused.value.data["stored"]["value"] == told.answer.value

    @precondition(lambda self: getattr(self, "told", None))
    @rule(data=st.data())
    def undo(self, data):
        """Back to the answer before: a save like any other."""
        told, where = self.draw(data)
        history = told.history
        self.put(*where, history[-2][1] if len(history) > 1 else Answer())

    @rule(hours=st.sampled_from([0.6, 2]))
    def time_passes(self, hours):
        self.now += timedelta(hours=hours)

    # --- what must hold after every step ---------------------------------------------------

    @invariant()
    def rules_hold(self):
        if hasattr(self, "campaign"):
            assert self.rules.broken(self.campaign) == set()

    @invariant()
    def nothing_lost_doubled_or_swapped(self):
        if not hasattr(self, "campaign"):
            return
        stored = {
            (row.annotator.user.username, row.substitution_id, row.scale_id, row.occasion): row
            for row in Judgment.objects.filter(campaign=self.campaign).select_related(
                "annotator__user"
            )
        }
        assert stored.keys() == self.told.keys()
        for place, told in self.told.items():
            row = stored[place]
            assert Answer(row.value, row.reason, row.comment) == told.answer
            assert row.version == told.version
        saves = sum(len(told.history) for told in self.told.values())
        assert JudgmentVersion.objects.filter(judgment__campaign=self.campaign).count() == saves

    @invariant()
    def nobody_too_many(self):
        if not hasattr(self, "campaign"):
            return
        counted = Q(
            entries__substitution__judgments__status=Judgment.Status.COUNTED,
            entries__substitution__judgments__occasion=F("occasion"),
        )
        who = Count("entries__substitution__judgments__annotator", filter=counted, distinct=True)
        sheets = Sheet.objects.filter(campaign=self.campaign, shared=False, for_annotator=None)
        assert not sheets.annotate(who=who).filter(who__gt=self.most_k)
