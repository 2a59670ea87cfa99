"""The rating screen as pages and plain forms; static/js/rate enhances it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth import authenticate
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import redirect_to_login
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_GET, require_http_methods, require_safe

from annotation.access import logged_in
from annotation.accounts.login import SecondFactorAsked, entry_count, factor_passed, sender_of
from annotation.accounts.tokens import finish
from annotation.collecting.claiming import NotClaimable, claim_next
from annotation.collecting.save_queries import Answer
from annotation.collecting.saving import COMMENT_LENGTH, judgment_save, sheet_submit
from annotation.collecting.sheets import (
    SheetView,
    remark_add,
    sheet_before,
    sheet_get,
    sheet_skip,
    sheet_view,
)
from annotation.errors import Conflict, DomainError, Incomplete, Invalid, NotFound
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.http.fields import plain
from annotation.http.markdown import as_html
from annotation.models import Annotator, BackgroundQuestion, Campaign
from annotation.panels.queries import is_over, last_page
from annotation.people.annotators import (
    annotator_of,
    consent_newest,
    consent_of,
    own_annotator,
    part_of,
    questions_asked,
    questions_left,
)
from annotation.people.background import (
    TEXT_LENGTH,
    Given,
    TextChanged,
    background_answer,
    consent_give,
)
from annotation.people.membership import annotator_for, guest_with
from annotation.people.membership_views import guest_log_in
from annotation.quality.practice import next_step
from annotation.sheets.own_work import (
    RemarkView,
    own_day,
    own_history,
    own_work,
    remarks_of,
    skips_of,
)
from annotation.sheets.progress import OwnProgress, own_progress
from paraanno import clock

# Log in again after the session has expired, without losing a submitted form.


NAME, PASSWORD, CODE = "relogin.name", "relogin.password", "relogin.code"
LINK = "relogin.link"  # Of guests, who have no password.
OWN = {NAME, PASSWORD, CODE, LINK, "csrfmiddlewaretoken"}


@sensitive_variables("password", "code")
def ask(request: HttpRequest) -> HttpResponse | None:
    """Return None if somebody is logged in, else the login page as response.

    The page carries the submitted answers. Their owner is checked after the login.
    """
    if request.user.is_authenticated:
        return None
    if not any(name.startswith("value.") for name in request.POST):
        return redirect_to_login(request.get_full_path())
    error, password, code = "", request.POST.get(PASSWORD, ""), request.POST.get(CODE, "")
    second = CODE in request.POST
    if password:
        error = _("The name or the password is not right.")
        try:
            user = authenticate(request, username=request.POST.get(NAME, ""), password=password)
            if user is not None:
                account = logged_in(user)
                second_given = factor_passed(user=account, code=code, request=request)
                finish(request, account, second=second_given, fresh=True)
                return None
        except DomainError as refusal:
            error, second = refusal.message, second or isinstance(refusal, SecondFactorAsked)
    elif link := request.POST.get(LINK, ""):
        entry_count(address=sender_of(request))
        guest = guest_with(token=link.strip().rstrip("/").rpartition("/")[2])
        if guest is not None:
            guest_log_in(request, guest)
            return None
        error = _("Open the link that you got when you began: it knows you.")
    fields = [(name, value) for name, value in request.POST.items() if name not in OWN]
    context = {"kept": fields, "error": error, "name": request.POST.get(NAME, ""), "second": second}
    return render(request, "annotation/rate_login.html", context)


CANNOT = "none"


def _annotator(page: CampaignPage) -> Annotator:
    """Return the user's annotator. Raises NotFound for a user who has not started: they have
    no sheet.
    """
    annotator = annotator_of(campaign=page.campaign, user=page.user)
    if annotator is None:
        raise NotFound(_("There is no such sheet."))
    annotator.campaign = page.campaign
    return annotator


@never_cache
@require_http_methods(["GET", "POST"])
@campaign_view("annotate")
def start(page: CampaignPage) -> HttpResponse:
    """Show what is done and left; a POST claims a sheet and redirects to it."""
    annotator = annotator_of(campaign=page.campaign, user=page.user)
    message = ""
    if page.sent:
        annotator = annotator_for(campaign=page.campaign, user=logged_in(page.user))
        try:
            sheet = claim_next(annotator=annotator)
        except NotClaimable as refusal:
            if "url" in refusal.data:  # A step comes first, or the part in a panel is over.
                return redirect(refusal.data["url"])
            sheet, message = None, refusal.message
        if sheet is not None:
            return page.go("rate-sheet", sheet.key)
    part = part_of(annotator=annotator) if annotator else None
    if part is not None and is_over(part):
        return redirect(last_page(part))
    progress = own_progress(campaign=page.campaign, annotator=annotator)
    return page.bare(
        "annotation/rate_start.html",
        annotator=annotator,
        progress=progress,
        work=own_work(annotator=annotator) if annotator else None,
        last=sheet_before(annotator=annotator, sheet=None) if annotator else None,
        finished=message == "" and nothing_left(progress, requested=page.sent),
        message=message,
        part=part,
    )


def nothing_left(progress: OwnProgress, *, requested: bool) -> bool:
    """Whether to thank the annotator: no sheet was found, or the last one was handed in."""
    return requested or (progress.done > 0 and not progress.open + progress.left)


@login_not_required  # Handles login itself, so that a submitted form is not lost.
@never_cache
@require_http_methods(["GET", "POST"])
def sheet_page(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """Show one sheet; a POST saves all of it, and submits it if it is complete."""
    login_page = ask(request)
    if login_page is not None:
        return login_page
    page = CampaignPage(request, slug, "annotate")
    annotator = _annotator(page)
    if "annotator" in page.post:
        own_annotator(user=page.user, key=_uuid(page.post["annotator"]))
    sheet = sheet_get(annotator=annotator, key=key)
    typed = Typed()
    if page.sent:
        view = sheet_view(annotator=annotator, sheet=sheet)
        typed = save_form(annotator=annotator, view=view, form=page.post)
        _save_remark(annotator, view, page.post)
        if page.post.get("skip") and not typed.refused:
            return _skipped(page, annotator, key)
        if not typed.refused and _submitted(page, annotator, key):
            return _go_on(page, annotator)
    return page.bare(
        "annotation/rate.html",
        annotator=annotator,
        sheet=sheet_view(annotator=annotator, sheet=sheet),
        address=page.request.path,
        progress=own_progress(campaign=annotator.campaign, annotator=annotator),
        before=sheet_before(annotator=annotator, sheet=sheet),
        refused=typed.refused,
        status=409 if typed.refused else 200,
    )


def _submitted(page: CampaignPage, annotator: Annotator, key: UUID) -> bool:
    try:
        sheet_submit(annotator=annotator, sheet_key=key)
    except Incomplete as refusal:
        messages.info(page.request, _("Saved. ") + refusal.message)
        return False
    return True


def _skipped(page: CampaignPage, annotator: Annotator, key: UUID) -> HttpResponse:
    try:
        sheet_skip(annotator=annotator, sheet_key=key, reason=page.post["skip"])
    except Conflict as refusal:
        page.warns(refusal.message)
        return page.go("rate-sheet", key)
    return _go_on(page, annotator)


def _go_on(page: CampaignPage, annotator: Annotator) -> HttpResponse:
    try:
        following = claim_next(annotator=annotator)
    except NotClaimable as refusal:
        if "url" in refusal.data:
            return redirect(refusal.data["url"])
        following = None
    if following is None:
        return page.go("rate")
    return page.go("rate-sheet", following.key)


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
    remark = RemarkView("remark.flagged" in form, form.get("remark.text", "").strip())
    if remark != view.remark:
        remark_add(
            annotator=annotator,
            sheet_key=view.key,
            substitution_key=None,
            flagged=remark.flagged,
            text=remark.text.replace("\0", "")[:COMMENT_LENGTH],
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


# The pages before the first sheet: consent and questions about the annotator.


@never_cache
@require_http_methods(["GET", "POST"])
@campaign_view("annotate")
def consent(page: CampaignPage) -> HttpResponse:
    """Show the text to agree to, or the consent given; a POST agrees to the version it names."""
    if page.sent:
        annotator = annotator_for(campaign=page.campaign, user=logged_in(page.user))
        version = page.post.get("version", "")
        try:
            consent_give(annotator=annotator, version=int(version) if version.isdecimal() else 0)
        except TextChanged as refusal:
            page.warns(refusal.message)
            return page.go("rate-consent")
        return _onwards(page.campaign, annotator)
    begun = annotator_of(campaign=page.campaign, user=page.user)
    newest = consent_newest(campaign=page.campaign)
    given = consent_of(annotator=begun) if begun else None
    return page.bare(
        "annotation/rate_consent.html",
        newest=newest,
        text=as_html(newest.text) if newest else "",
        given=given if given and newest and given.text == newest else None,
        before=given,
        part=part_of(annotator=begun) if begun else None,
    )


@never_cache
@require_http_methods(["GET", "POST"])
@campaign_view("annotate")
def background(page: CampaignPage) -> HttpResponse:
    """Show the remaining questions; a POST answers all of them or none."""
    errors: dict[str, str] = {}
    if page.sent:
        annotator = annotator_for(campaign=page.campaign, user=logged_in(page.user))
        answers = {
            question.key: _given(page.request, question)
            for question in questions_left(annotator=annotator)
        }
        try:
            background_answer(annotator=annotator, answers=answers)
        except Invalid as refusal:
            errors = refusal.data["fields"]
        except Conflict as refusal:
            page.warns(refusal.message)
            return page.go("rate-background")
        else:
            return _onwards(page.campaign, annotator)
    begun = annotator_of(campaign=page.campaign, user=page.user)
    left = list(
        questions_left(annotator=begun) if begun else questions_asked(campaign=page.campaign)
    )
    context = {
        "campaign": page.campaign,
        "questions": [
            (one, _given(page.request, one), errors.get(str(one.key), "")) for one in left
        ],
        "errors": errors,
        "first_wrong": next((one.key for one in left if str(one.key) in errors), None),
        "longest": TEXT_LENGTH,
    }
    status = 422 if errors else 200
    return render(page.request, "annotation/rate_background.html", context, status=status)


def _given(request: HttpRequest, question: BackgroundQuestion) -> Given:
    texts = request.POST.getlist(f"answer.{question.key}")
    # For "one of several", declining is one more option, without a text.
    silent = question.kind == BackgroundQuestion.Kind.CHOICE and texts == [""]
    return Given(texts, silent or f"declined.{question.key}" in request.POST)


def _onwards(campaign: Campaign, annotator: Annotator) -> HttpResponse:
    part = part_of(annotator=annotator)
    if part is not None and annotator.ineligible_since is not None:
        return redirect(last_page(part))
    step = next_step(annotator=annotator)
    if step is None:
        return redirect("rate", campaign.slug)
    return redirect(step.url(slug=campaign.slug))


# The service worker of the rating pages (static/js/rate/worker.js).


@login_not_required  # The browser looks for a newer one by itself, and takes no redirect.
@never_cache
@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Return the script from below /rate/, because its address limits what it answers for."""
    script = Path(str(finders.find("js/rate/worker.js")))
    return HttpResponse(script.read_bytes(), content_type="text/javascript; charset=utf-8")


# An annotator's own page: their work, their pace, and links back to their sheets.


@never_cache
@require_safe
@campaign_view("annotate")
def own(page: CampaignPage) -> HttpResponse:
    annotator = annotator_of(campaign=page.campaign, user=page.user)
    done = own_history(annotator=annotator)
    now = clock.now()
    work = own_work(annotator=annotator, now=now) if annotator else None
    return page.bare(
        "annotation/rate_own.html",
        annotator=annotator,
        progress=own_progress(campaign=page.campaign, annotator=annotator),
        consent=consent_of(annotator=annotator) if annotator else None,
        work=work,
        day=own_day(annotator=annotator, work=work, now=now) if annotator and work else None,
        page=page.paged(done, 50),
        revise=page.campaign.allow_revision and page.campaign.status == Campaign.Status.OPEN,
    )


# Annotators' remarks on texts, for researchers.


@require_GET
@campaign_view("read")
def remarks(page: CampaignPage) -> HttpResponse:
    """Show flags, comments and skipped sheets."""
    rows = page.paged(remarks_of(campaign=page.campaign), 50)
    return page.render(
        "annotation/remarks.html",
        page=rows,
        skips=skips_of(campaign=page.campaign)[:200],
    )
