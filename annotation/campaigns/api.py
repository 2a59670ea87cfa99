"""Campaigns, scales and progress."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import creator, get_in, logged_in, place_read, refuse_move, refuse_removal
from annotation.campaigns import services
from annotation.campaigns.copying import campaign_copy
from annotation.campaigns.pilots import (
    MOST_TEXTS,
    pilot_end,
    pilot_leave_out,
    pilot_start,
    pilot_take_over,
)
from annotation.campaigns.queries import (
    campaigns_with_role,
    item_get,
    items_found,
    judgments_counted,
    judgments_found,
    people_to_pilot,
    pilot_counts,
    pilots_of,
    source_to_change,
)
from annotation.campaigns.scales import guideline_for, scale_of, scales_of
from annotation.campaigns.serializers import (
    CampaignChangeIn,
    CampaignDetailOut,
    CampaignIn,
    CampaignOut,
    ItemFilterIn,
    ItemOut,
    JudgmentFilterIn,
    JudgmentOut,
    OwnProgressOut,
    ProgressOut,
    ScaleIn,
    ScaleOut,
    SystemOut,
    ThresholdIn,
)
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
    template_of,
    template_offered,
    templates_offered,
)
from annotation.exporters.texts import write_template
from annotation.http.fields import ScopeIn, scope_in
from annotation.http.formats import Stream
from annotation.http.routes import CampaignRoute, Route
from annotation.importers.yaml_reader import MOST_BYTES
from annotation.models import Campaign, Judgment, Scale
from annotation.people.annotators import annotator_of
from annotation.sheets.progress import campaign_progress, own_progress


@extend_schema(tags=["campaigns"])
class CampaignsRoute(Route):
    """The campaigns that the user takes part in, with their role."""

    of_campaigns = True
    serializer_class = CampaignOut

    def get_queryset(self) -> QuerySet[Campaign]:
        return campaigns_with_role(user=logged_in(self.request.user))

    @extend_schema(responses=CampaignOut(many=True))
    def get(self, request: Request) -> Response:
        page = self.paginate_queryset(self.get_queryset())
        return self.get_paginated_response(CampaignOut(page, many=True).data)

    @extend_schema(request=CampaignIn, responses={201: CampaignDetailOut})
    def post(self, request: Request) -> Response:
        """Create a campaign; the caller, who needs the right to, becomes its owner."""
        actor = creator(user=request.user)
        given = self.checked(CampaignIn)
        if "scales" in given:
            given["scales"] = scales_of(given["scales"])
            given.setdefault("guideline", guideline_for(given["scales"]))
        if "template_text" in given:
            data = given.pop("template_text").encode()
            given["template"] = template_ok(template_read(data=data, name="template"))
        campaign = services.campaign_create(actor=actor, **given)
        return Response(CampaignDetailOut(campaign).data, status=status.HTTP_201_CREATED)


@extend_schema(tags=["campaigns"])
class OneCampaignRoute(CampaignRoute):
    """A campaign's settings."""

    serializer_class = CampaignDetailOut

    def get(self, request: Request, slug: str) -> Response:
        return Response(CampaignDetailOut(self.campaign).data)

    @extend_schema(request=CampaignChangeIn)
    def patch(self, request: Request, slug: str) -> Response:
        form = CampaignChangeIn(self.campaign, data=request.data, partial=True)
        form.is_valid(raise_exception=True)
        campaign = services.campaign_update(
            campaign=self.campaign, actor=logged_in(request.user), changes=form.validated_data
        )
        return Response(CampaignDetailOut(campaign).data)


class _StatusRoute(CampaignRoute):
    act: Any = None
    read_right = "research"

    @extend_schema(request=None, responses=CampaignDetailOut, tags=["campaigns"])
    def post(self, request: Request, slug: str) -> Response:
        campaign = type(self).act(campaign=self.campaign, actor=logged_in(request.user))
        return Response(CampaignDetailOut(campaign).data)


