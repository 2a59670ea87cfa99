"""How far a campaign is set up: each step ticks itself when it is really done."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.db.models import F, Prefetch, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.campaigns.queries import Counts, campaign_counts
from annotation.collecting.sheets import AnswerView, QuestionView, SheetView, SubstitutionView
from annotation.errors import Invalid, NotFound
from annotation.models import (
    Annotator,
    Campaign,
    Expected,
    Invitation,
    Item,
    Membership,
    PracticeText,
    Scale,
    Slot,
    language_of,
)
from annotation.models.texts import Substitution
from annotation.people.annotators import consent_newest, questions_asked
from annotation.quality.overview import plan_of, rule_of, rules_in_force
from annotation.sheets.own_work import RemarkView, scales_of
from paraanno import clock
from paraanno.common.texts import find_spans

DONE, MISSING, ADVISED = "done", "missing", "advised"
LABELS: dict[str, Any] = {
    "texts": gettext_lazy("Texts"),
    "questions": gettext_lazy("Questions"),
    "guidelines": gettext_lazy("Guidelines"),
    "practice": gettext_lazy("Practice"),
    "consent": gettext_lazy("Consent"),
    "checks": gettext_lazy("Checks"),
    "people": gettext_lazy("People"),
    "preview": gettext_lazy("Preview"),
    "pilot": gettext_lazy("Pilot"),
}
ROUTES = {
    "texts": "import",
    "questions": "settings",
    "guidelines": "guidelines",
    "practice": "practice",
    "consent": "consent",
    "checks": "quality",
    "people": "people",
    "preview": "preview",
    "pilot": "pilot",
}


@dataclass(frozen=True, slots=True)
class SetupStep:
    """One step. `what` is there now, `why` says what is missing or advised.

    needed   whether the campaign cannot be opened without it
    """

    key: str
    state: str
    what: str
    why: str = ""
    needed: bool = False

    @property
    def label(self) -> str:
        return str(LABELS[self.key])

    @property
    def route(self) -> str:
        """The name of the page where it is done; its only argument is the campaign's slug."""
        return ROUTES[self.key]


@dataclass(frozen=True, slots=True)
class Setup:
    """All steps of a campaign, in the order in which most people take them."""

    steps: tuple[SetupStep, ...]

    @property
    def missing(self) -> list[SetupStep]:
        return [step for step in self.steps if step.state == MISSING]

    @property
    def advised(self) -> list[SetupStep]:
        return [step for step in self.steps if step.state == ADVISED]

    @property
    def may_open(self) -> bool:
        """Whether nothing is missing without which there is nothing to judge."""
        return not any(step.needed for step in self.missing)


def setup_of(*, campaign: Campaign) -> Setup:
    """Return the steps; a constant number of queries."""
    counts = campaign_counts(campaign=campaign)
    scales = list(campaign.scales.prefetch_related("points"))
    newest = campaign.guidelines.first()
    text = newest.text if newest else ""
    return Setup(
        (
            _texts(counts),
            _questions(scales),
            _guidelines(text, scales),
            _practice(campaign, scales),
            _consent(campaign),
            _checks(campaign),
            _people(campaign),
            _preview(campaign, preview_digest(campaign, scales, text)),
            _pilot(campaign),
        )
    )


def preview_digest(campaign: Campaign, scales: list[Scale], guidelines: str) -> str:
    """Return a digest of what the annotator's screen shows beside the texts."""
    shown = [
        [
            scale.name,
            scale.question,
            scale.level,
            scale.minimum,
            scale.maximum,
            scale.step,
            scale.required,
            *([point.value, point.label, point.anchor] for point in scale.points.all()),
        ]
        for scale in scales
    ]
    data = [campaign.layout, campaign.layout_choice, guidelines, shown]
    return hashlib.sha256(json.dumps(data).encode()).hexdigest()


def preview_now(*, campaign: Campaign) -> str:
    """Return the digest of the campaign's screen as it is; three queries."""
    newest = campaign.guidelines.first()
    scales = list(campaign.scales.prefetch_related("points"))
    return preview_digest(campaign, scales, newest.text if newest else "")


def _texts(counts: Counts) -> SetupStep:
    what = _("%(items)s originals, %(texts)s texts of %(systems)s systems") % {
        "items": counts.items,
        "texts": counts.substitutions,
        "systems": counts.systems,
    }
    if counts.substitutions:
        return SetupStep("texts", DONE, what)
    return SetupStep("texts", MISSING, what, _("There is nothing to judge yet."), needed=True)


