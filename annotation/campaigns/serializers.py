"""Serializers of campaigns, items and judgments. Domain rules are in the services."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.campaigns.scales import LEVELS
from annotation.importers.yaml_reader import MOST_BYTES
from annotation.models import (
    Campaign,
    Item,
    Judgment,
    Membership,
    Output,
    Scale,
    ScalePoint,
    Substitution,
    System,
    language_of,
)
from annotation.starters import LABELS, LANGUAGES
from paraanno.common.panel_links import SCALE_COLUMNS


class CampaignOut(serializers.ModelSerializer[Campaign]):
    """A campaign in lists, also as its annotators see it."""

    role = serializers.ChoiceField(
        Membership.Role.choices, read_only=True, allow_null=True, help_text="Your own."
    )

    class Meta:
        model = Campaign
        fields = ["slug", "name", "status", "role"]


SETTINGS = [
    "name",
    "description",
    "language",
    "annotators_per_sheet",
    "max_per_sheet",
    "order",
    "shared_share",
    "lease_minutes",
    "allow_revision",
    "allow_removal",
    "allow_erasure",
    "erasure_removes",
    "run_metrics",
]


class CampaignDetailOut(serializers.ModelSerializer[Campaign]):
    copied_from = serializers.CharField(
        source="copied_from.slug",
        default=None,
        allow_null=True,
        read_only=True,
        help_text="The short name of the campaign that it was copied from.",
    )
    created_by = serializers.CharField(
        source="created_by.username", default=None, allow_null=True, read_only=True
    )

    class Meta:
        model = Campaign
        fields = [
            "slug",
            "status",
            *SETTINGS,
            "copied_from",
            "pilot",
            "created_by",
            "created_at",
            "opened_at",
            "closed_at",
        ]
        read_only_fields = fields


class ScalePointIn(serializers.Serializer[Any]):
    value = serializers.FloatField()
    label = serializers.CharField(  # type: ignore[assignment]
        required=False, allow_blank=True
    )
    anchor = serializers.CharField(
        required=False, allow_blank=True, help_text="When to give the value."
    )


class ScaleIn(serializers.Serializer[Any]):
    """A scale of one's own; annotation/campaigns/scales.py has the rules."""

    name = serializers.CharField()
    question = serializers.CharField(required=False, allow_blank=True)
    level = serializers.ChoiceField(
        list(LEVELS), default="ordinal", help_text="interval is another word for numeric."
    )
    minimum = serializers.FloatField(
        required=False, help_text="Default: the lowest point, or 1 without points."
    )
    maximum = serializers.FloatField(
        required=False, help_text="Default: the highest point, or 5 without points."
    )
    step = serializers.FloatField(default=1.0)
    higher_is_better = serializers.BooleanField(default=True)
    copy_at_top = serializers.BooleanField(
        default=True, help_text="Exact copies of the phrase are expected to get the best value."
    )
    threshold = serializers.FloatField(
        allow_null=True, default=None, help_text="A judgment passes from this value on."
    )
    required = serializers.BooleanField(default=True)  # type: ignore[assignment]
    points = ScalePointIn(many=True, required=False)


class CampaignIn(serializers.ModelSerializer[Campaign]):
    template = serializers.CharField(
        default="phrase",
        max_length=60,
        help_text=f"{', '.join(LABELS)}, in the campaign’s language where there is one of "
        f"{', '.join(LANGUAGES)}; or one of the site’s.",
    )
    template_text = serializers.CharField(
        required=False,
        max_length=MOST_BYTES,
        trim_whitespace=False,
        help_text="Instead of `template`: a template of your own, in YAML.",
    )
    name = serializers.CharField(max_length=200, required=False, allow_blank=True)
    guideline = serializers.CharField(required=False, help_text="Markdown")
    scales = ScaleIn(many=True, required=False, help_text="Instead of those of the template.")
    run_metrics = serializers.BooleanField(
        default=True, help_text="Metrics that need no file score its texts after each import."
    )

    class Meta:
        model = Campaign
        fields = ["slug", "template", "template_text", "scales", "guideline", *SETTINGS]
        # The service checks whether a short name is taken.
        extra_kwargs = {
            "slug": {"validators": [serializers.RegexField(r"^[-\w]+\Z").validators[0]]}
        }


class CampaignChangeIn(serializers.ModelSerializer[Campaign]):
    class Meta:
        model = Campaign
        fields = SETTINGS


class ScalePointOut(serializers.ModelSerializer[ScalePoint]):
    class Meta:
        model = ScalePoint
        fields = ["value", "label", "anchor"]


class ScaleOut(serializers.ModelSerializer[Scale]):
    points = ScalePointOut(many=True, read_only=True)

    class Meta:
        model = Scale
        fields = ["key", *SCALE_COLUMNS, "points"]


