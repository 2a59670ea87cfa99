"""Pages of a campaign: list, creation, overview, settings, log."""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)

from annotation.access import Rights, creator, rights_in
from annotation.campaigns import services
from annotation.campaigns.forms import CampaignForm, GuidelineForm, NewCampaignForm, ThresholdForm
from annotation.campaigns.overview import (
    CARDS,
    end_told,
    needs_of,
    pace_told,
    progress_chart,
    work_now,
)
from annotation.campaigns.queries import (
    campaign_counts,
    campaigns_to_annotate,
    campaigns_with_progress,
    guideline_first_used,
    guideline_get,
    language_asked,
    log_of,
)
from annotation.campaigns.services import guideline_add
from annotation.campaigns.setup import setup_of
from annotation.campaigns.setup_views import to_first_step
from annotation.errors import Invalid
from annotation.http.campaign_page import CampaignPage, Page, campaign_view
from annotation.http.fields import plain
from annotation.http.markdown import Section, marked, sections_of
from annotation.models import Campaign, Guideline, Scale
from annotation.people.annotators import annotator_of, working_now
from annotation.sheets.progress import WorkCourse, figures_of, work_course, work_courses


@require_GET
def campaign_list(request: HttpRequest) -> HttpResponse:
    archived = request.GET.get("archived") == "1"
    context = {
        "campaigns": campaigns_with_progress(user=request.user, archived=archived),
        "archived": archived,
        "any_archived": campaigns_with_progress(user=request.user, archived=True).exists(),
    }
    return render(request, "annotation/campaign_list.html", context)


@require_http_methods(["GET", "POST"])
def campaign_new(request: HttpRequest) -> HttpResponse:
    actor = creator(user=request.user)
    language = get_language()  # Of the questions, until another is given.
    initial = {"run_metrics": True} | ({} if language == "en" else {"language": language})
    page = Page(request)
    form = NewCampaignForm(page.posted, initial=initial, user=actor)
    campaign = page.saved(form, lambda: services.campaign_create(actor=actor, **form.cleaned_data))
    if campaign is not None:
        return to_first_step(campaign)
    return page.render("annotation/campaign_new.html", form=form)


@require_GET
@campaign_view()
def campaign_home(page: CampaignPage) -> HttpResponse:
    """Show how far the campaign is; annotators are redirected to their work."""
    if not page.rights.read:
        return page.go("rate")
    return _home(page)


@require_POST
@campaign_view("research")
def campaign_language(page: CampaignPage) -> HttpResponse:
    """Set the language of the texts; an error is shown beside the field."""
    given = page.post.get("language", "")
    try:
        services.campaign_update(
            campaign=page.campaign, actor=page.user, changes={"language": given}
        )
    except Invalid as refusal:
        return _home(page, language_error=refusal.message, language_given=given, status=422)
    return page.done(_("Saved."), "campaign")


def _home(page: CampaignPage, **context: Any) -> HttpResponse:
    course = work_course(campaign=page.campaign)
    forecast = course.forecast() if page.campaign.status == Campaign.Status.OPEN else None
    return page.render(
        "annotation/campaign.html",
        course=course,
        chart=progress_chart(course, None if course.missing else forecast),
        pace=pace_told(forecast),
        end=end_told(course, forecast),
        work=work_now(
            course,
            working_now(campaign=page.campaign, now=course.now),
            figures_of(campaign=page.campaign),
        ),
        counts=campaign_counts(campaign=page.campaign),
        needs=[
            need
            for _one, need in needs_of(
                courses={page.campaign: course}, rights={page.campaign: page.rights}
            )
        ],
        # Of a draft without judgments there is nothing to draw.
        cards=CARDS if page.campaign.opened_at or page.campaign.judgments.exists() else [],
        asks_language=language_asked(campaign=page.campaign),
        setup=setup_of(campaign=page.campaign)
        if page.rights.research and not page.campaign.opened_at
        else None,
        **context,
    )


@require_POST
@campaign_view("research")
def campaign_status(page: CampaignPage) -> HttpResponse:
    """Open, pause or close the campaign."""
    acts = {
        "open": services.campaign_open,
        "pause": services.campaign_pause,
        "close": services.campaign_close,
    }
    act = acts.get(page.post.get("act", ""))
    if act is None:
        raise Invalid(_("Choose open, pause or close."))

    def change() -> str:
        campaign = act(campaign=page.campaign, actor=page.user)
        return _("The campaign is %(state)s.") % {"state": campaign.get_status_display().lower()}

    return page.act("campaign", do=change)


