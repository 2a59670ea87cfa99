"""The Django admin, for repairs by staff; campaign managers use the ordinary pages.

Models with a history (judgments, slots, exclusions, the audit log) are read-only here: a change
that bypasses the services would break the rules checked by `manage.py verify`.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from annotation import models
from annotation.access import takes_part


class ReadOnly(admin.ModelAdmin):
    """A model that can be viewed but not changed."""

    show_full_result_count = False
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


admin.site.unregister(User)


@admin.register(User)
class AccountAdmin(UserAdmin):
    """The page Accounts disables and makes administrators: there the last one stays, sessions end,
    and all of it is in the log. Deleting leads to the page that shows what will be deleted:
    campaigns decide what is kept about a person."""

    readonly_fields = ["is_active", "is_staff", "is_superuser", "last_login", "date_joined"]

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Of no participant of a panel, whose name says what they are, and who get no password."""
        if isinstance(obj, User) and takes_part(user=obj):
            return False
        return super().has_change_permission(request, obj)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        return redirect("site-person-delete", user=object_id)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions: dict[str, Any] = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions


@admin.register(models.Campaign)
class CampaignAdmin(admin.ModelAdmin):
    list_display = ["slug", "name", "status", "annotators_per_sheet", "created_by", "created_at"]
    list_filter = ["status"]
    list_select_related = ["created_by"]
    search_fields = ["slug", "name"]
    raw_id_fields = ["created_by"]
    # The services change these together with sheets, slots and the audit log.
    readonly_fields = [
        "status",
        "annotators_per_sheet",
        "max_per_sheet",
        "order",
        "shared_share",
        "opened_at",
        "closed_at",
    ]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(
        self, request: HttpRequest, obj: models.Campaign | None = None
    ) -> bool:
        return False


@admin.register(models.Membership)
class MembershipAdmin(ReadOnly):
    """Roles are set on the people page, which also marks members as not blind."""

    list_display = ["campaign", "user", "role", "created_at"]
    list_filter = ["role"]
    list_select_related = ["campaign", "user"]
    search_fields = ["campaign__slug", "user__username"]


@admin.register(models.Annotator)
class AnnotatorAdmin(admin.ModelAdmin):
    list_display = ["code", "campaign", "user", "origin", "not_blind_since"]
    list_filter = ["origin"]
    list_select_related = ["campaign", "user"]
    search_fields = ["code", "campaign__slug", "user__username"]
    fields = ["campaign", "user", "code", "origin", "not_blind_since"]
    readonly_fields = ["campaign", "origin", "not_blind_since"]
    raw_id_fields = ["user"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(
        self, request: HttpRequest, obj: models.Annotator | None = None
    ) -> bool:
        return False


@admin.register(models.Invitation)
class InvitationAdmin(ReadOnly):
    list_display = ["campaign", "role", "note", "uses", "max_uses", "expires_at", "revoked_at"]
    list_select_related = ["campaign"]
    search_fields = ["campaign__slug", "note"]
    exclude = ["token_hash"]


@admin.register(models.Item)
class ItemAdmin(ReadOnly):
    list_display = ["pk", "campaign", "phrase", "__str__"]
    list_select_related = ["campaign", "phrase"]
    search_fields = ["=key", "=outside_ids__value"]


@admin.register(models.Substitution)
class SubstitutionAdmin(ReadOnly):
    list_display = ["pk", "campaign", "role", "__str__"]
    list_select_related = ["campaign"]
    search_fields = ["=key"]


@admin.register(models.Slot)
class SlotAdmin(ReadOnly):
    list_display = ["pk", "campaign", "sheet_id", "number", "state", "annotator", "done_at"]
    list_filter = ["state"]
    list_select_related = ["campaign", "annotator"]
    search_fields = ["=key", "annotator__code"]


@admin.register(models.Judgment)
class JudgmentAdmin(ReadOnly):
    list_display = [
        "pk",
        "campaign",
        "annotator",
        "substitution_id",
        "scale",
        "occasion",
        "value",
        "reason",
        "status",
        "version",
        "recorded_at",
    ]
    list_filter = ["status", "kind"]
    list_select_related = ["campaign", "annotator", "scale"]
    search_fields = ["=substitution__key", "annotator__code"]


@admin.register(models.Exclusion)
class ExclusionAdmin(ReadOnly):
    list_display = ["campaign", "kind", "reason", "starts_at", "ends_at", "created_by"]
    list_select_related = ["campaign", "created_by"]


@admin.register(models.ImportBatch)
class ImportBatchAdmin(ReadOnly):
    list_display = ["campaign", "what", "file_name", "rows", "created_by", "created_at"]
    list_filter = ["what"]
    list_select_related = ["campaign", "created_by"]


@admin.register(models.AuditEntry)
class AuditEntryAdmin(ReadOnly):
    list_display = ["at", "campaign", "actor", "verb", "person", "about", "object_type"]
    list_select_related = ["campaign", "actor", "person"]
    search_fields = ["=verb", "campaign__slug", "actor__username", "person__username", "=about"]
