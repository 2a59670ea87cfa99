"""Fixed lists: who judges what."""

from __future__ import annotations

from io import BytesIO
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.errors import DomainError, Invalid
from annotation.forms.people import HandOnForm, ListsFileForm, ListsForm
from annotation.models import Campaign, WorkList
from annotation.selectors.access import Rights, campaign_get, get_in
from annotation.selectors.collecting.lists import list_order, work_lists
from annotation.services.importing.lists import lists_import
from annotation.services.importing.report import ImportReport
from annotation.services.people.lists import list_drop, list_hand_on, lists_set
from annotation.views.pages import campaign_page

SHOWN = 100


@never_cache
@require_http_methods(["GET", "POST"])
def lists(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the lists; a POST chooses between pool and lists, or imports a file of lists."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    act = request.POST.get("act", "")
    where = ListsForm(
        request.POST if act == "where" else None,
        initial={"lists": list_order(campaign_id=campaign.pk)},
    )
    form = ListsFileForm(*((request.POST, request.FILES) if act == "file" else ()))
    report: ImportReport | None = None
    if act == "where" and where.is_valid():
        try:
            lists_set(campaign=campaign, lists=where.cleaned_data["lists"], actor=request.user)
        except DomainError as refusal:
            where.add_error("lists", refusal.message)
        else:
            messages.success(request, _("Saved."))
            return redirect("lists", slug)
    if act == "file" and form.is_valid():
        report = _imported(campaign, form, request)
        if report.ok:
            said = ngettext("%(n)s line read.", "%(n)s lines read.", report.rows)
            messages.success(request, said % {"n": report.rows})
            return redirect("lists", slug)
    return _page(request, campaign, rights, where, form, report)


def _imported(campaign: Campaign, form: ListsFileForm, request: HttpRequest) -> ImportReport:
    file, text = form.cleaned_data["file"], form.cleaned_data["text"]
    stream = file.file if file else BytesIO(text.encode())
    format = None if file else ("tsv" if "\t" in text.partition("\n")[0] else "csv")
    return lists_import(
        campaign=campaign, stream=stream, name=file.name if file else "lists", format=format,
        actor=request.user,
    )  # fmt: skip


def _page(
    request: HttpRequest,
    campaign: Campaign,
    rights: Rights,
    where: ListsForm,
    form: ListsFileForm,
    report: ImportReport | None,
) -> HttpResponse:
    problems = report.problems if report else ()
    return campaign_page(
        request, "annotation/lists.html", campaign=campaign, rights=rights, where=where, form=form,
        problems=problems[:SHOWN], more=max(0, len(problems) - SHOWN),
        order=list_order(campaign_id=campaign.pk), rows=work_lists(campaign_id=campaign.pk),
        hand=HandOnForm(campaign=campaign),
        status=422 if where.errors or form.errors or problems else 200,
    )  # fmt: skip


@require_POST
def list_act(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """Hand what is left of a list on, or take it off."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    work_list = get_in(campaign, WorkList, key, "annotator", "campaign")
    form = HandOnForm(request.POST, campaign=campaign)
    try:
        if request.POST.get("act") == "drop":
            n = list_drop(work_list=work_list, actor=request.user)
            said = ngettext("%(n)s item taken off.", "%(n)s items taken off.", n)
        elif form.is_valid():
            n = list_hand_on(work_list=work_list, to=form.cleaned_data["to"], actor=request.user)
            said = ngettext("%(n)s item handed on.", "%(n)s items handed on.", n)
        else:
            raise Invalid(_("Choose another annotator of this campaign."))
    except DomainError as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, said % {"n": n})
    return redirect("lists", slug)