@require_http_methods(["GET", "POST"])
@campaign_view("research")
def campaign_settings(page: CampaignPage) -> HttpResponse:
    # A copy: a form changes its instance even if the input is invalid.
    form = CampaignForm(page.posted, instance=copy(page.campaign))
    if page.saves(
        form,
        lambda: services.campaign_update(
            campaign=page.campaign, actor=page.user, changes=form.cleaned_data
        ),
    ):
        return page.done(_("Saved."), "settings")
    scales = [
        (
            scale,
            ThresholdForm(initial={"threshold": plain(scale.threshold)}, auto_id=f"t{scale.pk}_%s"),
        )
        for scale in page.campaign.scales.prefetch_related("points")
    ]
    return page.render(
        "annotation/settings.html",
        form=form,
        scales=scales,
    )


@require_GET
@campaign_view("research")
def audit_log(page: CampaignPage) -> HttpResponse:
    rows = page.paged(log_of(campaign=page.campaign), 25)
    return page.render("annotation/audit.html", page=rows)


# Guidelines split into sections and examples per scale point, and differences between versions.
#
# A heading that names a scale and one of its values, such as `### MEANING 5` or `### Meaning 5:
# same`, starts examples for that point. They are shown in a table next to the point's anchor, not
# in the running text.


Points = dict[float, list[Section]]
MOST_WORDS = 10


@dataclass(frozen=True, slots=True)
class GuidelineSection:
    """A displayed section; `anchor` is its id in the table of contents."""

    anchor: str
    level: int
    title: str
    html: SafeString


@dataclass(frozen=True, slots=True)
class Example:
    """A scale point with its anchor and examples (empty if there are none)."""

    value: float
    label: str
    anchor: str
    html: SafeString


@dataclass(frozen=True, slots=True)
class ScaleTable:
    """The points of one scale."""

    scale: Scale
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class Guide:
    """A guideline, or the parts of it that match a search."""

    parts: tuple[GuidelineSection, ...]
    tables: tuple[ScaleTable, ...]
    contents: tuple[GuidelineSection, ...]

    @property
    def matches(self) -> int:
        """The number of sections and points shown."""
        return len(self.parts) + sum(len(table.examples) for table in self.tables)


def guide_of(*, text: str, scales: Sequence[Scale], query: str = "") -> Guide:
    """Split the guideline into parts; with a query, keep those with all its words and mark the
    words.
    """
    words = query.split()[:MOST_WORDS]
    running, taken = _sorted(sections_of(text), scales)
    parts = tuple(_part(at, one, words) for at, one in enumerate(running) if _has(one.words, words))
    tables = [_table(scale, taken[scale.pk], words) for scale in scales if taken[scale.pk]]
    return Guide(
        parts=parts,
        tables=tuple(table for table in tables if table.examples),
        # The guideline's own title is not in the table of contents.
        contents=tuple(part for at, part in enumerate(parts) if part.level > (at == 0)),
    )


def _has(text: str, words: Sequence[str]) -> bool:
    folded = text.casefold()
    return all(word.casefold() in folded for word in words)


def _part(at: int, section: Section, words: Sequence[str]) -> GuidelineSection:
    anchor = f"g-{at}-{slugify(section.title, allow_unicode=True)[:40]}"
    return GuidelineSection(anchor, section.level, section.title, marked(section.html, words))


def _sorted(
    sections: Sequence[Section], scales: Sequence[Scale]
) -> tuple[list[Section], dict[int, Points]]:
    """Separate the running text from the examples by scale and value.

    A heading with nothing but examples below it is removed from the running text.
    """
    taken: dict[int, Points] = {scale.pk: {} for scale in scales}
    running: list[Section] = []
    gone = False  # whether the following section was removed
    for section in reversed(sections):
        point = _point(section.title, scales)
        deeper = bool(running) and running[-1].level > section.level
        if point is not None:
            taken[point[0].pk].setdefault(point[1], []).insert(0, section)
            gone = True
        elif not gone or section.body or deeper:
            running.append(section)
            gone = False
    return running[::-1], taken


