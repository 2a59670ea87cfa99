"""Pilots of a campaign."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.campaign_route import CampaignRoute
from annotation.models import Campaign
from annotation.selectors.access import known
from annotation.selectors.campaigns.pilot_judgments import pilot_counts, source_to_change
from annotation.selectors.campaigns.pilots import people_to_pilot, pilots_of
from annotation.services.campaigns.pilot_judgments import pilot_leave_out, pilot_take_over
from annotation.services.campaigns.pilots import (
    MOST_TEXTS,
    pilot_end,
    pilot_start,
)


class PilotOut(serializers.Serializer[Any]):
    """A pilot and its numbers; its own pages and routes are those of the campaign `slug`."""

    slug = serializers.SlugField(source="campaign.slug")
    name = serializers.CharField(source="campaign.name")
    status = serializers.ChoiceField(source="campaign.status", choices=Campaign.Status.choices)
    opened_at = serializers.DateTimeField(source="campaign.opened_at", allow_null=True)
    annotators = serializers.IntegerField(source="people", help_text="Who have judged.")
    slots_done = serializers.IntegerField(source="sheets_done")
    slots = serializers.IntegerField(source="sheets")
    answers = serializers.IntegerField()
    cannot_judge = serializers.IntegerField(source="cannot")
    remarks = serializers.IntegerField()
    seconds_per_answer = serializers.FloatField(source="seconds", allow_null=True)
    counts = serializers.BooleanField(
        allow_null=True,
        help_text="Whether its judgments count in the campaign; null: they were never taken over.",
    )
    why_not = serializers.CharField(help_text="Why they cannot be taken over; empty: they can.")
    counted_twice = serializers.IntegerField(
        source="twice",
        help_text="Answers of people who judged the same text in the campaign too: statistics "
        "leave these out.",
    )


class PilotIn(serializers.Serializer[Any]):
    """How many originals, and who judges them."""

    texts = serializers.IntegerField(min_value=1, max_value=MOST_TEXTS)
    people = serializers.ListField(
        child=serializers.CharField(max_length=150), required=False, max_length=1000,
        help_text="Usernames of annotators of the campaign; left out: all of them.",
    )  # fmt: skip


class PilotEndedOut(serializers.Serializer[Any]):
    slug = serializers.SlugField()
    status = serializers.ChoiceField(choices=Campaign.Status.choices)


class PilotJudgmentsIn(serializers.Serializer[Any]):
    counts = serializers.BooleanField(
        help_text="true takes them over into the campaign, false leaves them out."
    )


class PilotJudgmentsOut(serializers.Serializer[Any]):
    """The state after it."""

    counts = serializers.BooleanField(allow_null=True)


@extend_schema(tags=["pilots"])
class PilotsRoute(CampaignRoute):
    """The campaign's pilots."""

    read_right = "research"
    serializer_class = PilotOut
    pagination_class = None

    @extend_schema(responses=PilotOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Return all of them, newest first; there are at most 50."""
        return Response(PilotOut(pilots_of(campaign=self.campaign), many=True).data)

    @extend_schema(request=PilotIn, responses={201: PilotOut})
    def post(self, request: Request, slug: str) -> Response:
        """Open a pilot on originals drawn at random. 409 while another is under way."""
        given = self.checked(PilotIn)
        people = people_to_pilot(campaign=self.campaign, names=given.get("people"))
        pilot_start(
            campaign=self.campaign, texts=given["texts"], people=people, actor=known(request.user)
        )
        newest = pilots_of(campaign=self.campaign)[0]
        return Response(PilotOut(newest).data, status=status.HTTP_201_CREATED)


@extend_schema(tags=["pilots"])
class PilotEndRoute(CampaignRoute):
    """The end of a pilot; the address names the pilot."""

    serializer_class = PilotEndedOut

    @extend_schema(request=None, responses=PilotEndedOut)
    def post(self, request: Request, slug: str) -> Response:
        """Close the pilot; its annotators are no members any more, its judgments are kept."""
        ended = pilot_end(pilot=self.campaign, actor=known(request.user))
        return Response(PilotEndedOut(ended).data)


@extend_schema(tags=["pilots"])
class PilotJudgmentsRoute(CampaignRoute):
    """What becomes of a pilot's judgments; the address names the pilot."""

    serializer_class = PilotJudgmentsOut

    @extend_schema(request=PilotJudgmentsIn, responses=PilotJudgmentsOut)
    def put(self, request: Request, slug: str) -> Response:
        """Let them count in the campaign, or leave them out by an exclusion. Refused, with the
        reason, where texts or scales are not the same any more."""
        actor, wanted = known(request.user), self.checked(PilotJudgmentsIn)["counts"]
        source_to_change(user=actor, pilot=self.campaign)
        change = pilot_take_over if wanted else pilot_leave_out
        change(pilot=self.campaign, actor=actor)
        return Response(PilotJudgmentsOut({"counts": pilot_counts(pilot=self.campaign)}).data)
