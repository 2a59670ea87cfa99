"""The guidelines: read and search for everybody, edit for researchers."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.forms.campaigns import GuidelineForm
from annotation.models import Campaign, Guideline
from annotation.presenters.guideline_parts import changes, guide_of
from annotation.selectors.access import Rights, campaign_get
from annotation.selectors.campaigns.guidelines import guideline_first_used, guideline_get
from annotation.selectors.people.annotators import annotator_of
from annotation.services.campaigns.campaigns import guideline_add
from annotation.views.pages import campaign_page


@require_http_methods(["GET", "POST"])
def guidelines(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the newest version; `?q=` searches it, `?fragment=1` returns the text alone.

    Researchers can also read old versions with `?version=`, and the changes since a version with
    `?since=`.
    """
    campaign, rights = campaign_get(
        user=request.user, slug=slug, right="research" if request.method == "POST" else "see"
    )
    newest = campaign.guidelines.first()
    form = GuidelineForm(request.POST or None, initial={"text": newest.text if newest else ""})
    if request.method == "POST" and form.is_valid():
        guideline_add(campaign=campaign, text=form.cleaned_data["text"], actor=request.user)
        messages.success(request, _("The new version is shown from now on."))
        return redirect("guidelines", slug)
    shown = newest
    if rights.research and request.GET.get("version"):
        shown = guideline_get(campaign=campaign, version=request.GET["version"])
    context: dict[str, Any] = {
        "guideline": shown,
        "older": shown != newest,
        **_article(request, campaign, rights, shown),
    }
    if request.GET.get("fragment"):
        context = {**context, "campaign": campaign, "fragment": True}
        return render(request, "annotation/_guideline.html", context)
    return campaign_page(
        request, "annotation/guidelines.html", campaign=campaign, rights=rights,
        form=form if rights.research else None,
        versions=campaign.guidelines.select_related("created_by") if rights.research else [],
        **context,
    )  # fmt: skip


def _article(
    request: HttpRequest, campaign: Campaign, rights: Rights, shown: Guideline | None
) -> dict[str, Any]:
    if shown is None:
        return {}
    query = request.GET.get("q", "").strip()[:200]
    scales = list(campaign.scales.prefetch_related("points"))
    since = _since(request, campaign, rights)
    old = since is not None and since.version < shown.version
    return {
        "query": query,
        "guide": guide_of(text=shown.text, scales=scales, query=query),
        "since": since if old else None,
        "changes": changes(since.text, shown.text) if since is not None and old else [],
    }


def _since(request: HttpRequest, campaign: Campaign, rights: Rights) -> Guideline | None:
    """Return the version to compare with: the requested one, or the reader's own first one."""
    if rights.research and request.GET.get("since"):
        return guideline_get(campaign=campaign, version=request.GET["since"])
    annotator = annotator_of(campaign=campaign, user=request.user)
    return guideline_first_used(annotator=annotator) if annotator else None
