"""The board: how far a campaign is, who is at work, and what needs attention; live."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from annotation.board.alarms import BOUNDS, watch_set
from annotation.board.figures import figures_get
from annotation.board.page import LiveBoardView, board_view
from annotation.board.queries import alarms_in_force, board_annotators, board_now, watch_of
from annotation.campaigns.queries import campaign_counts, languages_of
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.models import BoardWatch
from annotation.sheets.progress import sheets_progress
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


def _board(page: CampaignPage) -> tuple[LiveBoardView, dict[str, Any]]:
    """The view, and the other words of the template; eight queries, and what figures of a small
    campaign take once a minute."""
    now = board_now(campaign=page.campaign)
    figures = figures_get(campaign=page.campaign, done=now.done)
    people = page.paged(board_annotators(campaign=page.campaign), PEOPLE)
    view = board_view(
        campaign=page.campaign,
        rights=page.rights,
        now=now,
        people=list(people.object_list),
        figures=figures,
        alarms=alarms_in_force(campaigns=[page.campaign])[page.campaign.pk],
        scale=page.query.get("scale", ""),
    )
    return view, {"board": view, "people_page": people, "tag": view.tag(page.rights)}


@never_cache
@require_GET
@campaign_view("read")
def board(page: CampaignPage) -> HttpResponse:
    """The page, with the first state of what is live."""
    view, words = _board(page)
    return page.render(
        "annotation/board.html",
        **words,
        sheets=sheets_progress(campaign=page.campaign, done=view.done, places=view.places),
        counts=campaign_counts(campaign=page.campaign),
        languages=[tag for tag in languages_of(campaign=page.campaign) if tag],
    )


@never_cache
@require_GET
@campaign_view("read")
def board_live(page: CampaignPage) -> HttpResponse:
    """What is live; 304 without a body where it is as the browser has it."""
    view, words = _board(page)
    if page.request.headers.get("If-None-Match", "").removeprefix("W/") == words["tag"]:
        answer = HttpResponse(status=304)
    else:
        words |= {"campaign": page.campaign, "rights": page.rights, "polled": True}
        answer = render(page.request, "annotation/_board.html", words)
    answer["ETag"] = words["tag"]
    answer["X-Board-Live"] = "yes" if view.live else "no"
    return answer


@require_GET
@campaign_view("read")
def progress(page: CampaignPage) -> HttpResponse:
    """The old address."""
    return page.go("board")


@never_cache
@require_http_methods(["GET", "POST"])
@campaign_view("research")
def board_alarms(page: CampaignPage) -> HttpResponse:
    """The thresholds of alarms, and whom they are sent to."""
    watch = watch_of(campaign=page.campaign)
    form = AlarmsForm(page.post) if page.sent else AlarmsForm.of(watch)
    here = full_address(page.request, reverse("board", args=[page.slug]))
    if page.saves(
        form,
        lambda: watch_set(
            campaign=page.campaign, given=form.cleaned_data, board_url=here, actor=page.user
        ),
    ):
        return page.done(gettext("Saved."), "board-alarms")
    return page.render("annotation/board_alarms.html", form=form, watch=watch)