def _questions(scales: list[Scale]) -> SetupStep:
    what = ", ".join(f"{one.name} {one.minimum:g}–{one.maximum:g}" for one in scales)
    if not scales:
        return SetupStep("questions", MISSING, what, _("Nothing is asked yet."), needed=True)
    mute = [one.name for one in scales if not one.question.strip()]
    if mute:
        why = _("%(names)s: no question is written.") % {"names": ", ".join(mute)}
        return SetupStep("questions", ADVISED, what, why)
    bare = [one.name for one in scales if not any(point.label for point in one.points.all())]
    if bare:
        why = _("%(names)s: no point has a label, so that everybody reads them in their own way.")
        return SetupStep("questions", ADVISED, what, why % {"names": ", ".join(bare)})
    return SetupStep("questions", DONE, what)


def _guidelines(text: str, scales: list[Scale]) -> SetupStep:
    words = len(text.split())
    what = ngettext("%(n)s word", "%(n)s words", words) % {"n": words}
    if not words:
        return SetupStep("guidelines", MISSING, what, _("Annotators have nothing to go by."))
    unsaid = [one.name for one in scales if one.name.casefold() not in text.casefold()]
    if unsaid:
        why = _("They do not mention %(names)s.") % {"names": ", ".join(unsaid)}
        return SetupStep("guidelines", ADVISED, what, why)
    return SetupStep("guidelines", DONE, what)


def _practice(campaign: Campaign, scales: list[Scale]) -> SetupStep:
    rule = rule_of(campaign)
    bands = Prefetch("substitution__expected", Expected.objects.all())
    rows = list(PracticeText.objects.filter(campaign=campaign).prefetch_related(bands))
    what = ngettext("%(n)s practice text", "%(n)s practice texts", len(rows)) % {"n": len(rows)}
    if not rows:
        if rule.required:
            why = _("Practice is required, and there is no text for it.")
            return SetupStep("practice", MISSING, what, why)
        why = _("A few explained examples make judgments more alike. Not needed to open.")
        return SetupStep("practice", ADVISED, what, why)
    required = {scale.pk: scale.name for scale in scales if scale.required}
    for number, row in enumerate(rows, 1):
        answered = {one.scale_id for one in row.substitution.expected.all()}
        lacking = [name for pk, name in required.items() if pk not in answered]
        if lacking:
            why = _("Text %(number)s has no right answer for %(names)s.")
            return SetupStep(
                "practice",
                MISSING if rule.required and not answered else ADVISED,
                what,
                why % {"number": number, "names": ", ".join(lacking)},
            )
    return SetupStep("practice", DONE, what)


def _consent(campaign: Campaign) -> SetupStep:
    newest = consent_newest(campaign=campaign)
    count = questions_asked(campaign=campaign).count()
    what = ngettext("%(n)s background question", "%(n)s background questions", count) % {"n": count}
    if newest is not None:
        return SetupStep("consent", DONE, _("a text to agree to, %(more)s") % {"more": what})
    if count:
        return SetupStep("consent", MISSING, what, _("Personal answers need a consent text."))
    why = _("Studies with people usually need one. Not needed to open.")
    return SetupStep("consent", ADVISED, _("no text to agree to"), why)


def _checks(campaign: Campaign) -> SetupStep:
    plan = plan_of(campaign)
    rules = rules_in_force(campaign=campaign).count()
    hidden = (Substitution.Role.CONTROL, Substitution.Role.DEGRADED, Substitution.Role.COPY)
    texts = campaign.substitutions.filter(role__in=hidden).count()
    what = _("%(share)s %% of sheets repeated, %(texts)s hidden texts, %(rules)s rules") % {
        "share": f"{100 * plan.repeat_share:g}",
        "texts": texts,
        "rules": rules,
    }
    if plan.repeat_share or texts:
        return SetupStep("checks", DONE, what)
    why = _("Repeats and exact copies find people who do not read. Not needed to open.")
    return SetupStep("checks", ADVISED, what, why)


def _people(campaign: Campaign) -> SetupStep:
    people = campaign.memberships.filter(role=Membership.Role.ANNOTATOR).count()
    open_links = Invitation.objects.filter(
        campaign=campaign,
        role=Membership.Role.ANNOTATOR,
        revoked_at=None,
        expires_at__gt=clock.now(),
        uses__lt=F("max_uses"),
    ).count()
    what = _("%(people)s annotators, %(links)s invitations") % {
        "people": people,
        "links": open_links,
    }
    if not people and not open_links:
        return SetupStep("people", ADVISED, what, _("Nobody can judge yet."))
    k = campaign.annotators_per_sheet
    if people < k and not open_links:
        why = _("Every sheet has %(k)s assignments, more than there are annotators.") % {"k": k}
        return SetupStep("people", ADVISED, what, why)
    return SetupStep("people", DONE, what)