class ThresholdIn(serializers.Serializer[Any]):
    threshold = serializers.FloatField(
        allow_null=True, help_text="A judgment passes from this value on; null: none."
    )


class SystemOut(serializers.ModelSerializer[System]):
    class Meta:
        model = System
        fields = ["key", "label", "attributes"]


class SubstitutionOut(serializers.ModelSerializer[Substitution]):
    made_from = serializers.UUIDField(
        source="made_from.key", default=None, allow_null=True, read_only=True
    )

    class Meta:
        model = Substitution
        fields = [
            "key",
            "text",
            "role",
            "made_from",
            "own_sentence",
            "own_start",
            "own_end",
            "attributes",
        ]


class OutputOut(serializers.ModelSerializer[Output]):
    system = serializers.CharField(source="system.label", read_only=True)
    substitution = serializers.UUIDField(
        source="substitution.key",
        default=None,
        allow_null=True,
        read_only=True,
        help_text="Null: it gave none.",
    )

    class Meta:
        model = Output
        fields = ["system", "rank", "substitution", "attributes"]


class PhraseOut(serializers.Serializer[Any]):
    key = serializers.UUIDField()
    text = serializers.CharField()


class ItemOut(serializers.ModelSerializer[Item]):
    """An item with its substitutions, and the outputs of the systems."""

    phrase = PhraseOut(read_only=True)
    outside_ids = serializers.SlugRelatedField[Any](slug_field="value", many=True, read_only=True)
    references = serializers.SlugRelatedField[Any](slug_field="text", many=True, read_only=True)
    substitutions = SubstitutionOut(many=True, read_only=True)
    outputs = OutputOut(many=True, read_only=True)
    language = serializers.SerializerMethodField(
        help_text="Its own or the campaign's, as a tag of BCP 47; empty: unknown."
    )

    class Meta:
        model = Item
        fields = [
            "key",
            "position",
            "outside_ids",
            "phrase",
            "sentence",
            "start",
            "end",
            "attributes",
            "references",
            "substitutions",
            "outputs",
            "language",
        ]

    def get_language(self, item: Item) -> str:
        return language_of(item, item.campaign)


class ItemFilterIn(serializers.Serializer[Any]):
    item = serializers.CharField(required=False, help_text="An outside id.")
    phrase = serializers.UUIDField(required=False, help_text="Key of a phrase.")
    system = serializers.CharField(required=False, help_text="Label: items it gave a text for.")
    role = serializers.ChoiceField(Substitution.Role.choices, required=False)
    text = serializers.CharField(required=False, help_text="Part of the sentence.")


class JudgmentOut(serializers.ModelSerializer[Judgment]):
    annotator = serializers.CharField(source="annotator.code", read_only=True)
    item = serializers.UUIDField(source="substitution.item.key", read_only=True)
    substitution = serializers.UUIDField(source="substitution.key", read_only=True)
    scale = serializers.CharField(source="scale.name", read_only=True)
    guideline = serializers.IntegerField(
        source="guideline.version", default=None, allow_null=True, read_only=True
    )
    counts = serializers.SerializerMethodField(
        help_text="Whether it is one of the ratings that agreement, results and gold come from."
    )

    class Meta:
        model = Judgment
        fields = [
            "annotator",
            "item",
            "substitution",
            "scale",
            "occasion",
            "kind",
            "value",
            "reason",
            "comment",
            "status",
            "version",
            "guideline",
            "recorded_at",
            "judged_at",
            "counts",
        ]

    def get_counts(self, judgment: Judgment) -> bool:
        return judgment.pk in self.context["counted"]


class JudgmentFilterIn(serializers.Serializer[Any]):
    annotator = serializers.CharField(required=False, help_text="Code.")
    scale = serializers.CharField(required=False, help_text="Name.")
    item = serializers.UUIDField(required=False)
    substitution = serializers.UUIDField(required=False)
    system = serializers.CharField(required=False, help_text="Label.")
    status = serializers.ChoiceField(Judgment.Status.choices, required=False)
    kind = serializers.ChoiceField(Judgment.Kind.choices, required=False)
    occasion = serializers.IntegerField(required=False, min_value=1, max_value=32767)
    recorded_from = serializers.DateTimeField(required=False, help_text="At or after.")
    recorded_before = serializers.DateTimeField(required=False)


class ProgressOut(serializers.Serializer[Any]):
    slots = serializers.IntegerField()
    done = serializers.IntegerField()
    claimed = serializers.IntegerField()
    sheets = serializers.IntegerField()
    sheets_complete = serializers.IntegerField()
    share = serializers.FloatField()


class OwnProgressOut(serializers.Serializer[Any]):
    done = serializers.IntegerField(help_text="Sheets.")
    open = serializers.IntegerField()
    left = serializers.IntegerField()
    texts = serializers.IntegerField(help_text="Texts on the sheets that are done.")
    total = serializers.IntegerField()
