"""A campaign with a row of every kind, for tests that break one of them."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import uuid4

from django.utils import timezone

from annotation.campaigns.templating.parts import TEMPLATES
from annotation.collecting.claiming import claim_next
from annotation.collecting.sheets import remark_add, sheet_skip
from annotation.importing.gold import gold_import
from annotation.models import Annotator, Campaign, Judgment, QualityAction, Sheet, Substitution
from annotation.models.fields import text_digest
from annotation.people.exclusions import annotator_withdraw, exclusion_add
from annotation.people.membership import invitation_create
from annotation.quality.checks import repeat_add
from annotation.quality.expected import Band, expected_set, practice_place
from annotation.quality.overview import attempt_texts
from annotation.quality.practice import attempt_start, practice_answer
from paraanno.common.panel_links import ScaleTemplate
from scoring.models import Report, Run
from scoring.reports.compute import report_get
from scoring.runs.start import run_start
from scoring.runs.work import run_work
from tests.annotation.acts import add_rule
from tests.factories import (
    add_items,
    add_judgments,
    agree,
    ask_consent,
    ask_question,
    give_answers,
    item_rows,
    jsonl,
    make_annotator,
    make_campaign,
    make_user,
    rate_all,
    rate_sheet,
    save_answer,
)


@dataclass(frozen=True)
class Rows:
    """The campaign, and rows that tests change."""

    campaign: Campaign
    other: Campaign
    bob: Annotator
    ben: Annotator
    waiting: Sheet
    run: Run
    report: Report


def make_rows():
    """Bob did all, with a repeat, and another repeat waits for him; Ben holds a sheet and changed
    an answer, has agreed to the consent text and was asked a question; Beth gave hers back; Eve is
    excluded; Fay withdrew.

    A fifth item has judgments and gold from a file, a control in a sentence of its own, a copy,
    and an output that came after the run. One of the three questions is optional. The other
    campaign has the same items, a run and judgments of its own.
    """
    optional = ScaleTemplate("FLUENCY", "Is it fluent?", required=False)
    scales = [*TEMPLATES["phrase"].scales, optional]
    campaign = make_campaign(items=4, k=2, max_per_sheet=3, scales=scales)
    alice, bob = make_user("alice"), make_annotator(campaign)
    eve = make_annotator(campaign, "eve")
    rate_sheet(eve, claim_next(annotator=eve))
    exclusion_add(target=eve, reason="a test", actor=alice)
    rate_all(bob)
    first, second = Sheet.objects.filter(campaign=campaign)[:2]
    repeat_add(annotator=bob, sheet=first, actor=alice)
    rate_all(bob, 3)
    remark_add(
        annotator=bob,
        sheet_key=first.key,
        substitution_key=first.entries.all()[0].substitution.key,
        flagged=True,
        text="",
        request_id=uuid4(),
    )
    waiting = repeat_add(annotator=bob, sheet=second, actor=alice)
    ben, beth = make_annotator(campaign, "ben"), make_annotator(campaign, "beth")
    held = claim_next(annotator=ben)
    rate_sheet(ben, held, submit=False)
    _change_of_mind(ben, held)
    given_back = claim_next(annotator=beth)
    sheet_skip(annotator=beth, sheet_key=given_back.key, reason="a test")
    _later(campaign)
    run = run_start(campaign=campaign, spec="pinc", actor=alice)
    report = report_get(campaign=campaign, kind="results", actor=alice).report
    other = make_campaign("other", items=2)
    rate_all(make_annotator(other), at_most=1)
    invitation_create(campaign=other, actor=alice)
    for one in (run, run_start(campaign=other, spec="pinc", actor=alice)):
        for _ in range(3):  # prepared, scored, finished
            run_work(run_pk=one.pk)
    run.refresh_from_db()
    _entry(campaign, other, ben)
    _watch(campaign, other, ben)
    row = {**item_rows(5, 1)[4], "paraphrase": "after the run", "rank": 2}
    add_items(Campaign.objects.get(pk=campaign.pk), [row])
    return Rows(campaign, other, bob, ben, waiting, run, report)


def _entry(campaign, other, ben):
    for one in (campaign, other):
        ask_consent(one, "We store your answers.")
        ask_question(one, "How old are you?")
    agree(ben)
    give_answers(ben, {})
    annotator_withdraw(annotator=make_annotator(campaign, "fay"))


def _watch(campaign, other, ben):
    """The control has a band, and a rule has decided something about Ben, who has practised."""
    for one in (campaign, other):
        add_rule(one, "fast", "note")
    rule = campaign.quality_rules.get()
    QualityAction.objects.create(
        campaign=campaign, annotator=ben, rule=rule, decided_at=timezone.now(), due_at_done=9
    )
    scale = campaign.scales.get(name="MEANING")
    control = campaign.substitutions.get(role="control")
    learned = Substitution.objects.create(
        campaign=campaign,
        item=control.item,
        text="learned",
        role="practice",
        text_hash=text_digest("learned"),
    )
    for text in (control, learned):
        expected_set(substitution=text, bands={scale: Band(2, 3)}, actor=None)
    practice_place(text=learned, part="test")
    attempt = attempt_start(annotator=ben, part="test")
    [text_view] = attempt_texts(attempt=attempt)
    practice_answer(attempt=attempt, text=text_view, values={scale.pk: 2})


def _change_of_mind(annotator, sheet):
    stored = Judgment.objects.filter(annotator=annotator).select_related("substitution", "scale")[0]
    save_answer(annotator, sheet, stored.substitution, stored.scale, 2, base=1)


def _later(campaign):
    row = {**item_rows(5, 1)[4], "paraphrase": "fifth"}
    own = {"own_sentence": "A control here.", "own_start": 2, "own_end": 9}
    add_items(campaign, [row, {**row, **own, "system": None, "role": "control"}])
    said = {"item": row["item"], "paraphrase": row["paraphrase"]}
    add_judgments(campaign, [{**said, "annotator": "X", "scale": "MEANING", "value": 2}])
    gold_import(
        campaign=campaign,
        stream=jsonl([{**said, "MEANING": 2.5}]),
        name="gold.jsonl",
        format="jsonl",
        actor=None,
    )
    made_from = Substitution.objects.get(campaign=campaign, text="fifth", role="output")
    Substitution.objects.create(
        campaign=campaign,
        item=made_from.item,
        text="practised",
        role="practice",
        text_hash=text_digest("practised"),
        made_from=made_from,
    )