class OpenCampaignRoute(_StatusRoute):
    """Create the sheets and start handing them out."""

    act = staticmethod(services.campaign_open)


class PauseCampaignRoute(_StatusRoute):
    """Stop handing out sheets."""

    act = staticmethod(services.campaign_pause)


class CloseCampaignRoute(_StatusRoute):
    """End the collection."""

    act = staticmethod(services.campaign_close)


@extend_schema(tags=["campaigns"])
class ScalesRoute(CampaignRoute):
    """The campaign's scales with their points."""

    pagination_class = None

    @extend_schema(responses=ScaleOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        scales = self.campaign.scales.prefetch_related("points")
        return Response(ScaleOut(scales, many=True).data)

    @extend_schema(request=ScaleIn, responses={201: ScaleOut})
    def post(self, request: Request, slug: str) -> Response:
        """Add a scale of your own to a draft."""
        scale = services.scale_append(
            campaign=self.campaign,
            template=scale_of(self.checked(ScaleIn)),
            actor=logged_in(request.user),
        )
        return Response(ScaleOut(scale).data, status=status.HTTP_201_CREATED)


@extend_schema(tags=["campaigns"])
class ThresholdRoute(CampaignRoute):
    """The value from which a judgment passes."""

    @extend_schema(request=ThresholdIn, responses=ScaleOut)
    def put(self, request: Request, slug: str, scale: UUID) -> Response:
        changed = services.threshold_set(
            scale=get_in(self.campaign, Scale, scale),
            actor=logged_in(request.user),
            **self.checked(ThresholdIn),
        )
        return Response(ScaleOut(changed).data)


@extend_schema(tags=["campaigns"])
class ProgressRoute(CampaignRoute):
    """Slots and sheets of the entire campaign."""

    @extend_schema(responses=ProgressOut)
    def get(self, request: Request, slug: str) -> Response:
        return Response(ProgressOut(campaign_progress(campaign=self.campaign)).data)


@extend_schema(tags=["sheets"])
class OwnProgressRoute(CampaignRoute):
    """What the caller has done and has left."""

    read_right = "annotate"

    @extend_schema(responses=OwnProgressOut)
    def get(self, request: Request, slug: str) -> Response:
        annotator = annotator_of(campaign=self.campaign, user=logged_in(request.user))
        progress = own_progress(campaign=self.campaign, annotator=annotator)
        return Response(OwnProgressOut(progress).data)


# Filtered lists of items, systems and judgments.


@extend_schema(tags=["items"])
class ItemsRoute(CampaignRoute):
    """Items with their substitutions, outputs and references, in the order of import."""

    serializer_class = ItemOut
    filter_serializer = ItemFilterIn

    @extend_schema(parameters=[ItemFilterIn], responses=ItemOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        page = self.paginate_queryset(items_found(campaign=self.campaign, **self.filters()))
        return self.get_paginated_response(ItemOut(page, many=True).data)


@extend_schema(tags=["items"])
class OneItemRoute(CampaignRoute):
    """One item."""

    @extend_schema(responses=ItemOut)
    def get(self, request: Request, slug: str, key: UUID) -> Response:
        return Response(ItemOut(item_get(campaign=self.campaign, key=key)).data)


@extend_schema(tags=["items"])
class SystemsRoute(CampaignRoute):
    """The paraphrasing systems."""

    serializer_class = SystemOut

    @extend_schema(responses=SystemOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        page = self.paginate_queryset(self.campaign.systems.all())
        return self.get_paginated_response(SystemOut(page, many=True).data)


@extend_schema(tags=["judgments"])
class JudgmentsRoute(CampaignRoute):
    """Judgments of all annotators, in the order of their first save; follow `next`."""

    serializer_class = JudgmentOut
    filter_serializer = JudgmentFilterIn
    pagination_class = Stream

    def get_queryset(self) -> QuerySet[Judgment]:
        return judgments_found(campaign=self.campaign, **self.filters())

    @extend_schema(parameters=[JudgmentFilterIn], responses=JudgmentOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        page = self.paginate_queryset(self.get_queryset()) or []
        counted = judgments_counted(campaign=self.campaign, judgments=page)
        shown = JudgmentOut(page, many=True, context={"counted": counted})
        return self.get_paginated_response(shown.data)


# Pilots of a campaign.


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
        child=serializers.CharField(max_length=150),
        required=False,
        max_length=1000,
        help_text="Usernames of annotators of the campaign; left out: all of them.",
    )


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
            campaign=self.campaign,
            texts=given["texts"],
            people=people,
            actor=logged_in(request.user),
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
        ended = pilot_end(pilot=self.campaign, actor=logged_in(request.user))
        return Response(PilotEndedOut(ended).data)


@extend_schema(tags=["pilots"])
class PilotJudgmentsRoute(CampaignRoute):
    """What becomes of a pilot's judgments; the address names the pilot."""

    serializer_class = PilotJudgmentsOut

    @extend_schema(request=PilotJudgmentsIn, responses=PilotJudgmentsOut)
    def put(self, request: Request, slug: str) -> Response:
        """Let them count in the campaign, or leave them out by an exclusion. Refused, with the
        reason, where texts or scales are not the same any more."""
        actor, wanted = logged_in(request.user), self.checked(PilotJudgmentsIn)["counts"]
        source_to_change(user=actor, pilot=self.campaign)
        change = pilot_take_over if wanted else pilot_leave_out
        change(pilot=self.campaign, actor=actor)
        return Response(PilotJudgmentsOut({"counts": pilot_counts(pilot=self.campaign)}).data)


# A campaign as a template, saved templates, and copies of a campaign.


class TemplateOut(serializers.Serializer[Any]):
    template = serializers.CharField(help_text="YAML; see docs/templates.md.")


class TemplateIn(serializers.Serializer[Any]):
    template = serializers.CharField(max_length=MOST_BYTES, trim_whitespace=False)
    apply = serializers.BooleanField(
        default=False, help_text="Make the changes; else they are told, and nothing is changed."
    )
    seen = serializers.CharField(
        required=False,
        max_length=64,
        help_text="With apply: the digest of the changes that were told; others are refused.",
    )


class TemplateChangeOut(serializers.Serializer[Any]):
    name = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()
    refused = serializers.CharField(help_text="Why it is not possible any more; empty: it is.")


class TemplateChangesOut(serializers.Serializer[Any]):
    """The changes that a template makes, or would make."""

    changes = TemplateChangeOut(many=True)
    digest = serializers.CharField()
    applied = serializers.BooleanField()


class OfferedOut(serializers.Serializer[Any]):
    """A template that a campaign may start from: `template` of `POST /campaigns`."""

    name = serializers.SlugField()
    label = serializers.CharField()  # type: ignore[assignment]
    site = serializers.BooleanField(help_text="Whether somebody saved it on this site.")
    key = serializers.UUIDField(allow_null=True, help_text="Of a saved one.")
    scope = serializers.CharField(help_text="Of a saved one: mine, campaign or site.")


class OneOfferedOut(OfferedOut):
    template = serializers.CharField(help_text="YAML; see docs/templates.md.")


class OfferedIn(serializers.Serializer[Any]):
    name = serializers.SlugField(max_length=60)
    label = serializers.CharField(  # type: ignore[assignment]
        max_length=200, required=False, allow_blank=True
    )
    template = serializers.CharField(max_length=MOST_BYTES, trim_whitespace=False)
    scope = scope_in()


class CopyIn(serializers.Serializer[Any]):
    slug = serializers.SlugField(max_length=60)
    name = serializers.CharField(max_length=200, required=False, allow_blank=True)
    texts = serializers.BooleanField(default=False, help_text="With its items and texts.")
    people = serializers.BooleanField(default=False, help_text="With its members.")


@extend_schema(tags=["campaigns"])
class TemplateRoute(CampaignRoute):
    """The campaign as a template: settings, questions and rules, no texts, no people."""

    read_right = "research"
    serializer_class = TemplateOut

    def get(self, request: Request, slug: str) -> Response:
        return Response({"template": write_template(template_of(campaign=self.campaign))})

    @extend_schema(request=TemplateIn, responses=TemplateChangesOut)
    def put(self, request: Request, slug: str) -> Response:
        """Show what the template would change, or change it. Nothing is changed if a part may not
        be changed any more."""
        given = self.checked(TemplateIn)
        template = template_ok(template_read(data=given["template"].encode(), name="template"))
        changes = template_changes(campaign=self.campaign, template=template)
        if given["apply"]:
            changes = template_apply(
                campaign=self.campaign,
                template=template,
                actor=logged_in(request.user),
                seen=given.get("seen"),
            )
        payload = {"changes": changes, "digest": changes_digest(changes), "applied": given["apply"]}
        return Response(TemplateChangesOut(payload).data)


@extend_schema(tags=["campaigns"])
class CopiesRoute(CampaignRoute):
    """Copies of the campaign."""

    serializer_class = CampaignDetailOut

    @extend_schema(request=CopyIn, responses={201: CampaignDetailOut})
    def post(self, request: Request, slug: str) -> Response:
        """Copy the campaign into a new draft; the caller, who needs the right to create campaigns,
        becomes its owner."""
        actor = creator(user=request.user)
        copy = campaign_copy(campaign=self.campaign, actor=actor, **self.checked(CopyIn))
        return Response(CampaignDetailOut(copy).data, status=status.HTTP_201_CREATED)


@extend_schema(tags=["templates"])
class SavedTemplatesRoute(Route):
    """The templates that those who may create campaigns may start from."""

    serializer_class = OfferedOut
    pagination_class = None

    @extend_schema(responses=OfferedOut(many=True))
    def get(self, request: Request) -> Response:
        """Return those of the application, in English and Korean, and the saved ones they see."""
        user = creator(user=request.user)
        return Response(OfferedOut(templates_offered(user=user), many=True).data)

    @extend_schema(request=OfferedIn, responses={201: OneOfferedOut})
    def post(self, request: Request) -> Response:
        """Save a template."""
        user = creator(user=request.user)
        given = self.checked(OfferedIn)
        row = saved_template_add(
            name=given["name"],
            label=given.get("label", ""),
            text=given["template"],
            place=place_read(user=user, value=given["scope"]),
            actor=user,
        )
        template = template_offered(user=user, name=str(row.key))
        return Response(OneOfferedOut(template).data, status=status.HTTP_201_CREATED)


@extend_schema(tags=["templates"])
class OneSavedTemplateRoute(Route):
    """One of these templates, by its name or key."""

    serializer_class = OneOfferedOut

    def get(self, request: Request, template: str) -> Response:
        user = creator(user=request.user)
        return Response(OneOfferedOut(template_offered(user=user, name=template)).data)

    @extend_schema(request=ScopeIn, responses=OneOfferedOut)
    def patch(self, request: Request, template: str) -> Response:
        """Change who may use a saved template; for its owner, and administrators."""
        user = creator(user=request.user)
        row = saved_get(user=user, name=template)
        refuse_move(row=row, user=user)
        place = place_read(user=user, value=self.checked(ScopeIn)["scope"])
        saved_template_move(template=row, place=place, actor=user)
        return Response(OneOfferedOut(template_offered(user=user, name=str(row.key))).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, template: str) -> Response:
        """Remove a saved template; for its owner, owners of its campaign, and administrators.
        Campaigns stay as they are."""
        user = creator(user=request.user)
        row = saved_get(user=user, name=template)
        refuse_removal(row=row, user=user)
        saved_template_remove(template=row, actor=user)
        return Response(status=status.HTTP_204_NO_CONTENT)
