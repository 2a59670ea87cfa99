"""A campaign with every feature, and archives of campaigns."""

import io
import re
from decimal import Decimal
from functools import cache
from uuid import uuid4

from django.db.transaction import atomic, set_rollback

from annotation.collecting.claiming import claim_next
from annotation.collecting.sheets import remark_add, sheet_skip
from annotation.importing.gold import gold_import
from annotation.importing.items import items_import
from annotation.panels.participation import panel_enter
from annotation.people.background import (
    Given,
    Question,
    consent_text_add,
    question_add,
)
from annotation.people.exclusions import annotator_withdraw, exclusion_add, exclusion_lift
from annotation.people.lists import list_write
from annotation.people.membership import invitation_create
from annotation.people.quotas import group_join, pay_floor_set, work_group_set, work_rule_set
from scoring.archives.restore import archive_restore
from scoring.archives.services import archive_write
from scoring.exports.provenance import reviewer_save
from scoring.exports.services import export_write
from tests.factories import (
    add_judgments,
    agree,
    give_answers,
    jsonl,
    make_annotator,
    make_user,
    rate_sheet,
)
from tests.scoring.archives.zips import files_of
from tests.site.permissions.world import make_world

ANSWERS = {"kind": "experts", "pay": "9 € an hour,\n“each”", "ethics": "No review."}
EXPORTS = ("items", "judgments", "history", "gold", "annotators", "table")


def make_rich(slug="rich"):
    """Judgments, drafts, remarks, a skip, exclusions, a withdrawal, quality, practice, runs,
    quotas, groups and a participant of a panel."""
    campaign = make_world(slug).campaign
    alice = make_user("alice")
    items_import(
        campaign=campaign,
        name="more.jsonl",
        format="jsonl",
        actor=alice,
        stream=jsonl(
            [
                {
                    "item": "x-1",
                    "phrase": "größer",
                    "sentence": "Das ist größer, sagt man.",
                    "paraphrase": text,
                    "system": system,
                    "reference": "=1+1",
                    "attr.item.topic": {"b": 1, "a": [2.5, None]},
                    "attr.system.year": 2008,
                }
                for text, system in (("umfangreicher", "Ä-system"), ("@mehr", "z"), ("", "S1"))
            ]
        ),
    )
    scale = campaign.scales.order_by("position").first()
    gold_import(
        campaign=campaign,
        name="gold.jsonl",
        format="jsonl",
        actor=alice,
        source="print",
        stream=jsonl([{"item": "x-1", "paraphrase": "@mehr", scale.name: 3.25}]),
    )
    question = question_add(campaign=campaign, question=Question("First language?"), actor=alice)
    consent_text_add(campaign=campaign, text="I **agree** <script>alert(1)</script>", actor=alice)
    eve = make_annotator(campaign, "eve")
    agree(eve)
    give_answers(eve, {question.key: Given(["Korean"])})
    skipped = claim_next(annotator=eve)
    remark_add(
        annotator=eve,
        sheet_key=skipped.key,
        substitution_key=None,
        flagged=True,
        text="odd",
        request_id=uuid4(),
    )
    sheet_skip(annotator=eve, sheet_key=skipped.key, reason="too long")
    sheet = claim_next(annotator=eve)
    if sheet is not None:
        rate_sheet(eve, sheet, value=2)
    _more_people(campaign, alice)
    reviewer_save(campaign=campaign, actor=alice, answers=ANSWERS)
    given = {"item": "x-1", "paraphrase": "@mehr", "scale": scale.name, "annotator": "r1"}
    add_judgments(campaign, [{**given, "value": 3, "judged_at": "2020-05-06T10:00:00Z"}])
    item = campaign.items.order_by("position").last()
    exclusion_lift(exclusion=exclusion_add(target=item, reason="twice", actor=alice), actor=alice)
    annotator_withdraw(annotator=eve, judgments="remove")
    campaign.refresh_from_db()
    return campaign


def _more_people(campaign, alice):
    work_rule_set(
        campaign=campaign, sheets_at_least=1, sheets_at_most=9, largest_share=0.5, actor=alice
    )
    group = work_group_set(
        campaign=campaign, name="Experts", sheets_at_least=1, sheets_at_most=4, actor=alice
    )
    beth = campaign.annotators.get(user__username="beth")
    group_join(annotator=beth, group=group, actor=alice)
    question_add(
        campaign=campaign,
        actor=alice,
        question=Question("Native?", kind="choice", options=["yes", "no"], accepted=["yes"]),
    )
    pay_floor_set(campaign=campaign, pay_floor=Decimal("9.6"), currency="GBP", actor=alice)
    items = list(campaign.items.order_by("position").values_list("pk", flat=True))
    list_write(campaign=campaign, annotator=beth, name="beth", items=items[::-1], actor=alice)
    list_write(campaign=campaign, annotator=None, name="later", items=items[:1], actor=alice)
    panel = campaign.panels.get()
    panel_enter(panel=panel, platform_id="crowd-person-1", submission_id="crowd-visit-1")
    invitation_create(campaign=campaign, actor=alice, email="someone@example.org")


def archived(campaign):
    stream = io.BytesIO()
    archive_write(campaign=campaign, stream=stream)
    stream.seek(0)
    return stream


@cache
def rich_archive():
    """The archive of one, made once for all tests that need no more of it."""
    with atomic():
        found = archived(make_rich()).getvalue()
        set_rollback(True)
    return found


def restored(campaign, slug="again", actor=None):
    return archive_restore(stream=archived(campaign), actor=actor, slug=slug)


def exported(campaign, what):
    stream = io.BytesIO()
    export_write(campaign=campaign, what=what, stream=stream, format="jsonl")
    return stream.getvalue()


def everything(campaign):
    """All exports, and the files of the paper; the same for the same campaign of another name."""
    paper = files_of(exported(campaign, "paper"))
    del paper["manifest.json"]
    slug = campaign.slug
    return {what: exported(campaign, what) for what in EXPORTS} | {
        name.replace(slug, "SLUG"): content.replace(slug.encode(), b"SLUG")
        for name, content in paper.items()
    }


def tables_of(stream):
    """All but the log, to which each restore adds an entry."""
    files = files_of(stream.getvalue())
    return {name: files[name] for name in files if re.match("tables/(?!auditentry)", name)}
