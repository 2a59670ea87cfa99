"""Change a campaign as a template says: all of it, or nothing."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from annotation.campaigns.scales import scale_change, scale_remove, scales_order
from annotation.campaigns.services import (
    campaign_update,
    guideline_add,
    scale_append,
    threshold_set,
)
from annotation.campaigns.templating.changes import (
    TemplateChange,
    changes_digest,
    panel_fields,
    template_changes,
    text_key,
)
from annotation.campaigns.templating.parts import (
    PLAN,
    practice_texts_write,
    practice_write,
    question_of,
)
from annotation.campaigns.templating.queries import template_of
from annotation.database import Actor, audit, lock_row, short_write
from annotation.errors import Conflict, Invalid
from annotation.models import Campaign, Expected, Substitution
from annotation.panels.services import panel_close, panel_create, panel_update
from annotation.people.annotators import questions_asked, questions_with_answers
from annotation.people.background import (
    consent_text_add,
    question_add,
    question_change,
    question_hide,
    question_remove,
    questions_order,
)
from annotation.quality.expected import expected_remove
from annotation.quality.overview import practice_texts, rules_in_force
from annotation.quality.rules import plan_set, rule_add, rule_end
from paraanno.common.panel_links import (
    CampaignTemplate,
    ChecksTemplate,
    PanelTemplate,
    PracticeTemplate,
    QuestionTemplate,
    ScaleTemplate,
)


def template_apply(
    *, campaign: Campaign, template: CampaignTemplate, actor: Actor, seen: str | None = None
) -> list[TemplateChange]:
    """Make every change, and return them. `seen` is the digest of the changes that were shown.

    Raises Invalid, with the refused `changes`, if one of them is not possible any more, and
    Conflict if others than the shown ones would be made. Then nothing is changed.
    """
    with short_write():
        campaign = lock_row(Campaign, campaign.pk)
        changes = template_changes(campaign=campaign, template=template)
        if seen is not None and seen != changes_digest(changes):
            raise Conflict(_("The campaign was changed in the meantime: look at it again."))
        refused = [one for one in changes if one.refused]
        if refused:
            first = refused[0]
            refusals = [{"name": one.name, "refused": one.refused} for one in refused]
            raise Invalid(f"{first.name}: {first.refused}", changes=refusals)
        if not changes:
            return []
        _write(campaign, template, {one.path[0] for one in changes}, actor)
        audit(
            actor=actor,
            verb="apply template",
            about=campaign,
            campaign=campaign,
            changes=[one.name for one in changes],
        )
    # In transactions of its own: it follows every sheet.
    wanted = template.settings.get("annotators_per_sheet")
    if wanted is not None:
        campaign_update(campaign=campaign, actor=actor, changes={"annotators_per_sheet": wanted})
    return changes


def _write(
    campaign: Campaign, template: CampaignTemplate, parts: set[str | int], actor: Actor
) -> None:
    settings = {
        name: value
        for name, value in template.settings.items()
        if name != "annotators_per_sheet" and not (name == "name" and value == "")
    }
    if "settings" in parts:
        campaign_update(campaign=campaign, actor=actor, changes=settings)
    if "scales" in parts and template.scales is not None:
        _scales(campaign, template.scales, actor)
    if template.guidelines is not None:
        guideline_add(campaign=campaign, text=template.guidelines, actor=actor)
    if template.consent is not None:
        consent_text_add(campaign=campaign, text=template.consent, actor=actor)
    if "background" in parts and template.background is not None:
        _background(campaign, template.background, actor)
    if "practice" in parts and template.practice is not None:
        _practice(campaign, template.practice, actor)
    if "checks" in parts and template.checks is not None:
        _checks(campaign, template.checks, actor)
    if "panel" in parts and template.panel is not None:
        _panels(campaign, template.panel, actor)


def _scales(campaign: Campaign, wanted: Sequence[ScaleTemplate], actor: Actor) -> None:
    scales = {one.name.casefold(): one for one in campaign.scales.all()}
    before = {one.name.casefold(): one for one in template_of(campaign=campaign).scales or ()}
    for template in wanted:
        name = template.name.casefold()
        scale = scales.get(name)
        if scale is None:
            scale_append(campaign=campaign, template=template, actor=actor)
        elif campaign.opened_at is not None:
            threshold_set(scale=scale, threshold=template.threshold, actor=actor)
        elif before[name] != template:
            scale_change(scale=scale, template=template, actor=actor)
    names = [one.name.casefold() for one in wanted]
    for name, scale in scales.items():
        if name not in names:
            scale_remove(scale=scale, actor=actor, last=not wanted)
    if campaign.opened_at is None:
        scales_order(campaign=campaign, names=[one.name for one in wanted])


def _background(campaign: Campaign, wanted: Sequence[QuestionTemplate], actor: Actor) -> None:
    before = {one.name: one for one in template_of(campaign=campaign).background or ()}
    current = {one.name: one for one in questions_with_answers(campaign=campaign)}
    for question in wanted:
        if question.name not in before:
            question_add(campaign=campaign, question=question_of(question), actor=actor)
        elif before[question.name] != question:
            question_change(row=current[question.name], question=question_of(question), actor=actor)
    for name in set(before) - {one.name for one in wanted}:
        row = current[name]
        if row.answers.exists():
            question_hide(row=row, hidden=True, actor=actor)
        else:
            question_remove(row=row, actor=actor)
    names = [one.name for one in wanted]
    if [one.name for one in questions_asked(campaign=campaign)] != names:
        questions_order(campaign=campaign, names=names, actor=actor)


def _practice(campaign: Campaign, wanted: PracticeTemplate, actor: Actor) -> None:
    practice_write(campaign=campaign, practice=wanted, actor=actor)
    before = {text_key(one): one for one in _practice_of(campaign).texts}
    after = {text_key(one): one for one in wanted.texts}
    rows = {}
    for one in practice_texts(campaign=campaign):
        text = one.substitution
        rows[text.item.sentence, text.item.phrase.text, text.item.start, text.text] = text
    for key, text in rows.items():
        changed = key in after and dict(after[key].expected) != dict(before[key].expected)
        if key not in after or changed:
            _forget(text, actor)
    practice_texts_write(
        campaign=campaign,
        texts=[one for key, one in after.items() if before.get(key) != one],
        actor=actor,
    )


def _practice_of(campaign: Campaign) -> PracticeTemplate:
    return template_of(campaign=campaign).practice or PracticeTemplate()


def _forget(text: Substitution, actor: Actor) -> None:
    """A text without expected values is not asked."""
    if Expected.objects.filter(substitution=text).exists():
        expected_remove(substitution=text, actor=actor)


def _checks(campaign: Campaign, wanted: ChecksTemplate, actor: Actor) -> None:
    plan_set(campaign=campaign, actor=actor, changes={name: getattr(wanted, name) for name in PLAN})
    rules = {(one.check, one.least, one.share, one.action): one for one in wanted.rules}
    unchanged = set()
    for row in rules_in_force(campaign=campaign):
        key = (row.check_name, row.least, row.share, row.act)
        if key in rules:
            unchanged.add(key)
        else:
            rule_end(rule=row, actor=actor)
    for key, rule in rules.items():
        if key not in unchanged:
            rule_add(
                campaign=campaign,
                check=rule.check,
                least=rule.least,
                share=rule.share,
                act=rule.action,
                actor=actor,
            )


def _panels(campaign: Campaign, wanted: Sequence[PanelTemplate], actor: Actor) -> None:
    """Codes, secret and link stay as they are; so does an address that the file cannot name."""
    before = {one.name: panel_fields(one) for one in template_of(campaign=campaign).panel or ()}
    rows = {one.name: one for one in campaign.panels.filter(closed_at=None).order_by("pk")}
    for one in wanted:
        given = panel_fields(one)
        if one.name not in before:
            panel_create(campaign=campaign, actor=actor, **given)
            continue
        old = before[one.name]
        changed = {name: value for name, value in given.items() if value != old[name]}
        if changed:
            panel_update(panel=rows[one.name], actor=actor, **changed)
    for name in set(before) - {one.name for one in wanted}:
        panel_close(panel=rows[name], closed=True, actor=actor)
