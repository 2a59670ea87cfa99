"""The list of metrics, and a page for each with its documentation."""

from __future__ import annotations

import re

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from annotation.errors import NotAllowed
from annotation.presenters.markdown import as_html
from annotation.selectors.access import campaigns_read_by
from scoring.selectors.metrics import MetricAbout, metric_get, metrics_by_family

FAMILIES = {
    "overlap": gettext_lazy("Words and characters in common"),
    "surface": gettext_lazy("How much the wording changes"),
    "embedding": gettext_lazy("Word vectors"),
    "neural": gettext_lazy("Neural models"),
    "morphemes": gettext_lazy("Morphemes"),
    "paraphrase table": gettext_lazy("Paraphrase tables"),
    "language model": gettext_lazy("Language models"),
    "combination": gettext_lazy("Combinations"),
    "other": gettext_lazy("Others"),
}
# A link between documentation pages.
_LINK = re.compile(r'<a href="([^":]*)"[^>]*>(.*?)</a>', re.DOTALL)


@require_GET
def metrics(request: HttpRequest) -> HttpResponse:
    """All metrics by family, and what is missing for those that cannot be used."""
    _check(request)
    families = [(FAMILIES[family], found) for family, found in metrics_by_family(user=request.user)]
    return render(request, "scoring/metrics.html", {"families": families})


@require_GET
def metric(request: HttpRequest, metric: str) -> HttpResponse:
    """One metric and its options."""
    _check(request)
    about = metric_get(name=metric, user=request.user)
    context = {"metric": about, "family": FAMILIES[about.family], "body": _body(about)}
    return render(request, "scoring/metric.html", context)


def _check(request: HttpRequest) -> None:
    if not campaigns_read_by(user=request.user).exists():
        raise NotAllowed(_("Only members who may see results can open this page."))


def _body(about: MetricAbout) -> SafeString:
    """The documentation of a metric, or else its docstring."""
    html: str = as_html(about.page or f"# {about.title}\n\n{about.docstring}")
    html = _LINK.sub(_linked, html).replace("<pre>", '<pre tabindex="0">')  # it may scroll
    return mark_safe(html)  # noqa: S308 as_html cleaned it


def _linked(found: re.Match[str]) -> str:
    """Links to metrics point to their pages; links to anything else outside the site are
    removed."""
    target = re.fullmatch(r"([\w-]+)\.md", found[1])
    return f'<a href="../{target[1]}/">{found[2]}</a>' if target else found[2]