def _point(title: str, scales: Sequence[Scale]) -> tuple[Scale, float] | None:
    """Return the scale and the value at the start of a heading."""
    for scale in scales:
        beginning = rf"{re.escape(scale.name)}\s*[:=]?\s*(-?\d+(?:\.\d+)?)(?![\w.]*\w)"
        match = re.match(beginning, title, re.IGNORECASE)
        if match and scale.holds(float(match[1])):
            return scale, float(match[1])
    return None


def _table(scale: Scale, taken: Points, words: Sequence[str]) -> ScaleTable:
    named = {point.value: point for point in scale.points.all()}
    rows = []
    for value in sorted({*named, *taken}):
        label = named[value].label if value in named else ""
        anchor = named[value].anchor if value in named else ""
        sections = taken.get(value, [])
        if _has(" ".join([label, anchor, *(one.words for one in sections)]), words):
            html = mark_safe("".join(one.body for one in sections))  # noqa: S308 clean already
            rows.append(Example(value, label, anchor, marked(html, words)))
    return ScaleTable(scale, tuple(rows))


@dataclass(frozen=True, slots=True)
class Change:
    """Paragraphs of a newer version and the older ones they replace; either may be empty."""

    removed: tuple[str, ...]
    added: tuple[str, ...]


def changes(old: str, new: str) -> list[Change]:
    """Return the differences between two versions, paragraph by paragraph."""
    before, after = _paragraphs(old), _paragraphs(new)
    matcher = SequenceMatcher(a=before, b=after, autojunk=False)
    return [
        Change(tuple(before[a:b]), tuple(after[c:d]))
        for kind, a, b, c, d in matcher.get_opcodes()
        if kind != "equal"
    ]


def _paragraphs(text: str) -> list[str]:
    parts = re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n"))
    return [part.strip() for part in parts if part.strip()]


# The guidelines: read and search for everybody, edit for researchers.


@require_http_methods(["GET", "POST"])
def guidelines(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the newest version; `?q=` searches it, `?fragment=1` returns the text alone.

    Researchers can also read old versions with `?version=`, and the changes since a version with
    `?since=`.
    """
    page = CampaignPage(request, slug, "research" if request.method == "POST" else "see")
    campaign, rights = page.campaign, page.rights
    newest = campaign.guidelines.first()
    form = GuidelineForm(page.posted, initial={"text": newest.text if newest else ""})
    if page.saves(
        form,
        lambda: guideline_add(
            campaign=campaign, text=form.cleaned_data["text"], actor=request.user
        ),
    ):
        return page.done(_("The new version is shown from now on."), "guidelines")
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
    return page.render(
        "annotation/guidelines.html",
        form=form if rights.research else None,
        versions=campaign.guidelines.select_related("created_by") if rights.research else [],
        **context,
    )


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


# The home page: campaigns to annotate and campaigns to manage.


IN_PROGRESS = (Campaign.Status.OPEN, Campaign.Status.PAUSED)
MOST_IN_PROGRESS = 6
MOST_NEEDS = 6


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What the user judges, what is in progress, and what needs somebody; for a researcher without
    campaigns, what the site is for and three ways in."""
    campaigns = list(campaigns_with_progress(user=request.user))
    under_way = [one for one in campaigns if one.status in IN_PROGRESS]
    courses = work_courses(campaigns=under_way[:MOST_IN_PROGRESS])
    rights = rights_in(user=request.user, campaigns=courses)
    # Results of a campaign without a judgment would say nothing, and hide those of the others.
    opened = [
        (bool(one.slots_done), one.opened_at, one.pk, one)  # type: ignore[attr-defined]
        for one in under_way
        if one.opened_at
    ]
    newest = max(opened)[-1] if opened else None
    return render(
        request,
        "annotation/home.html",
        {
            "tasks": campaigns_to_annotate(user=request.user),
            "campaigns": campaigns,
            "in_progress": [_in_progress(*pair) for pair in courses.items()],
            "others": [one for one in campaigns if one not in courses],
            "needs": needs_of(courses=courses, rights=rights)[:MOST_NEEDS],
            "newest": newest,
            "cards": CARDS if newest is not None else [],
        },
    )


def _in_progress(campaign: Campaign, course: WorkCourse) -> dict[str, Any]:
    """A campaign with its pace and its expected end."""
    forecast = course.forecast() if campaign.status == Campaign.Status.OPEN else None
    return {
        "campaign": campaign,
        "course": course,
        "pace": pace_told(forecast),
        "end": end_told(course, forecast),
    }
