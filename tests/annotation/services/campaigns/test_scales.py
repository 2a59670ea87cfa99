"""Scales of a draft are changed and removed; those that hold values are not."""

from dataclasses import replace
from functools import partial

import pytest

from annotation.campaigns.scales import scale_change, scale_remove
from annotation.campaigns.services import campaign_open
from annotation.campaigns.templating.parts import TEMPLATES
from annotation.errors import Invalid
from annotation.models import AuditEntry, ImportedGold, Scale
from paraanno.common.panel_links import ScaleTemplate
from tests.factories import make_campaign, make_user

MEANING = TEMPLATES["phrase"].scales[0]
STYLE = ScaleTemplate(
    "STYLE",
    "Is the tone kept?",
    points=((2, "Yes", ""), (0, "No", "")),
    maximum=2,
    minimum=0,
    threshold=1,
)


@pytest.fixture
def meaning():
    campaign = make_campaign(items=1, open_it=False, cast=False)
    return campaign.scales.get(name="MEANING")


def state(scale):
    scale.refresh_from_db()
    points = tuple(scale.points.values_list("value", "label"))
    return scale.name, scale.minimum, scale.maximum, scale.threshold, points


def unchangeable(scale, why):
    for act in (partial(scale_change, template=STYLE), scale_remove):
        with pytest.raises(Invalid, match=why):
            act(scale=scale, actor=None)


def test_a_change_replaces_settings_and_points_and_the_log_has_what_differs(meaning):
    changed = scale_change(scale=meaning, template=STYLE, actor=make_user("alice"))
    assert changed.pk == meaning.pk
    assert state(meaning) == ("STYLE", 0, 2, 1, ((2, "Yes"), (0, "No")))
    [entry] = AuditEntry.objects.filter(verb="change scale")
    assert entry.data["before"]["threshold"] == 3 and entry.data["after"]["threshold"] == 1
    assert "level" not in entry.data["before"] and "level" not in entry.data["after"]


def test_only_a_threshold_that_moved_enters_the_history(meaning):
    for template in (replace(MEANING, question="Why?"), replace(MEANING, threshold=2)):
        scale_change(scale=meaning, template=template, actor=None)
    assert [one.threshold for one in meaning.threshold_changes.all()] == [3, 2]


@pytest.mark.parametrize(
    "wrong",
    [
        {"points": ((3, "Beyond", ""),)},
        {"points": ((0.5, "Between", ""),)},
        {"points": ((1, "One", ""), (1, "Another", ""))},
        {"name": "grammar"},  # As that of the other one.
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(meaning, wrong):
    before = state(meaning)
    with pytest.raises(Invalid):
        scale_change(scale=meaning, template=replace(STYLE, **wrong), actor=None)
    assert state(meaning) == before
    assert not AuditEntry.objects.filter(verb="change scale").exists()


def test_imported_gold_fixes_its_scale_and_no_other(meaning):
    campaign = meaning.campaign
    text = campaign.substitutions.order_by("pk")[0]
    ImportedGold.objects.create(
        campaign=campaign, substitution=text, scale=meaning, value=4, source="paper"
    )
    unchangeable(meaning, "values on MEANING already")
    scale_remove(scale=campaign.scales.get(name="GRAMMAR"), actor=None)
    assert [scale.name for scale in campaign.scales.all()] == ["MEANING"]


def test_a_campaign_opened_since_the_scale_was_read_is_asked_again(meaning):
    assert meaning.campaign.opened_at is None
    campaign_open(campaign=meaning.campaign, actor=None)
    unchangeable(meaning, "fixed since the campaign was opened")


def test_the_last_scale_stays(meaning):
    scale_remove(scale=meaning, actor=None)
    with pytest.raises(Invalid, match="at least one scale"):
        scale_remove(scale=Scale.objects.get(), actor=None)
    assert Scale.objects.get().name == "GRAMMAR"
