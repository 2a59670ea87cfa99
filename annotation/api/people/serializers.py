"""Serializers of annotators, exclusions and invitations. Domain rules are in the services."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.models import Annotator, Exclusion, Invitation, Membership
from annotation.models.people.exclusion import TARGETS


class AnnotatorOut(serializers.ModelSerializer[Annotator]):
    sheets_done = serializers.IntegerField(read_only=True)
    sheets_submitted = serializers.IntegerField(
        read_only=True, help_text="Also those that were excluded since."
    )
    judgments_counted = serializers.IntegerField(read_only=True)
    judgments_given = serializers.IntegerField(
        read_only=True, help_text="Also those that do not count: excluded since, or too late."
    )
    last_at = serializers.DateTimeField(read_only=True, allow_null=True)
    consent_version = serializers.IntegerField(read_only=True, allow_null=True)
    consented_at = serializers.DateTimeField(read_only=True, allow_null=True)
    withdrawn_at = serializers.DateTimeField(read_only=True, allow_null=True)
    background = serializers.SerializerMethodField(
        help_text="Answers by the short name of their question; null: none, or rather not said."
    )

    class Meta:
        model = Annotator
        fields = [
            "key", "code", "origin", "consent_version", "consented_at", "withdrawn_at",
            "background", "not_blind_since", "sheets_done", "sheets_submitted",
            "judgments_counted", "judgments_given", "last_at",
        ]  # fmt: skip

    def get_background(self, annotator: Annotator) -> dict[str, Any]:
        answers = annotator.background_answers.all()
        return {answer.question.name: answer.value for answer in answers}


class ExclusionOut(serializers.ModelSerializer[Exclusion]):
    target = serializers.SerializerMethodField()
    target_key = serializers.SerializerMethodField()
    created_by = serializers.CharField(
        source="created_by.username", default=None, allow_null=True, read_only=True
    )

    class Meta:
        model = Exclusion
        fields = [
            "key", "kind", "target", "target_key", "reason", "starts_at", "ends_at", "created_by",
        ]  # fmt: skip

    def get_target(self, row: Exclusion) -> str:
        return next(name for name in TARGETS if getattr(row, f"{name}_id") is not None)

    def get_target_key(self, row: Exclusion) -> str:
        return str(getattr(row, self.get_target(row)).key)


class ExclusionIn(serializers.Serializer[Any]):
    target = serializers.ChoiceField(list(TARGETS))
    target_key = serializers.UUIDField()
    reason = serializers.CharField(max_length=300)
    free_slots = serializers.BooleanField(
        default=True, help_text="Of an annotator: others judge their sheets again."
    )


class InvitationOut(serializers.ModelSerializer[Invitation]):
    class Meta:
        model = Invitation
        fields = [
            "key", "role", "note", "max_uses", "uses", "expires_at", "revoked_at", "created_at",
        ]  # fmt: skip
        read_only_fields = ["uses", "expires_at", "revoked_at", "created_at"]


class InvitationIn(serializers.Serializer[Any]):
    role = serializers.ChoiceField(
        [choice for choice in Membership.Role.choices if choice[0] != Membership.Role.OWNER],
        default=Membership.Role.ANNOTATOR,
    )
    days = serializers.IntegerField(default=14, min_value=1, max_value=365)
    max_uses = serializers.IntegerField(default=1, min_value=1, max_value=10_000)
    note = serializers.CharField(max_length=200, default="", allow_blank=True)


class InvitationLinkOut(InvitationOut):
    link = serializers.URLField(help_text="Shown this once: only its hash is kept.")

    class Meta(InvitationOut.Meta):
        fields = [*InvitationOut.Meta.fields, "link"]
