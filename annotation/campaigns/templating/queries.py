"""A campaign as a template: what it asks, how and of whom, without its texts and people."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from annotation.access import User, may_keep, may_move, seen_by
from annotation.errors import Invalid, NotFound
from annotation.models import Campaign, SavedTemplate, Visibility
from annotation.people.annotators import consent_newest, questions_asked
from annotation.quality.overview import plan_of, practice_texts, rule_of, rules_in_force, tolerances
from annotation.starters import LABELS, NAMES, starter_text
from paraanno.common.cells import LanguageTagError, known_tag, read_tag
from paraanno.common.panel_links import (
    SCALE_COLUMNS,
    CampaignTemplate,
    ChecksTemplate,
    PanelTemplate,
    PracticeTemplate,
    PracticeTextTemplate,
    QuestionTemplate,
    RuleTemplate,
    ScaleTemplate,
    Setting,
    holds_a_code,
)
from paraanno.common.panel_links import SETTINGS as TEMPLATE_SETTINGS
from paraanno.common.texts import find_spans
from paraanno.template_filters import translated


def template_of(*, campaign: Campaign) -> CampaignTemplate:
    """Return the whole template, with every part; a constant number of queries."""
    newest = campaign.guidelines.first()
    consent = consent_newest(campaign=campaign)
    return CampaignTemplate(
        settings={name: _plain(getattr(campaign, name)) for name in TEMPLATE_SETTINGS},
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
            points=tuple((point.value, point.label, point.anchor) for point in one.points.all()),
            **{name: getattr(one, name) for name in SCALE_COLUMNS},
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


@dataclass(frozen=True, slots=True)
class Offered:
    """A template; `site`: somebody saved it, in `scope`. `template`: its file, if it was asked
    for."""

    name: str
    label: str
    site: bool
    key: UUID | None = None
    scope: str = ""
    template: str = ""


@dataclass(frozen=True, slots=True)
class SavedRow:
    """A saved template, whether this user may remove it, and change its scope."""

    template: SavedTemplate
    own: bool
    moves: bool


def saved_templates(*, user: User | None) -> QuerySet[SavedTemplate]:
    """Return the saved templates that the user sees; the command line, those of the site."""
    seen = Q(scope=Visibility.SITE) if user is None else seen_by(user=user)
    rows = SavedTemplate.objects.filter(seen).select_related("created_by", "campaign")
    return rows.order_by("label", "scope", "pk")


def saved_get(*, user: User | None, name: str) -> SavedTemplate:
    """Return one of them by its name or its key; raises NotFound. Of several that have the name, a
    campaign's or their own comes first."""
    wanted = Q(name=name)
    with suppress(ValueError):
        wanted |= Q(key=UUID(name))
    row = saved_templates(user=user).filter(wanted).order_by("scope", "pk").first()
    if row is None:
        raise NotFound(_("There is no such template."))
    return row


def saved_rows(*, user: User) -> list[SavedRow]:
    """Return the rows of their list."""
    return [
        SavedRow(one, may_keep(row=one, user=user), may_move(row=one, user=user))
        for one in saved_templates(user=user)
    ]


def template_choices(*, user: User) -> list[tuple[str, str] | tuple[str, list[tuple[str, str]]]]:
    """Return names and labels of the tasks, then the saved ones as a group; one query.

    The language of a new campaign chooses that of a task's questions (`starters.starter_for`).
    """
    tasks = [(name, str(label)) for name, label in LABELS.items()]
    own = [(one.name, one.label) for one in saved_templates(user=user)]
    return [*tasks, *([(_("Saved here"), own)] if own else [])]


def template_text(*, user: User, name: str) -> str:
    """Return the file of a template. Raises NotFound if they see none of this name."""
    if name in NAMES:
        return starter_text(name)
    return saved_get(user=user, name=name).text


def templates_offered(*, user: User) -> list[Offered]:
    """Return every template that they see, those of the application first; one query."""
    ours = [Offered(name, str(LABELS[task]), False) for name, (task, _code) in NAMES.items()]
    saved = saved_templates(user=user)
    return [*ours, *(_offered(one) for one in saved)]


def template_offered(*, user: User, name: str) -> Offered:
    """Return one of them, with its file. Raises NotFound if there is none of this name."""
    if name in NAMES:
        task, _code = NAMES[name]
        return Offered(name, str(LABELS[task]), False, template=starter_text(name))
    one = saved_get(user=user, name=name)
    return replace(_offered(one), template=one.text)


def _offered(one: SavedTemplate) -> Offered:
    return Offered(one.name, one.label, True, one.key, one.scope)


# Settings of a campaign: which there are, their limits, and when they are fixed.


SETTINGS = (
    *(name for name in TEMPLATE_SETTINGS if name != "annotators_per_sheet"),
    "run_metrics",
)
FIXED_ONCE_OPEN = ("order", "max_per_sheet", "shared_share")
# Stricter than the table's constraints: limits that keep sheets and dates workable.
BOUNDS = {
    "annotators_per_sheet": (1, 1000),
    "max_per_sheet": (1, 10_000),
    "shared_share": (0, 1),
    "lease_minutes": (1, 366 * 24 * 60),
}


def language_read(text: str) -> str:
    """Return the tag of a language, empty for an unknown one. Raises Invalid for no tag."""
    try:
        return known_tag(read_tag(text))
    except LanguageTagError as error:
        raise Invalid(translated(error.message)) from error


def check_bounds(values: Mapping[str, Any]) -> None:
    for name, (least, most) in BOUNDS.items():
        value = values.get(name)
        if value is not None and not least <= value <= most:
            raise Invalid(
                _("%(name)s must be between %(least)s and %(most)s.")
                % {"name": name, "least": f"{least:,}", "most": f"{most:,}"}
            )
