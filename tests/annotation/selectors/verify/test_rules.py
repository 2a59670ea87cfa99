"""`verify` names each broken rule, and no other, with its rows."""

from unicodedata import normalize

import pytest
from django.contrib.auth.models import User
from django.db.models import F
from django.utils import timezone

from annotation import models as m
from annotation.models import Campaign
from annotation.models.fields import text_digest
from annotation.models.panels import participant_login
from annotation.models.people import TARGETS
from annotation.verify import rules, verify
from annotation.verify.rules import LINKS, SHOWN
from tests.annotation.selectors.verify.breaks import (
    add_slot,
    control,
    copy,
    imported,
    put,
    report_alone,
    slot,
    text,
    undone,
)
from tests.annotation.selectors.verify.verify_world import make_rows
from tests.factories import make_campaign


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


JUDGMENTS = [
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


def leave(r, annotator, judgments):
    m.Withdrawal.objects.create(
        campaign=r.campaign, annotator=annotator, judgments=judgments, at=timezone.now()
    )


def take_part(r, annotator, **fields):
    """Make the annotator a participant, who holds what they hold."""
    now = timezone.now()
    m.Annotator.objects.filter(pk=annotator.pk).update(origin="participant", sheets_at_most=9)
    panel = m.Panel.objects.create(campaign=r.campaign, name="p", token="t", sheets_per_person=9)
    m.Participant.objects.create(
        panel=panel, annotator=annotator, platform_id="x", quota=9, entered_at=now, **fields
    )


def too_many(r, annotator):
    take_part(r, annotator)
    m.Annotator.objects.filter(pk=annotator.pk).update(sheets_at_most=0)


def invited(r, annotator):
    take_part(r, annotator)
    m.Annotator.objects.filter(pk=annotator.pk).update(origin="invited")


def crowd_role(r, role):
    login = participant_login()
    m.Membership.objects.create(
        campaign=r.campaign, user=User.objects.create(username=login), role=role
    )


def old_panel(r, **fields):
    m.Panel.objects.create(campaign=r.campaign, name="p", token="o", sheets_per_person=9, **fields)


PEOPLE = [
    ("A participant or guest", lambda r: crowd_role(r, "owner")),
    ("A participant or guest", lambda r: crowd_role(r, "annotator")),
    ("A panel asks", lambda r: old_panel(r, parameter="csrfmiddlewaretoken")),
    ("A panel asks", lambda r: old_panel(r, return_url="https://you@example.org/")),
    ("A participant is an annotator", lambda r: invited(r, r.ben)),
    ("No participant has more sheets", lambda r: too_many(r, r.ben)),
    (
        "Who left a panel",
        lambda r: take_part(r, r.ben, outcome="withdrawn", ended_at=timezone.now()),
    ),
    ("Who withdrew", lambda r: leave(r, r.ben, "keep")),
    ("Who withdrew", lambda r: leave(r, r.campaign.skips.get().annotator, "remove")),
]


QUALITY = [
    ("Controls and", lambda r: put(control(r), role="copy")),
    ("Controls and", lambda r: put(control(r).expected.get(), high=9)),
    ("Controls and", lambda r: put(control(r).expected.get(), low=-1)),
    ("A text to", lambda r: put(m.PracticeText.objects.get(), substitution=text(r, "fifth"))),
    ("The figures", lambda r: m.PracticeAnswer.objects.all().delete()),
    ("The figures", lambda r: put(m.PracticeAnswer.objects.get(), right=False)),
    ("The figures", lambda r: put(m.PracticeAttempt.objects.get(), asked=2)),
]


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


SHEETS = [
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


NOT_NFC = normalize("NFD", "\u00e9")
WRONG = "0" * 64
TOGETHER = "What belongs together belongs to one campaign"


def item(r):
    return r.campaign.items.all()[0]


def phrase(r):
    return r.campaign.phrases.all()[0]


def reference(r):
    return item(r).references.all()[0]


def output(r, words):
    """The first system gave the text at a rank that is not taken."""
    system = r.campaign.systems.all()[0]
    m.Output.objects.create(system=system, item=item(r), rank=9, substitution=words)


def decomposed(r):
    """A sentence with a letter in two pieces, and the hash that fits it."""
    row = item(r)
    sentence = row.sentence + NOT_NFC
    digest = text_digest(row.phrase.text, sentence, row.start, row.end)
    put(row, sentence=sentence, identity_hash=digest)


TEXTS = [
    ("Texts", lambda r: put(copy(r), text=NOT_NFC, text_hash=text_digest(NOT_NFC))),
    ("Texts", decomposed),
    ("Texts", lambda r: put(reference(r), text=NOT_NFC, text_hash=text_digest(NOT_NFC))),
    (
        "Texts",
        lambda r: put(
            control(r),
            own_sentence=f"A control {NOT_NFC}",
            context_hash=text_digest(f"A control {NOT_NFC}", 2, 9),
        ),
    ),
    ("A phrase is", lambda r: put(item(r), start=item(r).start + 1)),
    ("A phrase is", lambda r: put(item(r), identity_hash=WRONG)),
    ("The hashes", lambda r: put(phrase(r), text_hash=WRONG)),
    ("The hashes", lambda r: put(reference(r), text_hash=WRONG)),
    ("The hashes", lambda r: put(copy(r), text_hash=WRONG)),
    ("The hashes", lambda r: put(copy(r), context_hash=WRONG)),
    (
        "The hashes",
        lambda r: put(control(r), own_end=99, context_hash=text_digest("A control here.", 2, 99)),
    ),
    ("A copy", lambda r: put(copy(r), made_from=item(r).substitutions.all()[0])),
    ("A copy", lambda r: put(copy(r), made_from=copy(r))),
    ("An output of", lambda r: output(r, text(r, "fifth"))),
    ("An output of", lambda r: put(copy(r), item=item(r), made_from=None) or output(r, copy(r))),
    ("A scale's", lambda r: put(r.campaign.scales.all()[0], threshold=1)),
    ("A scale's", lambda r: r.campaign.scales.all()[1].threshold_changes.all().delete()),
    ("A scale's", lambda r: put(r.campaign.scales.all()[0].points.all()[0], value=1.5)),
    ("Imported gold", lambda r: put(r.campaign.imported_gold.get(), value=9)),
]


@pytest.mark.slow
def test_no_row_may_point_into_another_campaign():
    rows = make_rows()
    missed = []
    for model, path, links in LINKS:
        for link in links:
            with undone():
                point_elsewhere(rows, model, path, link)
                if not any(rules()[TOGETHER](rows.campaign)):
                    missed.append((model.__name__, link))
    assert missed == []


def point_elsewhere(rows, model, path, link):
    """One row of the model, which has the link if any has, names a row of the other campaign."""
    mine = model._default_manager.filter(**{path: rows.campaign}).order_by("-pk")
    row = mine.filter(**{f"{link}__isnull": False}).first() or mine.first()
    target = model._meta.get_field(link).related_model
    columns = {link: target.objects.filter(campaign=rows.other).first()}
    assert row is not None and columns[link] is not None
    if link in TARGETS and model.__name__ == "Exclusion":
        columns = dict.fromkeys(TARGETS) | columns
    if hasattr(row, "number"):
        columns["number"] = 99  # Numbers are unique in the place it comes to.
    put(row, **columns)


def test_a_broken_rule_lists_ten_rows():
    campaign = make_campaign(items=12, cast=False, open_it=False)
    campaign.items.update(start=F("start") + 1)
    [broken] = verify(campaign=campaign)
    assert len(broken.rows) == SHOWN == 10


def test_a_campaign_that_was_read_before_is_read_again():
    """Its rules say what its settings are now, not what they were."""
    before = make_campaign(items=1, max_per_sheet=None)
    Campaign.objects.update(max_per_sheet=1)
    assert [broken.rule for broken in verify(campaign=before)] == [
        "A sheet has as many substitutions as the campaign allows, and at least one"
    ]


def test_another_campaigns_broken_rows_are_not_reported():
    make_campaign("other", items=1).phrases.update(text_hash="0" * 64)
    assert verify(campaign=make_campaign(items=1)) == []


ALL = {
    "judgments": JUDGMENTS,
    "people": PEOPLE,
    "quality": QUALITY,
    "sheets": SHEETS,
    "texts": TEXTS,
}


@pytest.mark.slow
@pytest.mark.parametrize("part", ALL)
def test_each_rule_is_reported_alone_when_it_is_broken(part):
    report_alone(ALL[part])


def test_each_rule_has_its_break():
    """Of texts that stand together, the rule is broken in a test of its own."""
    beginnings = [beginning for breaks in ALL.values() for beginning, _ in breaks]
    own = [one for one, check in rules().items() if check.__module__.startswith("annotation.")]
    assert [one for one in own if not one.startswith((*beginnings, TOGETHER))] == []
