"""What a template must keep to: the same rules as the pages, each problem with its line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.importers import MAX_PROBLEMS, Problem, TemplateRead, find_spans, read_template
from annotation.importers.campaign_template import Path
from annotation.models import Scale
from annotation.services.campaigns.scale_input import names_apart, scale_of
from annotation.services.campaigns.settings_input import check_bounds, language_read
from annotation.services.people.background import Question, question_checked
from annotation.services.people.panels import MONEY, panel_check
from annotation.services.quality.practice import practice_check
from annotation.services.quality.rules import Band, band_problem, plan_check, rule_check
from paraanno.plain.campaign_template import (
    CampaignTemplate,
    ChecksTemplate,
    PanelTemplate,
    PracticeTemplate,
    PracticeTextTemplate,
    QuestionTemplate,
    ScaleTemplate,
)
from paraanno.plain.panel_links import holds_a_code
from paraanno.plain.sentence import Sentence, say

PLAN = ("repeat_share", "repeat_after", "fast_seconds", "delay_least", "delay_most")


def template_read(*, data: bytes, name: str) -> TemplateRead:
    """Read a template and check it as the pages check their forms; nothing is written.

    `template` is None where there is any error.
    """
    read = read_template(data, name=name)
    if read.template is None:
        return read
    checking = _Checking(read, name)
    template = checking.checked(read.template)
    problems = (*read.problems, *checking.problems[:MAX_PROBLEMS])
    return replace(read, template=None if checking.problems else template, problems=problems)


def band_scales(scales: Sequence[ScaleTemplate]) -> dict[str, Scale]:
    """Return the scales, not stored, by name."""
    return {
        one.name: Scale(name=one.name, minimum=one.minimum, maximum=one.maximum, step=one.step)
        for one in scales
    }


class _Checking:
    def __init__(self, read: TemplateRead, name: str) -> None:
        self.read, self.name = read, name
        self.problems: list[Problem] = []

    @contextmanager
    def at(self, *path: str | int) -> Iterator[None]:
        """A refusal inside is a problem at the line of this part."""
        try:
            yield
        except Invalid as refusal:
            self.note(path, say(refusal.message))

    def note(self, path: Path, message: Sentence) -> None:
        self.problems.append(Problem(self.name, self.read.line(path), None, message))

    def checked(self, template: CampaignTemplate) -> CampaignTemplate:
        settings = dict(template.settings)
        for one, value in settings.items():
            with self.at("settings", one):
                check_bounds({one: value})
                if one == "language":
                    settings[one] = language_read(str(value))
        if template.scales is not None:
            self.scales(template.scales)
        background = template.background
        if background is not None:
            background = tuple(self.question(n, one) for n, one in enumerate(background))
        if template.practice is not None:
            self.practice(template.practice, template.scales)
        if template.checks is not None:
            self.checks(template.checks)
        for number, panel in enumerate(template.panel or ()):
            with self.at("panel", number):
                check_panel(panel)
        return replace(template, settings=settings, background=background)

    def scales(self, scales: Sequence[ScaleTemplate]) -> None:
        names: list[str] = []
        for number, scale in enumerate(scales):
            with self.at("scales", number):
                points = [
                    {"value": value, "label": label, "anchor": anchor}
                    for value, label, anchor in scale.points
                ]
                scale_of({**asdict(scale), "points": points})
                if scale.name.casefold() in names:
                    raise Invalid(_("There is a scale %(name)s already.") % {"name": scale.name})
                names_apart([*(one.name for one in scales[:number]), scale.name])
            names.append(scale.name.casefold())

    def question(self, number: int, one: QuestionTemplate) -> QuestionTemplate:
        with self.at("background", number):
            asked = Question(one.wording, one.kind, one.options, one.required, one.name)
            return replace(one, options=tuple(question_checked(asked).options))
        return one

    def practice(
        self, practice: PracticeTemplate, scales: tuple[ScaleTemplate, ...] | None
    ) -> None:
        """Names and values of scales are checked where the file has scales; else when applied."""
        known = None if scales is None else band_scales(scales)
        with self.at("practice"):
            unknown = [one for one in practice.tolerance if one not in (known or {})]
            if known is not None and unknown:
                raise Invalid(_no_scale(unknown[0]))
            practice_check(
                share=practice.share,
                tries=practice.tries,
                tolerance=[(known[name], one) for name, one in practice.tolerance.items() if known],
            )
        seen: list[tuple[str, str, int | None, str]] = []
        for number, text in enumerate(practice.texts):
            with self.at("practice", "texts", number):
                check_practice_text(text, known)
                key = (text.sentence, text.phrase, text.start, text.paraphrase)
                if key in seen:
                    raise Invalid(_("This practice text is there twice: remove one."))
                seen.append(key)

    def checks(self, checks: ChecksTemplate) -> None:
        with self.at("checks"):
            plan_check({name: getattr(checks, name) for name in PLAN})
            if checks.delay_least > checks.delay_most:
                raise Invalid(_("The minimum delay must not exceed the maximum."))
        for number, rule in enumerate(checks.rules):
            with self.at("checks", "rules", number):
                rule_check(check=rule.check, least=rule.least, share=rule.share, act=rule.action)


def check_panel(panel: PanelTemplate) -> None:
    """Raise Invalid if no panel can be made of it, or its address holds a code."""
    panel_check(**panel_fields(panel))
    for amount in (panel.pay, panel.pay_floor, panel.bonus):
        if amount is not None and round(amount, 2) != amount:
            raise Invalid(_("An amount has at most two digits after the point."))
    if holds_a_code(panel.return_url):
        raise Invalid(_("The return address holds a code: write {code} in its place."))


def panel_fields(panel: PanelTemplate) -> dict[str, Any]:
    """Return the fields as the services of panels take them."""
    given = asdict(panel)
    for name in MONEY:
        given[name] = None if given[name] is None else Decimal(str(given[name]))
    return given


def _no_scale(name: str) -> str:
    return _("There is no scale %(name)s.") % {"name": name}


def check_practice_text(text: PracticeTextTemplate, scales: dict[str, Scale] | None) -> None:
    """Raise Invalid if the phrase is not where it should be, or a value is off its scale."""
    starts = [start for start, _end in find_spans(text.phrase, text.sentence)]
    if not text.paraphrase or not starts:
        raise Invalid(_("A practice text needs a paraphrase, and its phrase in the sentence."))
    if text.start is None and len(starts) > 1:
        raise Invalid(_("The phrase is in the sentence more than once: give start."))
    if text.start is not None and text.start not in starts:
        raise Invalid(_("The phrase does not begin at start."))
    if not text.expected:
        raise Invalid(_("Give the right values for at least one scale."))
    for name, (low, high, why) in text.expected.items():
        if scales is not None and name not in scales:
            raise Invalid(_no_scale(name))
        if scales is not None:
            problem = band_problem(scales[name], Band(low, high, why))
            if problem is not None:
                raise Invalid(problem)
