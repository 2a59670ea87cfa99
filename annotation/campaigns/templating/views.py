"""Templates: of a campaign, to download, compare and apply; and those that people save."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.access import (
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
    template_of,
    template_offered,
)
from annotation.errors import DomainError, Invalid
from annotation.exporters.texts import write_template
from annotation.http.campaign_page import CampaignPage, Page, campaign_view
from annotation.http.markdown import different_lines
from annotation.importers.campaign_template import TemplateRead
from annotation.starters import template_groups

YAML = "application/yaml; charset=utf-8"


def _file(text: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}.yaml"'}
    return HttpResponse(text, content_type=YAML, headers=headers)


@require_http_methods(["GET", "POST"])
@campaign_view("research")
def campaign_template(page: CampaignPage) -> HttpResponse:
    """Show the page. A POST with a file shows what it would change; with the text that was shown,
    and `apply`, it makes the changes.
    """
    if "apply" in page.post:
        return _applied(page)
    form = TemplateFileForm(page.posted, page.request.FILES or None)
    if form.is_valid():
        data, name = form.cleaned_data["file"].read(), form.cleaned_data["file"].name
        read = template_read(data=data, name=name)
        return _shown(page, read, data.decode("utf-8", "replace"), name)
    return _page(page, form)


def _applied(page: CampaignPage) -> HttpResponse:
    text, name = page.post["apply"], page.post.get("name", "template.yaml")
    read = template_read(data=text.encode(), name=name)
    if read.template is None:
        return _shown(page, read, text, name)
    try:
        changes = template_apply(
            campaign=page.campaign,
            template=read.template,
            actor=page.user,
            seen=page.post.get("seen", ""),
        )
    except DomainError as refusal:
        page.warns(refusal.message)
        return _shown(page, read, text, name)
    return page.done(_("%(n)s changes made.") % {"n": len(changes)}, "campaign-template")


def _shown(page: CampaignPage, read: TemplateRead, text: str, name: str) -> HttpResponse:
    """The differences, or the problems of the file."""
    if read.template is None:
        return _page(page, TemplateFileForm(), status=422, problems=read.problems)
    changes = template_changes(campaign=page.campaign, template=read.template)
    refused = any(one.refused for one in changes)
    return _page(
        page,
        TemplateFileForm(),
        read=read,
        text=text,
        changes=[(one, different_lines(one.before, one.after)) for one in changes],
        file_name=name,
        refused=refused,
        seen=changes_digest(changes),
        status=422 if refused else 200,
    )


def _page(page: CampaignPage, form: TemplateFileForm, **context: Any) -> HttpResponse:
    return page.render(
        "annotation/campaign_template.html",
        form=form,
        **context,
    )


@require_GET
@campaign_view("research")
def template_file(page: CampaignPage) -> HttpResponse:
    """The campaign's own template."""
    return _file(write_template(template_of(campaign=page.campaign)), page.campaign.slug)


@require_http_methods(["GET", "POST"])
def campaign_from_file(request: HttpRequest) -> HttpResponse:
    """Make a campaign as a file says."""
    actor = creator(user=request.user)
    page = Page(request)
    form = CampaignFromFileForm(page.posted, request.FILES or None)
    problems: Any = ()
    if form.is_valid():
        given = form.cleaned_data
        read = template_read(data=given["file"].read(), name=given["file"].name)
        problems = read.problems
        template = read.template
        if template is not None:
            campaign = page.saved(
                form,
                lambda: campaign_create(
                    actor=actor,
                    slug=given["slug"],
                    name=given["name"],
                    template=template,
                    run_metrics=True,
                ),
            )
            if campaign is not None:
                return to_first_step(campaign)
    return page.render(
        "annotation/campaign_from_file.html",
        form=form,
        problems=problems,
        status=422 if problems else None,
    )


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
    page = Page(request)
    return page.act(
        "templates",
        do=lambda: saved_template_move(
            template=row,
            place=place_read(user=user, value=page.post.get("scope", "")),
            actor=user,
        ),
        done=_("%(name)s: saved who may use it.") % {"name": row.label},
    )


@require_POST
def template_remove(request: HttpRequest, template: str) -> HttpResponse:
    """Remove a saved template."""
    user = creator(user=request.user)
    row = saved_get(user=user, name=template)
    refuse_removal(row=row, user=user)
    saved_template_remove(template=row, actor=user)
    return Page(request).done(_("The template is not offered any more."), "templates")
