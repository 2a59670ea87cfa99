"""A campaign from its making to its end: what is refused, logged and kept."""

from dataclasses import replace

import pytest
from django.db import IntegrityError

from annotation.access import campaign_get
from annotation.campaigns.queries import campaigns_with_progress
from annotation.campaigns.services import (
    campaign_bring_back,
    campaign_close,
    campaign_create,
    campaign_pause,
    campaign_put_away,
    campaign_update,
    scale_append,
    threshold_set,
)
from annotation.campaigns.templating.parts import TEMPLATES
from annotation.campaigns.templating.queries import (
    FIXED_ONCE_OPEN,
    SETTINGS,
)
from annotation.errors import Invalid, NotAllowed
from annotation.models import AuditEntry, Campaign, Guideline, Scale, Slot
from tests.factories import (
    add_guideline,
    close_campaign,
    make_campaign,
    make_user,
    new_campaign,
    open_campaign,
)

MEANING = TEMPLATES["phrase"].scales[0]
STYLE = replace(MEANING, name="STYLE")


@pytest.fixture
def draft():
    return make_campaign(items=2, open_it=False, cast=False)


def change(campaign, **changes):
    return campaign_update(campaign=campaign, actor=None, changes=changes)


def logged(verb):
    return [entry.data for entry in AuditEntry.objects.filter(verb=verb).order_by("pk")]


def test_who_creates_a_campaign_owns_it_and_a_command_makes_one_without_owner():
    own = campaign_create(actor=make_user("alice"), slug="own")
    assert [(one.user.username, one.role) for one in own.memberships.all()] == [("alice", "owner")]
    assert not new_campaign("free").memberships.exists()
    assert (own.name, own.status) == ("own", "draft")
    assert logged("create") == [{"template": "phrase"}] * 2


def test_a_campaign_that_cannot_be_made_whole_is_not_made():
    with pytest.raises(IntegrityError):
        new_campaign("twice", scales=[STYLE, STYLE])
    for wrong in ({"slug": "a", "template": "none"}, {"slug": "a", "lease_minutes": 0}):
        with pytest.raises(Invalid):
            campaign_create(actor=None, **wrong)
    new_campaign("taken")
    with pytest.raises(Invalid, match="'taken' exists already"):
        new_campaign("taken")
    assert Campaign.objects.get().slug == "taken"
    assert Scale.objects.count() == 2


def test_guidelines_get_a_version_only_if_the_text_is_another(draft):
    for text in ("One.", "One.", "Two.", "One."):
        add_guideline(draft, text)
    versions = Guideline.objects.order_by("version").values_list("version", "text")
    assert list(versions)[1:] == [(2, "One."), (3, "Two."), (4, "One.")]


@pytest.mark.parametrize("name", ["status", "opened_at", "slug", "nothing"])
def test_what_is_no_setting_cannot_be_changed(draft, name):
    with pytest.raises(Invalid, match=f"{name} cannot be changed"):
        change(draft, **{name: "x", "name": "Renamed"})
    assert Campaign.objects.get().name == draft.name


@pytest.mark.parametrize(
    ("name", "value"), [("order", "depth"), ("max_per_sheet", 1), ("shared_share", 0.5)]
)
def test_what_shapes_sheets_is_fixed_for_good_once_opened(draft, name, value):
    assert name in FIXED_ONCE_OPEN
    open_campaign(draft)
    closed = close_campaign(draft)
    with pytest.raises(Invalid, match=f"{name} cannot be changed after"):
        change(closed, **{name: value, "name": "Renamed"})
    kept = Campaign.objects.get()
    assert (kept.name, getattr(kept, name)) == (draft.name, getattr(draft, name))
    # The same value is no change.
    same = {name: getattr(draft, name), "name": "Renamed"}
    assert change(closed, **same).name == "Renamed"


def test_more_annotators_per_sheet_are_more_places():
    campaign = make_campaign(items=2, k=2, cast=False)
    change(campaign, annotators_per_sheet=3)
    assert Slot.objects.filter(state=Slot.State.FREE).count() == 6
    with pytest.raises(Invalid, match="between 1 and 1,000"):
        change(campaign, annotators_per_sheet=1001)


