"""Write the parts of a template into a campaign: consent, questions, practice, checks."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.access import place_of
from annotation.campaigns.templating.changes import panel_fields, template_read
from annotation.campaigns.templating.queries import saved_get, saved_templates
from annotation.database import Actor, audit, short_write
from annotation.errors import Invalid, NotFound
from annotation.importers.campaign_template import TemplateRead
from annotation.models import Campaign, Ownership, SavedTemplate
from annotation.panels.services import panel_create
from annotation.people.background import Question, consent_text_add, question_add
from annotation.quality.expected import expected_import
from annotation.quality.practice import practice_set
from annotation.quality.rules import plan_set, rule_add
from annotation.starters import LABELS, NAMES, starter_text
from paraanno.common.panel_links import (
    CampaignTemplate,
    ChecksTemplate,
    PracticeTemplate,
    PracticeTextTemplate,
    QuestionTemplate,
)
from paraanno.template_filters import translated

PLAN = ("repeat_share", "repeat_after", "fast_seconds", "delay_least", "delay_most")


def parts_add(*, campaign: Campaign, template: CampaignTemplate, actor: Actor) -> None:
    """Add what the template says beside settings, scales and guidelines to a new campaign.

    The caller holds the transaction. Raises Invalid if a practice text cannot be taken.
    """
    if template.consent:
        consent_text_add(campaign=campaign, text=template.consent, actor=actor)
    for one in template.background or ():
        question_add(campaign=campaign, question=question_of(one), actor=actor)
    if template.practice is not None:
        practice_write(campaign=campaign, practice=template.practice, actor=actor)
        practice_texts_write(campaign=campaign, texts=template.practice.texts, actor=actor)
    if template.checks is not None:
        checks_write(campaign=campaign, checks=template.checks, actor=actor)
    for panel in template.panel or ():
        panel_create(campaign=campaign, actor=actor, **panel_fields(panel))


def question_of(one: QuestionTemplate) -> Question:
    """Return the question as the service of questions takes it."""
    return Question(one.wording, one.kind, one.options, one.required, one.name)


def practice_write(*, campaign: Campaign, practice: PracticeTemplate, actor: Actor) -> None:
    """Set the requirements and every scale's tolerance. Raises Invalid for an unknown scale."""
    scales = {scale.name: scale for scale in campaign.scales.all()}
    unknown = [name for name in practice.tolerance if name not in scales]
    if unknown:
        raise Invalid(_("There is no scale %(name)s.") % {"name": unknown[0]})
    practice_set(
        campaign=campaign,
        required=practice.required,
        share=practice.share,
        tries=practice.tries,
        tolerance={scale: practice.tolerance.get(name, 0) for name, scale in scales.items()},
        actor=actor,
    )


def practice_texts_write(
    *, campaign: Campaign, texts: Sequence[PracticeTextTemplate], actor: Actor
) -> None:
    """Add practice texts, or set the expected values of those that are there."""
    if not texts:
        return
    rows = [
        {
            "role": "practice",
            "part": text.part,
            "sentence": text.sentence,
            "phrase": text.phrase,
            **({} if text.start is None else _span(text, text.start)),
            "paraphrase": text.paraphrase,
            "scale": scale,
            "low": low,
            "high": high,
            "explanation": why,
        }
        for text in texts
        for scale, (low, high, why) in text.expected.items()
    ]
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    report = expected_import(
        campaign=campaign, stream=io.BytesIO(data), name="practice", format="jsonl", actor=actor
    )
    if not report.ok:
        one = report.problems[0]
        raise Invalid(f"{one.column or ''} {translated(one.message)}".strip())


def _span(text: PracticeTextTemplate, start: int) -> dict[str, int]:
    return {"start": start, "end": start + len(text.phrase)}


def checks_write(*, campaign: Campaign, checks: ChecksTemplate, actor: Actor) -> None:
    """Set the plan of a new campaign and add its rules."""
    plan_set(campaign=campaign, actor=actor, changes={name: getattr(checks, name) for name in PLAN})
    for rule in checks.rules:
        rule_add(
            campaign=campaign,
            check=rule.check,
            least=rule.least,
            share=rule.share,
            act=rule.action,
            actor=actor,
        )


