"""What a template would change in a campaign, and what of it may not change any more."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

from django.utils.translation import gettext as _

from annotation.importers.campaign_template import Path
from annotation.models import BackgroundAnswer, BackgroundQuestion, Campaign, ImportedGold, Judgment
from annotation.selectors.campaigns.template import template_of
from annotation.services.campaigns.settings_input import FIXED_ONCE_OPEN
from paraanno.plain.campaign_template import (
    CampaignTemplate,
    ChecksTemplate,
    PanelTemplate,
    PracticeTemplate,
    PracticeTextTemplate,
    QuestionTemplate,
    ScaleTemplate,
)


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
        known = {one.name.casefold(): one for one in now}
        judged = self._judged() if not self.opened else set()
        opened = _("scales are fixed since the campaign was opened") if self.opened else ""
        for number, scale in enumerate(wanted):
            path: Path = ("scales", number)
            before = known.pop(scale.name.casefold(), None)
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
        for left in known.values():
            why = opened or (_("there are values on it already") if left.name in judged else "")
            yield TemplateChange(("scales",), left.name, _("a scale"), _("removed"), why)
        order = [one.name for one in now if one not in known.values()]
        kept = [one.name for one in wanted if one.name.casefold() in map(str.casefold, order)]
        if not known and [one.casefold() for one in order] != [one.casefold() for one in kept]:
            yield TemplateChange(
                ("scales",), _("order of scales"), ", ".join(order), ", ".join(kept), opened
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
        known = {one.name: one for one in now}
        answers = BackgroundAnswer.objects.filter(question__campaign=self.campaign).order_by()
        answered = set(answers.values_list("question__name", flat=True).distinct())
        rows = BackgroundQuestion.objects.filter(campaign=self.campaign)
        hidden = set(rows.exclude(hidden_at=None).values_list("name", flat=True))
        for number, question in enumerate(wanted):
            path: Path = ("background", number)
            before = known.pop(question.name, None)
            if before is None:
                why = _("a hidden question has this name") if question.name in hidden else ""
                yield TemplateChange(path, question.name, "", question.wording, why)
            elif before != question:
                why = _("somebody has answered it") if question.name in answered else ""
                yield TemplateChange(
                    path, question.name, _question(before), _question(question), why
                )
        for left in known.values():
            after = _("hidden") if left.name in answered else _("removed")
            yield TemplateChange(("background",), left.name, left.wording, after)

    def practice(self, now: PracticeTemplate, wanted: PracticeTemplate) -> Iterator[TemplateChange]:
        for name in ("required", "share", "tries", "tolerance"):
            before, after = getattr(now, name), getattr(wanted, name)
            if before != after:
                yield TemplateChange(
                    ("practice",), f"practice: {name}", _shown(before), _shown(after)
                )
        known = {text_key(one): one for one in now.texts}
        for number, text in enumerate(wanted.texts):
            before = known.pop(text_key(text), None)
            old = (before.part, dict(before.expected)) if before else None
            if old != (text.part, dict(text.expected)):
                path: Path = ("practice", "texts", number)
                yield TemplateChange(
                    path, text.paraphrase, _bands(before) if before else "", _bands(text)
                )
        for left in known.values():
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
        known = {one.name: one for one in now}
        for number, panel in enumerate(wanted):
            path: Path = ("panel", number)
            before = known.pop(panel.name, None)
            if before is None:
                yield TemplateChange(path, panel.name, "", _("a new panel, with a link of its own"))
                continue
            for field in fields(PanelTemplate):
                old, new = getattr(before, field.name), getattr(panel, field.name)
                if old != new:
                    name = f"{panel.name}: {field.name}"
                    yield TemplateChange(path, name, _shown(old), _shown(new))
        for left in known.values():
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
