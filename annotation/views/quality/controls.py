"""Control texts with their bands, and copies made on demand."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.errors import Conflict, Invalid
from annotation.forms.quality import BandsForm, CopiesForm, ExpectedFileForm, TextForm
from annotation.models import Campaign, Substitution
from annotation.selectors.access import Rights, campaign_get
from annotation.selectors.quality.overview import texts_by_role, texts_of_role, watching_text
from annotation.services.quality.copies import copies_make, degraded_make
from annotation.services.quality.imports import expected_import, text_add
from annotation.services.quality.rules import expected_remove, expected_set
from annotation.templatetags.rating import plain
from annotation.views.pages import campaign_page

Role = Substitution.Role
SHOWN = 50


@require_safe
def controls(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    return _page(request, campaign, rights)


def _page(request: HttpRequest, campaign: Campaign, rights: Rights, **found: Any) -> HttpResponse:
    counts = texts_by_role(campaign=campaign)
    context = {
        "text": TextForm(scales=campaign.scales.all(), explain=False, auto_id="text_%s"),
        "copies": CopiesForm(auto_id="copies_%s"),
        "upload": ExpectedFileForm(auto_id="upload_%s"),
        "problems": (),
        **found,
    }
    rows = texts_of_role(campaign=campaign, role=Role.CONTROL)
    return campaign_page(
        request, "annotation/quality_controls.html", campaign=campaign, rights=rights,
        page=Paginator(rows, SHOWN).get_page(request.GET.get("page")),
        degraded=counts.get(Role.DEGRADED, 0), exact=counts.get(Role.COPY, 0),
        status=422 if found else 200, **context,
    )  # fmt: skip


@require_POST
def control_new(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    form = TextForm(
        request.POST, scales=campaign.scales.all(), explain=False, auto_id="text_%s"
    )  # fmt: skip
    if form.is_valid():
        try:
            text_add(campaign=campaign, role=Role.CONTROL, actor=request.user, **form.as_text())
        except (Invalid, Conflict) as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("The control was added."))
            return redirect("quality-controls", slug)
    return _page(request, campaign, rights, text=form)


@require_POST
def copies_new(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    form = CopiesForm(request.POST, auto_id="copies_%s")
    if not form.is_valid():
        return _page(request, campaign, rights, copies=form)
    data = form.cleaned_data
    common = {"campaign": campaign, "items": data["items"], "seed": data["seed"]}
    if data["kind"] == "copy":
        made = len(copies_make(actor=request.user, **common))
    else:
        made = len(degraded_make(actor=request.user, method=data["kind"], **common))
    text = ngettext("%(n)d copy was made.", "%(n)d copies were made.", made) % {"n": made}
    if made < data["items"]:
        text += " " + _(
            "The other items already have one, or have no text that can be changed in this way."
        )
    messages.success(request, text)
    return redirect("quality-controls", slug)


@require_POST
def expected_upload(request: HttpRequest, slug: str) -> HttpResponse:
    """Import a file of controls and practice texts; any error rejects the entire file."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    form = ExpectedFileForm(request.POST, request.FILES, auto_id="upload_%s")
    if not form.is_valid():
        return _page(request, campaign, rights, upload=form)
    file = form.cleaned_data["file"]
    if file.size > settings.UPLOAD_MAX_BYTES:
        form.add_error("file", _("The file is too large."))
        return _page(request, campaign, rights, upload=form)
    report = expected_import(
        campaign=campaign, stream=file.file, name=file.name, actor=request.user
    )
    if not report.ok or not report.rows:
        if not report.problems:
            form.add_error("file", _("The file holds no rows."))
        return _page(request, campaign, rights, upload=form, problems=report.problems[:SHOWN])
    n = report.counts["texts"]
    done = ngettext(
        "%(n)d text has its expected values.", "%(n)d texts have their expected values.", n
    )
    messages.success(request, done % {"n": n})
    return redirect("quality-controls", slug)


@require_http_methods(["GET", "POST"])
def text_page(request: HttpRequest, slug: str, text: UUID) -> HttpResponse:
    """Change or remove the expected values of a control or practice text."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    found = watching_text(campaign=campaign, key=text)
    back = "quality-controls" if found.role == Role.CONTROL else "practice"
    form = BandsForm(
        request.POST or None, scales=campaign.scales.all(), initial=_initial(found),
        explain=found.role == Role.PRACTICE,
    )  # fmt: skip
    if request.method == "POST" and "remove" in request.POST:
        expected_remove(substitution=found, actor=request.user)
        messages.success(request, _("It is no longer checked; its judgments are kept."))
        return redirect(back, slug)
    if request.method == "POST" and form.is_valid():
        try:
            expected_set(substitution=found, bands=form.bands(), actor=request.user)
        except Invalid as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("Saved."))
            return redirect(back, slug)
    return campaign_page(
        request, "annotation/quality_text.html", campaign=campaign, rights=rights, text=found,
        form=form, back=back, status=422 if form.errors else 200,
    )  # fmt: skip


def _initial(text: Substitution) -> dict[str, str]:
    found: dict[str, str] = {}
    for band in text.expected.select_related("scale"):
        key = band.scale.key
        found |= {f"{key}-low": plain(band.low), f"{key}-high": plain(band.high)}
        found[f"{key}-why"] = band.explanation
    return found
