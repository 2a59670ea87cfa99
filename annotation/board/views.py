"""The board: how far a campaign is, who is at work, and what needs attention; live, as a page and
for programs.
"""

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
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.board.alarms import BOUNDS, alarm_need, watch_set
from annotation.board.figures import figures_get
from annotation.board.page import LiveBoardView, board_view, person_json
from annotation.board.queries import alarms_in_force, board_annotators, board_now, watch_of
from annotation.campaigns.queries import campaign_counts, languages_of
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.http.routes import CampaignRoute
from annotation.models import BoardWatch
from annotation.sheets.progress import sheets_progress
from paraanno.http.errors import full_address


class BoardPlacesOut(serializers.Serializer[Any]):
    all = serializers.IntegerField()
    done = serializers.IntegerField()
    being_judged = serializers.IntegerField()
    free = serializers.IntegerField()


class BoardTextsOut(serializers.Serializer[Any]):
    all = serializers.IntegerField(help_text="Output texts on sheets.")
    complete = serializers.IntegerField(help_text="Every place of their sheet is done.")
    begun = serializers.IntegerField(help_text="A place of their sheet is done.")


class BoardPaceOut(serializers.Serializer[Any]):
    today = serializers.IntegerField(help_text="Places, since midnight where the site is.")
    last_24_hours = serializers.IntegerField(help_text="Places, in hours of the clock.")
    end = serializers.JSONField(
        help_text="Places a day and days from `at` on until the end, with 80 % ranges; or null."
    )


class BoardPersonOut(serializers.Serializer[Any]):
    code = serializers.CharField()
    key = serializers.UUIDField()
    name = serializers.CharField(help_text="The login of somebody invited; for researchers alone.")
    last_save = serializers.DateTimeField(allow_null=True)
    at_work = serializers.BooleanField()
    ended = serializers.CharField(
        help_text="complete or left, of people of a panel whose part is over; else empty"
    )
    excluded = serializers.BooleanField()
    figures = serializers.JSONField(
        help_text="places, counted, judgments, judgments_counted, texts, seconds (the server's "
        "active time), recent_texts, recent_seconds, week, checks, failed; null before they are "
        "computed, or without work."
    )
    agreement = serializers.JSONField(
        help_text="By scale: statistic, value, ci_low, ci_high, n (texts)."
    )


class BoardAlarmOut(serializers.Serializer[Any]):
    key = serializers.UUIDField()
    kind = serializers.CharField()
    said = serializers.CharField()
    began_at = serializers.DateTimeField()


class BoardOut(serializers.Serializer[Any]):
    at = serializers.DateTimeField()
    places = BoardPlacesOut()
    texts = BoardTextsOut(allow_null=True)
    pace = BoardPaceOut()
    figures_at = serializers.DateTimeField(allow_null=True, help_text="When they were computed.")
    people = BoardPersonOut(many=True)
    disagreement = serializers.JSONField(
        help_text="By scale: the texts with most disagreement: item, phrase, text, values."
    )
    alarms = BoardAlarmOut(many=True)


@extend_schema(tags=["campaigns"])
class BoardRoute(CampaignRoute):
    """Places, texts, pace, people and alarms of a campaign."""

    pagination_class = None

    @extend_schema(responses=BoardOut)
    def get(self, request: Request, slug: str) -> Response:
        now = board_now(campaign=self.campaign)
        stored = figures_get(campaign=self.campaign, done=now.done)
        numbers = stored.numbers if stored is not None else {}
        people = board_annotators(campaign=self.campaign)
        data = {
            "at": now.now,
            "places": {
                "all": now.places,
                "done": now.done,
                "being_judged": now.claimed,
                "free": now.free,
            },
            "texts": numbers.get("texts"),
            "pace": {"today": now.today, "last_24_hours": now.last_day, "end": numbers.get("end")},
            "figures_at": stored.made_at if stored is not None else None,
            "people": [person_json(one, self.rights, now.now, numbers) for one in people],
            "disagreement": numbers.get("disagreement", {}),
            "alarms": [
                {
                    "key": one.key,
                    "kind": one.kind,
                    "said": alarm_need(one).sentence,
                    "began_at": one.began_at,
                }
                for one in alarms_in_force(campaigns=[self.campaign])[self.campaign.pk]
            ],
        }
        return Response(BoardOut(data).data)


# The page.


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
