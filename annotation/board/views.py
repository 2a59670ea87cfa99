"""The board: how far a campaign is, who is at work, and what needs attention; live."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from annotation.access import Rights, campaign_get
from annotation.board.alarms import BOUNDS, watch_set
from annotation.board.figures import figures_get
from annotation.board.page import LiveBoardView, board_view
from annotation.board.queries import alarms_in_force, board_annotators, board_now, watch_of
from annotation.campaigns.progress import sheets_progress
from annotation.campaigns.queries import campaign_counts, languages_of
from annotation.errors import Invalid
from annotation.http.pages import campaign_page
from annotation.models import BoardWatch, Campaign
from paraanno.http.errors import full_address

# The form of a board's alarms.


OFF = _("Empty: off.")


class AlarmsForm(forms.Form):
    """Thresholds, and whom alarms are sent to."""

    quiet_hours = forms.IntegerField(
        label=_("Nobody judges for (hours)"), required=False, help_text=OFF
    )
    fast_seconds = forms.FloatField(
        label=_("A person is too fast: seconds per text"),
        required=False,
        help_text=_(
            "Below this in the last 24 hours, over 10 texts or more, and on at least half of the "
            "sheets. Empty: off."
        ),
    )
    agreement_fall = forms.FloatField(
        label=_("Agreement falls by"),
        required=False,
        help_text=_(
            "Alpha of the newest texts against those before; its interval must lie below them. "
            "Empty: off."
        ),
    )
    expired_times = forms.IntegerField(
        label=_("Assignments expire again and again: number of times"),
        required=False,
        help_text=OFF,
    )
    mail_to = forms.CharField(
        label=_("Send alarms to these e-mail addresses"),
        required=False,
        max_length=500,
        help_text=_("Separated by commas."),
    )
    webhook_url = forms.CharField(
        label=_("Send alarms to this webhook"),
        required=False,
        max_length=500,
        help_text=_("An https address on the public internet; redirects are not followed."),
    )

    @classmethod
    def of(cls, watch: BoardWatch) -> AlarmsForm:
        """The form with what is set now."""
        names = (*BOUNDS, "mail_to", "webhook_url")
        return cls(initial={name: getattr(watch, name) for name in names})


PEOPLE = 50  # of a page


def _board(
    request: HttpRequest, campaign: Campaign, rights: Rights
) -> tuple[LiveBoardView, dict[str, Any]]:
    """The view, and the other words of the template; eight queries, and what figures of a small
    campaign take once a minute."""
    now = board_now(campaign=campaign)
    figures = figures_get(campaign=campaign, done=now.done)
    page = Paginator(board_annotators(campaign=campaign), PEOPLE).get_page(request.GET.get("page"))
    view = board_view(
        campaign=campaign,
        rights=rights,
        now=now,
        people=list(page.object_list),
        figures=figures,
        alarms=alarms_in_force(campaigns=[campaign])[campaign.pk],
        scale=request.GET.get("scale", ""),
    )
    return view, {"board": view, "people_page": page, "tag": view.tag(rights)}


@never_cache
@require_GET
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """The page, with the first state of what is live."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="read")
    view, words = _board(request, campaign, rights)
    return campaign_page(
        request,
        "annotation/board.html",
        campaign=campaign,
        rights=rights,
        **words,
        sheets=sheets_progress(campaign=campaign, done=view.done, places=view.places),
        counts=campaign_counts(campaign=campaign),
        languages=[tag for tag in languages_of(campaign=campaign) if tag],
    )


@never_cache
@require_GET
def board_live(request: HttpRequest, slug: str) -> HttpResponse:
    """What is live; 304 without a body where it is as the browser has it."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="read")
    view, words = _board(request, campaign, rights)
    if request.headers.get("If-None-Match", "").removeprefix("W/") == words["tag"]:
        answer = HttpResponse(status=304)
    else:
        words |= {"campaign": campaign, "rights": rights, "polled": True}
        answer = render(request, "annotation/_board.html", words)
    answer["ETag"] = words["tag"]
    answer["X-Board-Live"] = "yes" if view.live else "no"
    return answer


@require_GET
def progress(request: HttpRequest, slug: str) -> HttpResponse:
    """The old address."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="read")
    return redirect("board", campaign.slug)


@never_cache
@require_http_methods(["GET", "POST"])
def board_alarms(request: HttpRequest, slug: str) -> HttpResponse:
    """The thresholds of alarms, and whom they are sent to."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    watch = watch_of(campaign=campaign)
    form = AlarmsForm(request.POST) if request.method == "POST" else AlarmsForm.of(watch)
    if request.method == "POST" and form.is_valid():
        here = full_address(request, reverse("board", args=[slug]))
        try:
            watch_set(
                campaign=campaign, given=form.cleaned_data, board_url=here, actor=request.user
            )
        except Invalid as refusal:
            for name, problems in refusal.data["fields"].items():
                form.add_error(name, problems)
        else:
            messages.success(request, gettext("Saved."))
            return redirect("board-alarms", slug)
    return campaign_page(
        request,
        "annotation/board_alarms.html",
        campaign=campaign,
        rights=rights,
        form=form,
        watch=watch,
        status=422 if form.errors else 200,
    )
