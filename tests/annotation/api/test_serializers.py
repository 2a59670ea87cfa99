"""Rows as JSON: by public names, nothing that an annotator or a stranger must not read."""

from __future__ import annotations

import pytest

from annotation.api import serializers
from annotation.api.serializers import (
    AnnotatorOut,
    CampaignIn,
    ExclusionOut,
    InvitationOut,
    JudgmentOut,
    OutputOut,
)
from annotation.models import Campaign, Judgment, Output
from annotation.services.people.exclusions import exclusion_add
from annotation.services.people.membership import invitation_create
from tests.factories import add_judgments, make_annotator, make_campaign, make_user

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("kind", ["annotator", "phrase", "item", "substitution", "system"])
def test_an_exclusion_names_its_one_target(campaign: Campaign, kind: str) -> None:
    make_annotator(campaign)
    target = getattr(campaign, f"{kind}s").first()
    shown = ExclusionOut(exclusion_add(target=target, reason="A test.", actor=None)).data
    assert (shown["target"], shown["target_key"]) == (kind, str(target.key))
    assert shown["created_by"] is None


def test_answers_of_an_annotator_stand_under_short_names(answered: Campaign) -> None:
    shown = {one.code: AnnotatorOut(one).data for one in answered.annotators.order_by("pk")}
    assert [one["background"] for one in shown.values()] == [
        {"age": 40, "speaks": ["Czech", "Dutch"], "else": None},
        {"age": None, "speaks": ["Dutch"], "else": None},
        {},
    ]
    assert "bob" not in str(shown)


def test_what_is_not_there_is_null() -> None:
    """A judgment from a file has no guideline, and a system may have given no text."""
    rows = [
        {"item": "i", "sentence": "One two.", "phrase": "two", "paraphrase": "2", "system": "A"},
        {"item": "i", "sentence": "One two.", "phrase": "two", "paraphrase": "", "system": "B"},
    ]
    campaign = make_campaign(rows=rows)
    said = {"item": "i", "paraphrase": "2", "annotator": "X", "scale": "MEANING", "value": 2}
    add_judgments(campaign, [said])
    shown = JudgmentOut(Judgment.objects.get()).data
    assert (shown["annotator"], shown["scale"], shown["guideline"]) == ("X", "MEANING", None)
    outputs = {
        one.system.label: OutputOut(one).data["substitution"] for one in Output.objects.all()
    }
    assert outputs == {"A": str(campaign.substitutions.get().key), "B": None}


def test_the_secret_of_an_invitation_is_not_shown(campaign: Campaign) -> None:
    invitation, token = invitation_create(campaign=campaign, actor=make_user("alice"))
    shown = str(InvitationOut(invitation).data)
    assert token not in shown and invitation.token_hash not in shown


@pytest.mark.parametrize(
    ("slug", "fine"), [("camp-2_a", True), ("no spaces", False), ("a/b", False)]
)
def test_a_short_name_fits_an_address(slug: str, fine: bool) -> None:
    asked = CampaignIn(data={"slug": slug})
    assert asked.is_valid() is fine
    assert fine or set(asked.errors) == {"slug"}


def test_a_new_campaign_has_the_scales_of_phrases_unless_another_template_is_named() -> None:
    asked = CampaignIn(data={"slug": "new"})
    assert asked.is_valid() and asked.validated_data == {"slug": "new", "template": "phrase"}
    assert not CampaignIn(data={"slug": "new", "template": "none"}).is_valid()


def test_nobody_is_invited_as_an_owner() -> None:
    assert not serializers.InvitationIn(data={"role": "owner"}).is_valid()
    asked = serializers.InvitationIn(data={})
    assert asked.is_valid() and asked.validated_data["role"] == "annotator"
