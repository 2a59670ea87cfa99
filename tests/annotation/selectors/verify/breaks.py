"""Ways to break the rules of `verify`: the beginning of each, and what breaks that rule alone.

They write as a stranger to the project would, past every service; the constraints of the database
still hold.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unicodedata import normalize

from django.utils import timezone

from annotation import models as m
from annotation.models.fields import text_digest
from scoring import models as s
from tests.annotation.selectors.verify.verify_world import Rows

Break = Callable[[Rows], object]
NOT_NFC = normalize("NFD", "\u00e9")
WRONG = "0" * 64


def put(row: Any, **columns: object) -> None:
    """Change columns of one row."""
    assert type(row)._default_manager.filter(pk=row.pk).update(**columns) == 1


def text(r: Rows, words: str) -> m.Substitution:
    return m.Substitution.objects.get(campaign=r.campaign, text=words, role="output")


def item(r: Rows) -> m.Item:
    return r.campaign.items.all()[0]


def phrase(r: Rows) -> m.Phrase:
    return r.campaign.phrases.all()[0]


def reference(r: Rows) -> m.Reference:
    return item(r).references.all()[0]


def control(r: Rows) -> m.Substitution:
    return r.campaign.substitutions.get(role="control")


def copy(r: Rows) -> m.Substitution:
    return r.campaign.substitutions.get(text="practised")


def output(r: Rows, words: m.Substitution) -> None:
    """The first system gave the text at a rank that is not taken."""
    system = r.campaign.systems.all()[0]
    m.Output.objects.create(system=system, item=item(r), rank=9, substitution=words)


def slot(r: Rows, state: str, **where: object) -> m.Slot:
    return m.Slot.objects.filter(campaign=r.campaign, state=state, **where)[0]


def add_slot(sheet: m.Sheet, state: str, kind: str = "", who: m.Annotator | None = None) -> m.Slot:
    """One more slot, with a history of one event."""
    now = timezone.now()
    held = {"claimed_at": now, "lease_expires_at": now} if state == "claimed" else {}
    made = m.Slot.objects.create(
        campaign=sheet.campaign, sheet=sheet, number=99, state=state, annotator=who, tier=0,
        scan_key=0, **held,
    )  # fmt: skip
    if kind:
        m.SlotEvent.objects.create(slot=made, kind=kind, annotator=who, at=now)
    return made


def event(row: m.Slot) -> m.SlotEvent:
    return row.events.order_by("-pk")[0]


def draft(r: Rows) -> m.Judgment:
    """A draft of Ben's with a value and two versions, on his claimed sheet."""
    return m.Judgment.objects.get(annotator=r.ben, version=2)


def counted(r: Rows, **where: object) -> m.Judgment:
    """A judgment of Bob's that counts."""
    return m.Judgment.objects.filter(annotator=r.bob, status="counted", **where)[0]


def imported(r: Rows) -> m.Judgment:
    return m.Judgment.objects.get(campaign=r.campaign, batch__isnull=False)


def newest(row: m.Judgment) -> m.JudgmentVersion:
    return row.versions.get(version=row.version)


def entry(r: Rows) -> m.SheetEntry:
    return r.waiting.entries.all()[0]


def emptied(r: Rows) -> None:
    """A required answer of a done sheet is cleared, and its history too."""
    row = counted(r, scale__required=True)
    put(newest(row), value=None)
    put(row, value=None, status="draft")


def removed(r: Rows) -> None:
    row = counted(r, scale__required=True)
    row.versions.all().delete()
    row.delete()


def detached(r: Rows) -> None:
    """A slot without annotator, which no comparison of two columns finds."""
    sheet = draft(r).slot.sheet  # type: ignore[union-attr]
    put(draft(r), slot=add_slot(sheet, "void", "voided"), status="surplus")


def strangers_repeat(r: Rows) -> None:
    """What Bob did before is shown to Ben as if it came again."""
    put(r.waiting, for_annotator=r.ben)
    r.waiting.entries.update(for_annotator=r.ben)


def leave(r: Rows, annotator: m.Annotator, judgments: str) -> None:
    m.Withdrawal.objects.create(
        campaign=r.campaign, annotator=annotator, judgments=judgments, at=timezone.now()
    )


