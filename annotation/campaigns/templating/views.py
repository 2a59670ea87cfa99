"""Templates: of a campaign, to download, compare and apply; and those that people save."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.access import (
    Rights,
    campaign_get,
    creator,
    place_read,
    refuse_move,
    refuse_removal,
    scope_choices,
    scope_value,
)
from annotation.campaigns.forms import CampaignFromFileForm, SavedTemplateForm, TemplateFileForm
from annotation.campaigns.services import campaign_create
from annotation.campaigns.setup_views import to_first_step
from annotation.campaigns.templating.applying import template_apply
from annotation.campaigns.templating.changes import changes_digest, template_changes, template_read
from annotation.campaigns.templating.parts import (
    saved_template_add,
    saved_template_move,
    saved_template_remove,
    template_ok,
)
from annotation.campaigns.templating.queries import (
    saved_get,
    saved_rows,
    template_groups,
    template_of,
    template_offered,
)
from annotation.errors import DomainError, Invalid
from annotation.exporters import write_template
from annotation.http.markdown import different_lines
from annotation.http.pages import campaign_page
from annotation.importers import TemplateRead
from annotation.models import Campaign

YAML = "application/yaml; charset=utf-8"


def _file(text: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}.yaml"'}
    return HttpResponse(text, content_type=YAML, headers=headers)


@require_http_methods(["GET", "POST"])
def campaign_template(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page. A POST with a file shows what it would change; with the text that was shown,
    and `apply`, it makes the changes.
    """
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    if "apply" in request.POST:
        return _applied(request, campaign, rights)
    sent = request.method == "POST"
    form = TemplateFileForm(request.POST, request.FILES) if sent else TemplateFileForm()
    if sent and form.is_valid():
        data, name = form.cleaned_data["file"].read(), form.cleaned_data["file"].name
        read = template_read(data=data, name=name)
        return _shown(request, campaign, rights, read, data.decode("utf-8", "replace"), name)
    return _page(request, campaign, rights, form, status=422 if form.errors else 200)


def _applied(request: HttpRequest, campaign: Campaign, rights: Rights) -> HttpResponse:
    text, name = request.POST["apply"], request.POST.get("name", "template.yaml")
    read = template_read(data=text.encode(), name=name)
    if read.template is None:
        return _shown(request, campaign, rights, read, text, name)
    try:
        changes = template_apply(
            campaign=campaign,
            template=read.template,
            actor=request.user,
            seen=request.POST.get("seen", ""),
        )
    except DomainError as refusal:
        messages.error(request, refusal.message)
        return _shown(request, campaign, rights, read, text, name)
    messages.success(request, _("%(n)s changes made.") % {"n": len(changes)})
    return redirect("campaign-template", campaign.slug)


def _shown(
    request: HttpRequest,
    campaign: Campaign,
    rights: Rights,
    read: TemplateRead,
    text: str,
    name: str,
) -> HttpResponse:
    """The differences, or the problems of the file."""
    if read.template is None:
        problems = read.problems
        return _page(request, campaign, rights, TemplateFileForm(), status=422, problems=problems)
    changes = template_changes(campaign=campaign, template=read.template)
    refused = any(one.refused for one in changes)
    return _page(
        request,
        campaign,
        rights,
        TemplateFileForm(),
        read=read,
        text=text,
        changes=[(one, different_lines(one.before, one.after)) for one in changes],
        file_name=name,
        refused=refused,
        seen=changes_digest(changes),
        status=422 if refused else 200,
    )


def _page(
    request: HttpRequest,
    campaign: Campaign,
    rights: Rights,
    form: TemplateFileForm,
    **context: Any,
) -> HttpResponse:
    return campaign_page(
        request,
        "annotation/campaign_template.html",
        campaign=campaign,
        rights=rights,
        form=form,
        **context,
    )


@require_GET
def template_file(request: HttpRequest, slug: str) -> HttpResponse:
    """The campaign's own template."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    return _file(write_template(template_of(campaign=campaign)), campaign.slug)


@require_http_methods(["GET", "POST"])
def campaign_from_file(request: HttpRequest) -> HttpResponse:
    """Make a campaign as a file says."""
    actor = creator(user=request.user)
    form = CampaignFromFileForm(request.POST or None, request.FILES or None)
    problems: Any = ()
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        read = template_read(data=given["file"].read(), name=given["file"].name)
        problems = read.problems
        if read.template is not None:
            try:
                campaign = campaign_create(
                    actor=actor,
                    slug=given["slug"],
                    name=given["name"],
                    template=read.template,
                    run_metrics=True,
                )
            except Invalid as refusal:
                form.add_error(None, refusal.message)
            else:
                return to_first_step(campaign)
    context = {"form": form, "problems": problems}
    status = 422 if problems or form.errors else 200
    return render(request, "annotation/campaign_from_file.html", context, status=status)


@require_http_methods(["GET", "POST"])
def templates(request: HttpRequest) -> HttpResponse:
    """Every template that a campaign of this user may start from; a POST saves one."""
    user = creator(user=request.user)
    choices = scope_choices(user=user)
    form = SavedTemplateForm(request.POST or None, request.FILES or None, choices=choices)
    problems: Any = ()
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        data = given["file"].read()
        read = template_read(data=data, name=given["file"].name)
        problems = read.problems
        try:
            template_ok(read)
            saved_template_add(
                name=given["name"],
                label=given["label"],
                text=data.decode("utf-8-sig"),
                place=place_read(user=user, value=given["scope"]),
                actor=user,
            )
        except Invalid as refusal:
            if not problems:
                form.add_error("name", refusal.message)
        else:
            messages.success(request, _("The template is offered from now on."))
            return redirect("templates")
    context = {
        "groups": template_groups(),
        "form": form,
        "problems": problems,
        "scopes": choices,
        "rows": [(row, scope_value(row.template.place)) for row in saved_rows(user=user)],
    }
    status = 422 if problems or form.errors else 200
    return render(request, "annotation/templates.html", context, status=status)


@require_GET
def template_download(request: HttpRequest, template: str) -> HttpResponse:
    """The file of a template that they see."""
    user = creator(user=request.user)
    offered = template_offered(user=user, name=template)
    return _file(offered.template, offered.name)


@require_POST
def template_scope(request: HttpRequest, template: str) -> HttpResponse:
    """Change who may use a saved template."""
    user = creator(user=request.user)
    row = saved_get(user=user, name=template)
    refuse_move(row=row, user=user)
    try:
        place = place_read(user=user, value=request.POST.get("scope", ""))
        saved_template_move(template=row, place=place, actor=user)
    except Invalid as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("%(name)s: saved who may use it.") % {"name": row.label})
    return redirect("templates")


@require_POST
def template_remove(request: HttpRequest, template: str) -> HttpResponse:
    """Remove a saved template."""
    user = creator(user=request.user)
    row = saved_get(user=user, name=template)
    refuse_removal(row=row, user=user)
    saved_template_remove(template=row, actor=user)
    messages.success(request, _("The template is not offered any more."))
    return redirect("templates")