def _preview(campaign: Campaign, digest: str) -> SetupStep:
    if campaign.preview_seen == digest:
        return SetupStep("preview", DONE, _("looked at, and unchanged since"))
    if campaign.preview_seen:
        why = _("The questions or the guidelines were changed since you looked.")
        return SetupStep("preview", ADVISED, _("looked at before"), why)
    why = _("Look at the annotators’ screen, on a phone too.")
    return SetupStep("preview", ADVISED, _("not looked at"), why)


def _pilot(campaign: Campaign) -> SetupStep:
    pilots = campaign.copies.filter(pilot=True)
    n = pilots.count()
    what = ngettext("%(n)s pilot", "%(n)s pilots", n) % {"n": n}
    if pilots.filter(judgments__status="counted").exists():
        return SetupStep("pilot", DONE, what)
    why = _("A few people on a few texts show what the guidelines left open. Not needed to open.")
    return SetupStep("pilot", ADVISED, what, why)


# The annotator's screen before there is an annotator: a sheet that is not stored anywhere.


LISTED = 200
OUTPUT = Substitution.Role.OUTPUT


@dataclass(frozen=True, slots=True)
class OwnText:
    """A text that somebody typed to see how it looks."""

    sentence: str
    phrase: str
    paraphrase: str


def items_to_preview(*, campaign: Campaign) -> QuerySet[Item]:
    """Return the first items that have texts of systems, in the order of the file."""
    rows = Item.objects.filter(campaign=campaign, substitutions__role=OUTPUT).distinct()
    return rows.select_related("phrase").order_by("position")[:LISTED]


def item_to_preview(*, campaign: Campaign, key: UUID | None) -> Item | None:
    """Return the item with this key, or the first one; None if there is none at all.

    Raises NotFound if the campaign has no item with the key.
    """
    if key is None:
        return items_to_preview(campaign=campaign).first()
    item = Item.objects.filter(campaign=campaign, key=key).select_related("phrase").first()
    if item is None:
        raise NotFound(_("There is no such item."))
    return item


def preview_of_item(*, campaign: Campaign, item: Item) -> SheetView:
    """Return the first sheet that the item would make, of the texts of systems.

    Texts of quality control are not shown, as nobody could tell them from the others.
    """
    texts = list(item.substitutions.filter(role=OUTPUT).order_by("key"))
    if campaign.max_per_sheet:
        texts = texts[: campaign.max_per_sheet]
    scales = scales_of(campaign.pk)
    views = []
    for text in texts:
        text.item = item
        views.append(_text(text.key, *text.context(), text.text, scales))
    return _sheet(
        campaign,
        item.phrase.text,
        (item.before, item.after),
        views,
        scales,
        language_of(item, campaign),
        item.key,
    )


def preview_of_own(*, campaign: Campaign, own: OwnText) -> SheetView:
    """Return a sheet with the typed text. Raises Invalid if the phrase is not in the sentence."""
    phrase = own.phrase or own.sentence
    spans = find_spans(phrase, own.sentence)
    if not phrase or not spans:
        raise Invalid(_("The phrase must be in the sentence."))
    start, end = spans[0]
    around = (own.sentence[:start], own.sentence[end:])
    scales = scales_of(campaign.pk)
    text = _text(uuid4(), *around, own.paraphrase, scales)
    return _sheet(campaign, phrase, around, [text], scales, campaign.language, uuid4())


def nobody(campaign: Campaign) -> Annotator:
    """Return an annotator who is nobody, and is not stored."""
    return Annotator(campaign=campaign, code="preview")


def _text(
    key: UUID, before: str, after: str, text: str, scales: Sequence[Scale]
) -> SubstitutionView:
    questions = tuple(QuestionView(scale, AnswerView()) for scale in scales)
    return SubstitutionView(key, before, text, after, questions, RemarkView())


def _sheet(
    campaign: Campaign,
    phrase: str,
    around: tuple[str, str],
    texts: Sequence[SubstitutionView],
    scales: tuple[Scale, ...],
    language: str,
    key: UUID,
) -> SheetView:
    return SheetView(
        key=key,
        state=Slot.State.CLAIMED,
        phrase=phrase,
        before=around[0],
        after=around[1],
        whole_sentence=not any(around),
        language=language,
        substitutions=tuple(texts),
        scales=scales,
        remark=RemarkView(),
    )