# Templates of campaigns: those that come with the application, and those that people save.


@cache
def _starter(name: str) -> CampaignTemplate:
    read = template_read(data=starter_text(name).encode(), name=f"{name}.yaml")
    if read.template is None:
        raise ValueError("\n".join(map(str, read.problems)))
    return read.template


class Starters(Mapping[str, CampaignTemplate]):
    """The templates that come with the application, by name, read when they are asked for."""

    def __getitem__(self, name: str) -> CampaignTemplate:
        if name not in NAMES:
            raise KeyError(name)
        return _starter(name)

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)


TEMPLATES = Starters()


def template_named(name: str, actor: Actor = None) -> CampaignTemplate:
    """Return a template by name; raises Invalid, naming the others that the actor sees, if there is
    none."""
    if name in TEMPLATES:
        return TEMPLATES[name]
    user = actor if isinstance(actor, User) else None
    try:
        row = saved_get(user=user, name=name)
    except NotFound:
        names = [*LABELS, *(one.name for one in saved_templates(user=user))]
        raise Invalid(
            _("There is no template %(template)s: use one of %(templates)s.")
            % {"template": f"{name!r}", "templates": ", ".join(names)}
        ) from None
    return template_ok(template_read(data=row.text.encode(), name=f"{name}.yaml"))


def template_ok(read: TemplateRead) -> CampaignTemplate:
    """Return the template; raises Invalid with its first problem, and all in `problems`."""
    if read.template is None:
        first = read.problems[0]
        where = f"{first.file}:{first.line}: "
        column = f"{first.column}: " if first.column else ""
        raise Invalid(
            f"{where}{column}{translated(first.message)}", problems=list(map(str, read.problems))
        )
    return read.template


def saved_template_add(
    *, name: str, label: str, text: str, place: Ownership | None = None, actor: Actor
) -> SavedTemplate:
    """Save a template in the place, by default the actor's own.

    Raises Invalid if the name is taken there or no short name, or the file has an error.
    """
    if name in TEMPLATES:
        raise Invalid(_taken(name))
    try:
        validate_slug(name)
    except ValidationError as error:
        raise Invalid(_("A short name has letters, digits, - and _.")) from error
    template_ok(template_read(data=text.encode(), name=f"{name}.yaml"))
    place = place or place_of(actor, None)
    try:
        with short_write():
            row = SavedTemplate.objects.create(
                name=name,
                label=label.strip() or name,
                text=text,
                **place.fields(),
                created_by_id=actor.pk if actor else None,
            )
            audit(
                actor=actor,
                verb="add template",
                about=row,
                campaign=place.campaign,
                name=name,
                scope=place.scope,
            )
    except IntegrityError as error:
        raise Invalid(_taken(name)) from error
    return row


def saved_template_move(*, template: SavedTemplate, place: Ownership, actor: Actor) -> None:
    """Let others use it, or not any more. Raises Invalid if its name is taken there; callers check
    permission first (`refuse_move`)."""
    place = Ownership(place.scope, place.campaign, template.created_by_id)
    try:
        with short_write():
            SavedTemplate.objects.filter(pk=template.pk).update(**place.fields())
            audit(
                actor=actor,
                verb="change scope",
                about=template,
                campaign=place.campaign,
                name=template.name,
                before=template.scope,
                after=place.scope,
            )
    except IntegrityError as error:
        raise Invalid(_taken(template.name)) from error


def saved_template_remove(*, template: SavedTemplate, actor: Actor) -> None:
    """Remove it; campaigns that were made from it stay as they are. Callers check permission."""
    with short_write():
        audit(
            actor=actor,
            verb="remove template",
            about=template,
            campaign=template.campaign,
            name=template.name,
        )
        template.delete()


def _taken(name: str) -> str:
    return _("There is a template %(name)s already.") % {"name": name}
