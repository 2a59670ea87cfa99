"""A campaign as a template: what it asks, how and of whom, without its texts and people."""

from __future__ import annotations

from decimal import Decimal

from annotation.models import Campaign
from annotation.selectors.people.background import questions_asked
from annotation.selectors.people.consent import consent_newest
from annotation.selectors.quality.overview import plan_of, rules_in_force
from annotation.selectors.quality.practice import practice_texts, rule_of, tolerances
from paraanno.plain.campaign_template import (
    SETTINGS,
    CampaignTemplate,
    ChecksTemplate,
    PanelTemplate,
    PracticeTemplate,
    PracticeTextTemplate,
    QuestionTemplate,
    RuleTemplate,
    ScaleTemplate,
    Setting,
)
from paraanno.plain.panel_links import holds_a_code
from paraanno.plain.texts import find_spans


def template_of(*, campaign: Campaign) -> CampaignTemplate:
    """Return the whole template, with every part; a constant number of queries."""
    newest = campaign.guidelines.first()
    consent = consent_newest(campaign=campaign)
    return CampaignTemplate(
        settings={name: _plain(getattr(campaign, name)) for name in SETTINGS},
        scales=_scales(campaign),
        guidelines=newest.text if newest else "",
        consent=consent.text if consent else "",
        background=tuple(
            QuestionTemplate(one.name, one.wording, one.kind, tuple(one.options), one.required)
            for one in questions_asked(campaign=campaign)
        ),
        practice=_practice(campaign),
        checks=_checks(campaign),
        panel=_panels(campaign),
    )


def _plain(value: Setting) -> Setting:
    """A choice as its word, also of a campaign that was not read from the database."""
    return str(value) if isinstance(value, str) else value


def _scales(campaign: Campaign) -> tuple[ScaleTemplate, ...]:
    return tuple(
        ScaleTemplate(
            name=one.name,
            question=one.question,
            points=tuple((point.value, point.label, point.anchor) for point in one.points.all()),
            level=one.level,
            minimum=one.minimum,
            maximum=one.maximum,
            step=one.step,
            higher_is_better=one.higher_is_better,
            copy_at_top=one.copy_at_top,
            threshold=one.threshold,
            required=one.required,
        )
        for one in campaign.scales.prefetch_related("points")
    )


def _practice(campaign: Campaign) -> PracticeTemplate:
    rule = rule_of(campaign)
    names = dict(campaign.scales.values_list("pk", "name"))
    allowed = tolerances(campaign)
    texts = []
    for one in practice_texts(campaign=campaign):
        text, item = one.substitution, one.substitution.item
        phrase = item.phrase.text
        several = len(find_spans(phrase, item.sentence, 2)) > 1
        texts.append(
            PracticeTextTemplate(
                sentence=item.sentence,
                phrase=phrase,
                paraphrase=text.text,
                expected={
                    band.scale.name: (band.low, band.high, band.explanation)
                    for band in text.expected.all()
                },
                part=one.part,
                start=item.start if several else None,
            )
        )
    return PracticeTemplate(
        required=rule.required,
        share=rule.share,
        tries=rule.tries,
        tolerance={names[pk]: value for pk, value in allowed.items() if value},
        texts=tuple(texts),
    )


def _checks(campaign: Campaign) -> ChecksTemplate:
    plan = plan_of(campaign)
    return ChecksTemplate(
        repeat_share=plan.repeat_share,
        repeat_after=plan.repeat_after,
        fast_seconds=plan.fast_seconds,
        delay_least=plan.delay_least,
        delay_most=plan.delay_most,
        rules=tuple(
            RuleTemplate(one.check_name, one.least, one.share, one.act)
            for one in rules_in_force(campaign=campaign)
        ),
    )


def _panels(campaign: Campaign) -> tuple[PanelTemplate, ...]:
    """The panels that are not closed, the newest of each name; without what is secret."""
    rows = campaign.panels.filter(closed_at=None).order_by("pk")
    newest = {one.name: one for one in rows}
    return tuple(
        PanelTemplate(
            name=one.name,
            sheets_per_person=one.sheets_per_person,
            max_participants=one.max_participants,
            minutes=one.minutes,
            parameter=one.parameter,
            session_parameter=one.session_parameter,
            id_pattern=one.id_pattern,
            return_url="" if holds_a_code(one.return_url, one.codes.values()) else one.return_url,
            pay=_amount(one.pay),
            pay_floor=_amount(one.pay_floor),
            bonus=_amount(one.bonus),
            currency=one.currency,
            contact=one.contact,
        )
        for one in newest.values()
    )


def _amount(value: Decimal | None) -> float | None:
    return None if value is None else float(value)
