"""The board for programs."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.board.alarms import alarm_need
from annotation.board.figures import figures_get
from annotation.board.page import person_json
from annotation.board.queries import alarms_in_force, board_annotators, board_now
from annotation.http.routes import CampaignRoute


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
