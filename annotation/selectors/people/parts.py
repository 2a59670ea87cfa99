"""A participant's part in a panel: where they stand, and how it ended."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote
from uuid import UUID

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.errors import NotFound
from annotation.models import Annotator, Panel, Participant, PartOutcome, Slot
from annotation.selectors.access import User, known
from annotation.selectors.collecting.lists import list_is_done
from annotation.selectors.people.exclusions import is_excluded
from annotation.selectors.quality.practice import practice_wanted, standing

SAID = {
    PartOutcome.COMPLETE: gettext_lazy(
        "Everything is judged and every answer is saved. Thank you!"
    ),
    PartOutcome.SCREENED_OUT: gettext_lazy(
        "This study is looking for other people. Thank you for your answers; your time so far is "
        "paid as the platform says."
    ),
    PartOutcome.FAILED_PRACTICE: gettext_lazy(
        "Your answers to the examples were not the expected ones. You are paid for the practice "
        "as the platform says."
    ),
    PartOutcome.FAILED_CHECKS: gettext_lazy(
        "Your work in this study has ended: some answers to texts with a known answer were far off."
    ),
    PartOutcome.QUOTA_FULL: gettext_lazy(
        "Others were faster. Nothing is left to judge; you are paid for your time as the platform "
        "says."
    ),
    PartOutcome.TIMED_OUT: gettext_lazy(
        "Your answers are kept. The places that you had open went to others."
    ),
    PartOutcome.WITHDRAWN: gettext_lazy(
        "You have left the study. The places that you had open went to others."
    ),
}
# Codes of a refused claim, and what they mean for a participant.
REFUSED = {
    "excluded": PartOutcome.FAILED_CHECKS,
    "not_eligible": PartOutcome.SCREENED_OUT,
    "closed": PartOutcome.QUOTA_FULL,
}


def panel_by_token(*, token: str) -> Panel:
    """Return the panel of a link. Raises NotFound for any other token."""
    panel = Panel.objects.filter(token=token).select_related("campaign").first()
    if panel is None:
        raise NotFound(_("There is no such study."))
    return panel


def part_of(*, annotator: Annotator) -> Participant | None:
    """Return the annotator's newest part, with panel and annotator; None for people who came
    otherwise."""
    rows = Participant.objects.filter(annotator=annotator).order_by("-pk")
    return rows.select_related("panel__campaign", "annotator__campaign").first()


def part_with(*, panel: Panel, key: UUID) -> Participant:
    """Return one part of the panel. Raises NotFound."""
    rows = Participant.objects.filter(panel=panel, key=key)
    found = rows.select_related("panel__campaign", "annotator__campaign").first()
    if found is None:
        raise NotFound(_("There is no such participant."))
    return found


def part_by_key(*, key: UUID, user: User) -> Participant | None:
    """Return the part with this key if it is the user's, with panel and campaign."""
    rows = Participant.objects.filter(key=key, annotator__user_id=known(user).pk)
    return rows.select_related("panel__campaign", "annotator__campaign").first()


def submitted(annotator: Annotator) -> int:
    """The number of sheets that the annotator handed in, also if they were voided since."""
    done = Q(state__in=[Slot.State.DONE, Slot.State.VOID], done_at__isnull=False)
    return Slot.objects.filter(done, annotator=annotator).count()


def has_open(annotator: Annotator) -> bool:
    """Whether the annotator holds a sheet that is not handed in."""
    return Slot.objects.filter(annotator=annotator, state=Slot.State.CLAIMED).exists()


def sheets_of(part: Participant) -> int:
    """The sheets that were handed in in this part, the annotator's newest; one query."""
    return max(0, submitted(part.annotator) - part.sheets_before)


def reached(part: Participant) -> bool:
    """Whether the quota of the part, the annotator's newest, is done."""
    return part.quota > 0 and not has_open(part.annotator) and sheets_of(part) >= part.quota


def outcome_found(*, part: Participant, code: str) -> PartOutcome | None:
    """Return the outcome when the claim gave nothing for the reason `code`; None: it goes on.

    An outcome that is there stays, but for a quota that was full: places may have become free.
    """
    if part.outcome and part.outcome != PartOutcome.QUOTA_FULL:
        return PartOutcome(part.outcome)
    if reached(part):
        return PartOutcome.COMPLETE
    if code == "practice":
        now = standing(campaign=part.annotator.campaign, annotator=part.annotator)
        return PartOutcome.FAILED_PRACTICE if now.stuck else None
    if code == "":
        listed = list_is_done(annotator=part.annotator)
        return PartOutcome.COMPLETE if listed else PartOutcome.QUOTA_FULL
    if code == "excluded" and part.annotator.withdrawals.filter(ended_at=None).exists():
        return PartOutcome.WITHDRAWN
    return REFUSED.get(code)


def halted_by(part: Participant) -> str:
    """Return the code of what keeps the participant from any sheet; "none" where nothing does."""
    annotator = part.annotator
    if annotator.ineligible_since is not None:
        return "not_eligible"
    if is_excluded(annotator=annotator) or annotator.withdrawals.filter(ended_at=None).exists():
        return "excluded"
    return "practice" if practice_wanted(annotator=annotator) else "none"


def is_over(part: Participant) -> bool:
    """Whether the part has ended for good: for whom a quota was full a place may become free."""
    return part.outcome not in ("", PartOutcome.QUOTA_FULL)


def said_of(part: Participant) -> str:
    """Return what the participant reads about the outcome."""
    return str(SAID[PartOutcome(part.outcome)])


def last_page(part: Participant) -> str:
    """Return the address of the participant's last page."""
    return reverse("panel-end", args=[part.panel.token])


def completion_of(part: Participant) -> dict[str, Any]:
    """Return the completion `{code, url}` of the outcome; null where the panel has none."""
    panel = part.panel
    code = panel.codes.get(part.outcome) or None
    return {"code": code, "url": return_address(panel, code=code, own_id=part.platform_id)}


def return_address(panel: Panel, *, code: str | None, own_id: str) -> str | None:
    """Fill in the way back: `{code}`, and `{id}`, the person's own id; both URL-quoted.

    None where a part of it is not known.
    """
    address: str = panel.return_url
    if not address:
        return None
    for name, value in (("{code}", code), ("{id}", own_id)):
        if name in address:
            if not value:
                return None
            address = address.replace(name, quote(value, safe=""))
    return address