def test_a_campaign_is_opened_paused_and_closed_once_each(draft):
    opened = open_campaign(draft)
    first = opened.opened_at
    for act in (campaign_pause, campaign_pause, campaign_close, campaign_close):
        closed = act(campaign=draft, actor=None)
    assert closed.closed_at is not None
    again = open_campaign(draft)
    assert (again.opened_at, again.closed_at, again.sheets.count()) == (first, None, 2)
    assert logged("set status open") == [{"before": "draft"}, {"before": "closed"}]
    assert logged("set status paused") == [{"before": "open"}]
    assert logged("set status closed") == [{"before": "paused"}]


def test_a_threshold_stays_on_its_scale_and_the_same_one_makes_no_history(draft):
    scale = draft.scales.get(name="MEANING")
    for threshold in (3, 4, 4, None):
        scale = threshold_set(scale=scale, threshold=threshold, actor=None)
    for beyond in (0.99, 5.01):
        with pytest.raises(Invalid, match="must be on the scale"):
            threshold_set(scale=scale, threshold=beyond, actor=None)
    assert [one.threshold for one in scale.threshold_changes.all()] == [3, 4, None]
    assert logged("set threshold") == [{"before": 3, "after": 4}, {"before": 4, "after": None}]


def test_a_scale_is_appended_to_a_draft_only(draft):
    style = scale_append(campaign=draft, template=STYLE, actor=None)
    assert style.position == 2
    for wrong in ({"name": "style"}, {"name": "OFF", "points": ((6, "Six", ""),)}):
        with pytest.raises(Invalid):
            scale_append(campaign=draft, template=replace(STYLE, **wrong), actor=None)
    open_campaign(draft)
    with pytest.raises(Invalid, match="fixed since the campaign was opened"):
        scale_append(campaign=draft, template=replace(STYLE, name="LATE"), actor=None)
    assert [one.name for one in draft.scales.all()] == ["MEANING", "GRAMMAR", "STYLE"]


def test_the_language_can_be_corrected_at_any_time(draft):
    def become(tag):
        changed = change(draft, language=tag)
        return changed.language, changed.language_changes

    assert [become("PT_br"), become("und")] == [("pt-BR", 1), ("", 2)]
    with pytest.raises(Invalid, match="not a language tag of BCP 47"):
        become("Korean!")
    open_campaign(draft)
    assert [become(tag) for tag in ("ko", "ko", "en", "en")] == [
        ("ko", 3),
        ("ko", 3),
        ("en", 4),
        ("en", 4),
    ]
    entry = draft.audit.order_by("-pk").first()
    assert entry.data["before"] == {"language": "ko"} and entry.data["after"] == {"language": "en"}
    assert new_campaign("de", language="deu").language == "de"


def test_settings_are_columns_of_a_campaign():
    columns = {field.name for field in Campaign._meta.concrete_fields}
    assert {*SETTINGS, *FIXED_ONCE_OPEN} <= columns


def test_it_leaves_the_lists_and_can_only_be_read():
    campaign, alice = make_campaign(items=1), make_user("alice")
    with pytest.raises(Invalid, match="close it first"):
        campaign_put_away(campaign=campaign, actor=alice)
    campaign_close(campaign=campaign, actor=alice)
    for _ in range(2):
        campaign_put_away(campaign=campaign, actor=alice)
    assert not campaigns_with_progress(user=alice)
    assert campaigns_with_progress(user=alice, archived=True).get() == campaign
    for right in ("see", "read", "keep", "own"):
        assert campaign_get(user=alice, slug=campaign.slug, right=right)
    with pytest.raises(NotAllowed, match="Bring it back first"):
        campaign_get(user=alice, slug=campaign.slug, right="research")
    for _ in range(2):
        campaign_bring_back(campaign=campaign, actor=alice)
    assert campaign_get(user=alice, slug=campaign.slug, right="research")
    verbs = AuditEntry.objects.filter(campaign=campaign).values_list("verb", flat=True)
    assert sorted(verb for verb in verbs if verb in ("put away", "bring back")) == [
        "bring back",
        "put away",
    ]
