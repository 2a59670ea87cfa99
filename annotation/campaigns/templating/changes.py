"""What a template would change in a campaign, and what of it may not change any more."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from annotation.campaigns.scales import names_apart, scale_of
from annotation.campaigns.templating.queries import (
    FIXED_ONCE_OPEN,
    check_bounds,
    language_read,
    template_of,
)
from annotation.errors import Invalid
from annotation.importers.campaign_template import Path, TemplateRead, read_template
from annotation.models import (
    BackgroundAnswer,
    BackgroundQuestion,
    Campaign,
    ImportedGold,
    Judgment,
    Scale,
)
from annotation.panels.services import MONEY, panel_check
from annotation.people.background import Question, question_checked
from annotation.quality.expected import Band, band_problem
from annotation.quality.practice import practice_check
from annotation.quality.rules import plan_check, rule_check
from paraanno.common.panel_links import (
    CampaignTemplate,
    ChecksTemplate,
    PanelTemplate,
    PracticeTemplate,
    PracticeTextTemplate,
    QuestionTemplate,
    ScaleTemplate,
    holds_a_code,
)
from paraanno.common.texts import MAX_PROBLEMS, Problem, Sentence, find_spans, say


@dataclass(frozen=True, slots=True)
class TemplateChange:
    """One difference. `path` is the part of the file; `refused` says why it cannot be."""

    path: Path
    name: str
    before: str
    after: str
    refused: str = ""


def template_changes(*, campaign: Campaign, template: CampaignTemplate) -> list[TemplateChange]:
    """Return every difference, in the order of the file; a constant number of queries.

    A part that the template leaves out is not compared; nor is the order of practice texts.
    """
    return list(_Comparing(campaign, template).all())


def changes_digest(changes: Sequence[TemplateChange]) -> str:
    """Return a digest by which a page knows that what it showed is still what would change."""
    rows = [[*map(str, one.path), one.before, one.after, one.refused] for one in changes]
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()


def text_key(text: PracticeTextTemplate) -> tuple[str, str, int, str]:
    """Return what makes a practice text this one."""
    start = text.sentence.find(text.phrase) if text.start is None else text.start
    return text.sentence, text.phrase, start, text.paraphrase


class _Comparing:
    def __init__(self, campaign: Campaign, template: CampaignTemplate) -> None:
        self.campaign, self.wanted = campaign, template
        self.now = template_of(campaign=campaign)
        self.opened = campaign.opened_at is not None

    def all(self) -> Iterator[TemplateChange]:
        yield from self.settings()
        if self.wanted.scales is not None:
            yield from self.scales(self.now.scales or (), self.wanted.scales)
        for part in ("guidelines", "consent"):
            before, after = getattr(self.now, part), getattr(self.wanted, part)
            if after is not None and before != after:
                yield TemplateChange((part,), part, before or "", after)
        if self.wanted.background is not None:
            yield from self.background(self.now.background or (), self.wanted.background)
        if self.wanted.practice is not None:
            yield from self.practice(self.now.practice or PracticeTemplate(), self.wanted.practice)
        if self.wanted.checks is not None:
            yield from self.checks(self.now.checks or ChecksTemplate(), self.wanted.checks)
        if self.wanted.panel is not None:
            yield from self.panels(self.now.panel or (), self.wanted.panel)

    def settings(self) -> Iterator[TemplateChange]:
        for name, after in self.wanted.settings.items():
            before = self.now.settings[name]
            if before != after and not (name == "name" and after == ""):
                fixed = self.opened and name in FIXED_ONCE_OPEN
                why = _("fixed since the campaign was opened") if fixed else ""
                yield TemplateChange(("settings", name), name, _shown(before), _shown(after), why)

    def scales(
        self, now: Sequence[ScaleTemplate], wanted: Sequence[ScaleTemplate]
    ) -> Iterator[TemplateChange]:
        current = {one.name.casefold(): one for one in now}
        judged = self._judged() if not self.opened else set()
        opened = _("scales are fixed since the campaign was opened") if self.opened else ""
        for number, scale in enumerate(wanted):
            path: Path = ("scales", number)
            before = current.pop(scale.name.casefold(), None)
            if before is None:
                yield TemplateChange(path, scale.name, "", _("a new scale"), opened)
                continue
            for field in fields(ScaleTemplate):
                old, new = getattr(before, field.name), getattr(scale, field.name)
                if old != new:
                    why = opened if field.name != "threshold" else ""
                    if before.name in judged:
                        why = _("there are values on it already")
                    name = f"{before.name}: {field.name}"
                    yield TemplateChange(path, name, _shown(old), _shown(new), why)
        for left in current.values():
            why = opened or (_("there are values on it already") if left.name in judged else "")
            yield TemplateChange(("scales",), left.name, _("a scale"), _("removed"), why)
        order = [one.name for one in now if one not in current.values()]
        names = [one.name for one in wanted if one.name.casefold() in map(str.casefold, order)]
        if not current and [one.casefold() for one in order] != [one.casefold() for one in names]:
            yield TemplateChange(
                ("scales",), _("order of scales"), ", ".join(order), ", ".join(names), opened
            )

    def _judged(self) -> set[str]:
        """The names of scales that have values, whose questions must stay as they are."""
        judged = Judgment.objects.filter(campaign=self.campaign).order_by()
        gold = ImportedGold.objects.filter(campaign=self.campaign).order_by()
        names = judged.values_list("scale__name", flat=True).distinct()
        return {*names, *gold.values_list("scale__name", flat=True).distinct()}

    def background(
        self, now: Sequence[QuestionTemplate], wanted: Sequence[QuestionTemplate]
    ) -> Iterator[TemplateChange]:
        current = {one.name: one for one in now}
        answers = BackgroundAnswer.objects.filter(question__campaign=self.campaign).order_by()
        answered = set(answers.values_list("question__name", flat=True).distinct())
        rows = BackgroundQuestion.objects.filter(campaign=self.campaign)
        hidden = set(rows.exclude(hidden_at=None).values_list("name", flat=True))
        for number, question in enumerate(wanted):
            path: Path = ("background", number)
            before = current.pop(question.name, None)
            if before is None:
                why = _("a hidden question has this name") if question.name in hidden else ""
                yield TemplateChange(path, question.name, "", question.wording, why)
            elif before != question:
                why = _("somebody has answered it") if question.name in answered else ""
                yield TemplateChange(
                    path, question.name, _question(before), _question(question), why
                )
        for left in current.values():
            after = _("hidden") if left.name in answered else _("removed")
            yield TemplateChange(("background",), left.name, left.wording, after)

    def practice(self, now: PracticeTemplate, wanted: PracticeTemplate) -> Iterator[TemplateChange]:
        for name in ("required", "share", "tries", "tolerance"):
            before, after = getattr(now, name), getattr(wanted, name)
            if before != after:
                yield TemplateChange(
                    ("practice",), f"practice: {name}", _shown(before), _shown(after)
                )
        current = {text_key(one): one for one in now.texts}
        for number, text in enumerate(wanted.texts):
            before = current.pop(text_key(text), None)
            old = (before.part, dict(before.expected)) if before else None
            if old != (text.part, dict(text.expected)):
                path: Path = ("practice", "texts", number)
                yield TemplateChange(
                    path, text.paraphrase, _bands(before) if before else "", _bands(text)
                )
        for left in current.values():
            yield TemplateChange(
                ("practice", "texts"), left.paraphrase, _bands(left), _("no longer asked")
            )

    def checks(self, now: ChecksTemplate, wanted: ChecksTemplate) -> Iterator[TemplateChange]:
        for field in fields(ChecksTemplate):
            before, after = getattr(now, field.name), getattr(wanted, field.name)
            if field.name == "rules":
                before, after = _rules(now), _rules(wanted)
            if before != after:
                yield TemplateChange(
                    ("checks",), f"checks: {field.name}", _shown(before), _shown(after)
                )

    def panels(
        self, now: Sequence[PanelTemplate], wanted: Sequence[PanelTemplate]
    ) -> Iterator[TemplateChange]:
        current = {one.name: one for one in now}
        for number, panel in enumerate(wanted):
            path: Path = ("panel", number)
            before = current.pop(panel.name, None)
            if before is None:
                yield TemplateChange(path, panel.name, "", _("a new panel, with a link of its own"))
                continue
            for field in fields(PanelTemplate):
                old, new = getattr(before, field.name), getattr(panel, field.name)
                if old != new:
                    name = f"{panel.name}: {field.name}"
                    yield TemplateChange(path, name, _shown(old), _shown(new))
        for left in current.values():
            yield TemplateChange(
                ("panel",), left.name, _("a panel"), _("closed: it lets nobody new in")
            )


def _rules(checks: ChecksTemplate) -> str:
    return "; ".join(
        sorted(f"{one.check} {one.least} {one.share:g} {one.action}" for one in checks.rules)
    )


def _question(one: QuestionTemplate) -> str:
    required = ["required"] if one.required else []
    return "; ".join([one.wording, one.kind, ", ".join(one.options), *required])


def _bands(text: PracticeTextTemplate) -> str:
    bands = (
        f"{name} {low:g}-{high:g} {why}".strip() for name, (low, high, why) in text.expected.items()
    )
    return f"{text.part}: {'; '.join(bands)}"


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_shown(one)}" for name, one in value.items())
    if isinstance(value, tuple):
        return "\n".join(" ".join(map(_shown, one)) for one in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:g}"
    return "" if value is None else str(value)


# What a template must keep to: the same rules as the pages, each problem with its line.


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
            draft = Question(one.wording, one.kind, one.options, one.required, one.name)
            return replace(one, options=tuple(question_checked(draft).options))
        return one

    def practice(
        self, practice: PracticeTemplate, scales: tuple[ScaleTemplate, ...] | None
    ) -> None:
        """Names and values of scales are checked where the file has scales; else when applied."""
        by_name = None if scales is None else band_scales(scales)
        with self.at("practice"):
            unknown = [one for one in practice.tolerance if one not in (by_name or {})]
            if by_name is not None and unknown:
                raise Invalid(_no_scale(unknown[0]))
            practice_check(
                share=practice.share,
                tries=practice.tries,
                tolerance=[
                    (by_name[name], one) for name, one in practice.tolerance.items() if by_name
                ],
            )
        seen: list[tuple[str, str, int | None, str]] = []
        for number, text in enumerate(practice.texts):
            with self.at("practice", "texts", number):
                check_practice_text(text, by_name)
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
