"""The rating screen as pages and plain forms; static/js/rate enhances it."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.errors import Conflict, Incomplete, Invalid, NotFound
from annotation.models import Annotator
from annotation.selectors.access import campaign_get, known
from annotation.selectors.campaigns.progress import OwnProgress, own_progress
from annotation.selectors.collecting.own_work import own_work
from annotation.selectors.collecting.remarks import RemarkView
from annotation.selectors.collecting.sheets import SheetView, sheet_before, sheet_get, sheet_view
from annotation.selectors.people.annotators import annotator_of, own_annotator
from annotation.selectors.people.parts import is_over, last_page, part_of
from annotation.services.collecting.claiming import NotClaimable, claim_next
from annotation.services.collecting.remarks import remark_add
from annotation.services.collecting.saving import COMMENT_LENGTH, Answer, judgment_save
from annotation.services.collecting.skipping import sheet_skip
from annotation.services.people.membership import annotator_for
from annotation.services.submitting import sheet_submit
from annotation.templatetags.rating import plain
from annotation.views.collecting import relogin

CANNOT = "none"


def _annotator(request: HttpRequest, slug: str) -> Annotator:
    """Return the user's annotator. Raises NotFound for a user who has not started: they have
    no sheet.
    """
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="annotate")
    annotator = annotator_of(campaign=campaign, user=request.user)
    if annotator is None:
        raise NotFound(_("There is no such sheet."))
    annotator.campaign = campaign
    return annotator


@never_cache
@require_http_methods(["GET", "POST"])
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what is done and left; a POST claims a sheet and redirects to it."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="annotate")
    annotator = annotator_of(campaign=campaign, user=request.user)
    message = ""
    if request.method == "POST":
        annotator = annotator_for(campaign=campaign, user=known(request.user))
        try:
            sheet = claim_next(annotator=annotator)
        except NotClaimable as refusal:
            if "url" in refusal.data:  # A step comes first, or the part in a panel is over.
                return redirect(refusal.data["url"])
            sheet, message = None, refusal.message
        if sheet is not None:
            return redirect("rate-sheet", slug, sheet.key)
    part = part_of(annotator=annotator) if annotator else None
    if part is not None and is_over(part):
        return redirect(last_page(part))
    progress = own_progress(campaign=campaign, annotator=annotator)
    context = {
        "campaign": campaign,
        "annotator": annotator,
        "progress": progress,
        "work": own_work(annotator=annotator) if annotator else None,
        "last": sheet_before(annotator=annotator, sheet=None) if annotator else None,
        "finished": message == "" and nothing_left(progress, asked=request.method == "POST"),
        "message": message,
        "part": part,
    }
    return render(request, "annotation/rate_start.html", context)


def nothing_left(progress: OwnProgress, *, asked: bool) -> bool:
    """Whether to thank the annotator: no sheet was found, or the last one was handed in."""
    return asked or (progress.done > 0 and not progress.open + progress.left)


@login_not_required  # Handles login itself, so that a submitted form is not lost.
@never_cache
@require_http_methods(["GET", "POST"])
def sheet_page(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """Show one sheet; a POST saves all of it, and submits it if it is complete."""
    asked = relogin.ask(request)
    if asked is not None:
        return asked
    annotator = _annotator(request, slug)
    if "annotator" in request.POST:
        own_annotator(user=request.user, key=_uuid(request.POST["annotator"]))
    sheet = sheet_get(annotator=annotator, key=key)
    typed = Typed()
    if request.method == "POST":
        view = sheet_view(annotator=annotator, sheet=sheet)
        typed = save_form(annotator=annotator, view=view, form=request.POST)
        _save_remark(annotator, view, request.POST)
        if request.POST.get("skip") and not typed.refused:
            return _skipped(request, annotator, key)
        if not typed.refused and _submitted(request, annotator, key):
            return _go_on(request, annotator, slug)
    context = {
        "campaign": annotator.campaign,
        "annotator": annotator,
        "sheet": sheet_view(annotator=annotator, sheet=sheet),
        "address": request.path,
        "progress": own_progress(campaign=annotator.campaign, annotator=annotator),
        "before": sheet_before(annotator=annotator, sheet=sheet),
        "refused": typed.refused,
    }
    return render(request, "annotation/rate.html", context, status=409 if typed.refused else 200)


def _submitted(request: HttpRequest, annotator: Annotator, key: UUID) -> bool:
    try:
        sheet_submit(annotator=annotator, sheet_key=key)
    except Incomplete as refusal:
        messages.info(request, _("Saved. ") + refusal.message)
        return False
    return True


def _skipped(request: HttpRequest, annotator: Annotator, key: UUID) -> HttpResponse:
    try:
        sheet_skip(annotator=annotator, sheet_key=key, reason=request.POST["skip"])
    except Conflict as refusal:
        messages.error(request, refusal.message)
        return redirect("rate-sheet", annotator.campaign.slug, key)
    return _go_on(request, annotator, annotator.campaign.slug)


def _go_on(request: HttpRequest, annotator: Annotator, slug: str) -> HttpResponse:
    try:
        following = claim_next(annotator=annotator)
    except NotClaimable as refusal:
        if "url" in refusal.data:
            return redirect(refusal.data["url"])
        following = None
    if following is None:
        return redirect("rate", slug)
    return redirect("rate-sheet", slug, following.key)


@dataclass(frozen=True, slots=True)
class Refused:
    """An answer that was not stored, next to the stored one."""

    text: str
    scale: str
    typed: Answer
    stored: dict[str, object] | None
    message: str


@dataclass(slots=True)
class Typed:
    """The outcome of a submitted form."""

    refused: list[Refused] = field(default_factory=list)


def save_form(*, annotator: Annotator, view: SheetView, form: QueryDict) -> Typed:
    """Save every answer that the form changes; a refused answer does not stop the others."""
    typed = Typed()
    for substitution in view.substitutions:
        for question in substitution.questions:
            name = f"{substitution.key}.{question.scale.key}"
            stored = question.answer
            answer = _answer(form, name, stored.comment)
            base = form.get(f"base.{name}", "")
            if answer is None or not base.isdecimal():
                continue
            if answer == Answer(stored.value, stored.reason, stored.comment):
                continue
            try:
                judgment_save(
                    annotator=annotator,
                    sheet_key=view.key,
                    substitution_key=substitution.key,
                    scale_key=question.scale.key,
                    answer=answer,
                    request_id=_uuid(form.get(f"id.{name}", "")),
                    base_version=int(base),
                )
            except (Conflict, Invalid) as refusal:
                typed.refused.append(
                    Refused(
                        substitution.text,
                        question.scale.name,
                        answer,
                        refusal.data.get("stored"),
                        refusal.message,
                    )
                )
    return typed


def _save_remark(annotator: Annotator, view: SheetView, form: QueryDict) -> None:
    if "remark.id" not in form:
        return
    said = RemarkView("remark.flagged" in form, form.get("remark.text", "").strip())
    if said != view.remark:
        remark_add(
            annotator=annotator,
            sheet_key=view.key,
            substitution_key=None,
            flagged=said.flagged,
            text=said.text.replace("\0", "")[:COMMENT_LENGTH],
            request_id=_uuid(form.get("remark.id", "")),
        )


def _answer(form: QueryDict, name: str, comment: str) -> Answer | None:
    """Return the form's answer to one question; None if it is unchanged.

    An unchanged answer is not sent: another tab may have changed it in the meantime.
    """
    value = form.get(f"value.{name}", "").strip()
    if value == "":
        return None
    if value == CANNOT:
        words = form.get(f"words.{name}", "").strip()
        answer = Answer(
            reason=words or form.get(f"reason.{name}", "").strip() or "other", comment=comment
        )
    else:
        try:
            answer = Answer(float(value), comment=comment)
        except ValueError:
            answer = Answer(float("nan"), comment=comment)
    return None if (plain(answer.value) or answer.reason) == form.get(f"was.{name}") else answer


def _uuid(text: str) -> UUID:
    """Parse a UUID that the server put into the form, so that submitting a form twice saves
    once.
    """
    try:
        return UUID(text)
    except ValueError:
        return uuid4()