def score(r: Rows) -> s.Score:
    return r.run.scores.all()[0]


def chunk(r: Rows) -> s.RunChunk:
    return r.run.chunks.all()[0]


def mean(r: Rows) -> s.SystemScore:
    return r.run.system_scores.filter(kind="mean")[0]


def second_chunk(r: Rows) -> None:
    first = chunk(r)
    first.pk, first.number, first.done, first._state.adding = None, 99, 0, True
    first.save()


def decomposed(r: Rows) -> None:
    """A sentence with a letter in two pieces, and the hash that fits it."""
    row = item(r)
    sentence = row.sentence + NOT_NFC
    digest = text_digest(row.phrase.text, sentence, row.start, row.end)
    put(row, sentence=sentence, identity_hash=digest)


TEXTS: list[tuple[str, Break]] = [
    ("Texts", lambda r: put(copy(r), text=NOT_NFC, text_hash=text_digest(NOT_NFC))),
    ("Texts", decomposed),
    ("Texts", lambda r: put(reference(r), text=NOT_NFC, text_hash=text_digest(NOT_NFC))),
    ("Texts", lambda r: put(control(r), own_sentence=f"A control {NOT_NFC}",
        context_hash=text_digest(f"A control {NOT_NFC}", 2, 9))),
    ("A phrase is", lambda r: put(item(r), start=item(r).start + 1)),
    ("A phrase is", lambda r: put(item(r), identity_hash=WRONG)),
    ("The hashes", lambda r: put(phrase(r), text_hash=WRONG)),
    ("The hashes", lambda r: put(reference(r), text_hash=WRONG)),
    ("The hashes", lambda r: put(copy(r), text_hash=WRONG)),
    ("The hashes", lambda r: put(copy(r), context_hash=WRONG)),
    ("The hashes", lambda r: put(control(r), own_end=99,
        context_hash=text_digest("A control here.", 2, 99))),
    ("A copy", lambda r: put(copy(r), made_from=item(r).substitutions.all()[0])),
    ("A copy", lambda r: put(copy(r), made_from=copy(r))),
    ("An output of", lambda r: output(r, text(r, "fifth"))),
    ("An output of", lambda r: put(copy(r), item=item(r), made_from=None)
        or output(r, copy(r))),
    ("A scale's", lambda r: put(r.campaign.scales.all()[0], threshold=1)),
    ("A scale's", lambda r: r.campaign.scales.all()[1].threshold_changes.all().delete()),
    ("A scale's", lambda r: put(r.campaign.scales.all()[0].points.all()[0], value=1.5)),
    ("Imported gold", lambda r: put(r.campaign.imported_gold.get(), value=9)),
]  # fmt: skip
PLACES: list[tuple[str, Break]] = [
    ("A sheet holds", lambda r: put(entry(r), substitution=text(r, "system 0 paraphrase 3"))),
    ("A sheet holds", lambda r: put(entry(r), occasion=3)),
    ("A sheet holds", lambda r: put(entry(r), for_annotator=r.ben)),
    ("A sheet holds", lambda r: put(entry(r), for_annotator=None)),
    ("A sheet has", lambda r: r.waiting.entries.all().delete()),
    ("A sheet has", lambda r: put(r.campaign, max_per_sheet=1)),
    ("Practice", lambda r: m.SheetEntry.objects.create(
        sheet=control(r).entries.get().sheet, substitution=copy(r))),
    ("Once", lambda r: put(copy(r), role="copy")),
    ("A sheet wants", lambda r: put(slot(r, "free").sheet, slots_wanted=3)),
    ("A sheet wants", lambda r: slot(r, "free", events=None).delete()),
    ("A sheet wants", lambda r: add_slot(slot(r, "free").sheet, "free")),
    ("Shared", lambda r: add_slot(r.waiting, "free")),
    ("Shared", lambda r: add_slot(r.waiting, "claimed", "claimed", r.ben)),
    ("Shared", lambda r: add_slot(r.waiting, "void", "voided")),
    ("A repeat", strangers_repeat),
    ("A slot's", lambda r: put(event(slot(r, "claimed")), kind="done")),
    ("A slot's", lambda r: put(event(slot(r, "claimed")), annotator=r.bob)),
    ("A slot's", lambda r: put(event(slot(r, "claimed")), annotator=None)),
    ("A slot's", lambda r: slot(r, "done", sheet__occasion=2).events.all().delete()),
    ("A slot's", lambda r: event(slot(r, "void")).delete()),
    ("A slot's", lambda r: m.SlotEvent.objects.create(
        slot=slot(r, "free"), kind="claimed", annotator=r.ben, at=timezone.now())),
    ("Who skipped", lambda r: put(r.campaign.skips.get(), annotator=imported(r).annotator)),
    ("Who withdrew", lambda r: leave(r, r.ben, "keep")),
    ("Who withdrew", lambda r: leave(r, r.campaign.skips.get().annotator, "remove")),
    ("A member", lambda r: put(r.campaign.memberships.get(user=r.bob.user), role="viewer")),
]  # fmt: skip
JUDGMENTS: list[tuple[str, Break]] = [
    ("A value", lambda r: put(draft(r).versions.get(version=1), value=9)),
    ("A value", lambda r: put(newest(counted(r)), value=4.5) or put(counted(r), value=4.5)),
    ("A judgment's slot", lambda r: put(
        draft(r), slot=add_slot(r.waiting, "claimed", "claimed", r.bob))),
    ("A judgment's slot", lambda r: put(draft(r), occasion=2)),
    ("A judgment's slot", lambda r: put(draft(r), kind="adjudication")),
    ("A judgment's slot", detached),
    ("A rating", lambda r: put(imported(r), status="draft", batch=None)),
    ("What counts", lambda r: put(draft(r), status="counted")),
    ("What counts", lambda r: put(draft(r), status="counted", slot=None)),
    ("What counts", lambda r: put(draft(r), status="counted", batch=imported(r).batch)),
    ("What counts", lambda r: put(draft(r), status="surplus")),
    ("What counts", lambda r: put(
        m.Judgment.objects.filter(slot__state="void")[0], status="draft")),
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
]  # fmt: skip
WATCH: list[tuple[str, Break]] = [
    ("Controls and", lambda r: put(control(r), role="copy")),
    ("Controls and", lambda r: put(control(r).expected.get(), high=9)),
    ("Controls and", lambda r: put(control(r).expected.get(), low=-1)),
    ("A text to", lambda r: put(m.PracticeText.objects.get(), substitution=text(r, "fifth"))),
    ("The figures", lambda r: m.PracticeAnswer.objects.all().delete()),
    ("The figures", lambda r: put(m.PracticeAnswer.objects.get(), right=False)),
    ("The figures", lambda r: put(m.PracticeAttempt.objects.get(), asked=2)),
]  # fmt: skip
ANALYSIS: list[tuple[str, Break]] = [
    ("A run scores", lambda r: put(score(r), substitution=r.other.substitutions.all()[0])),
    ("A run scores", lambda r: put(score(r), substitution=control(r))),
    ("A run scores", lambda r: put(score(r), substitution=text(r, "after the run"))),
    ("A run scores", lambda r: put(score(r), substitution_id=10**9)),
    ("A run scores", lambda r: put(mean(r), system=r.other.systems.all()[0], n=0, value=None,
        reason="none")),
    ("A run's counts", lambda r: put(chunk(r), done=99)),
    ("A run's counts", lambda r: put(chunk(r), failed=1)),
    ("The chunks", second_chunk),
    ("A run that is done", lambda r: score(r).delete()),
    ("A run that is done", lambda r: put(r.run, total=99)),
    ("A run that is done", lambda r: put(r.run, reused=1)),
    ("A run that is done", lambda r: put(chunk(r), status="failed")),
    ("A system's", lambda r: put(mean(r), n=99)),
    ("A system's", lambda r: put(mean(r), n=0)),
    ("A run is signed", lambda r: put(r.run, signature="")),
    ("A run is signed", lambda r: put(r.run, options={})),
    ("A run is signed", lambda r: put(r.run, state={"n": 1})),
    ("A report's", lambda r: put(r.report, options={"surplus": True})),
    ("A report's", lambda r: put(r.report, fingerprint="none")),
]  # fmt: skip
BREAKS = [*TEXTS, *PLACES, *JUDGMENTS, *WATCH, *ANALYSIS]
