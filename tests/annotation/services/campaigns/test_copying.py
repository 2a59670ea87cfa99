"""A copy asks the same, of the same texts and people where that is wanted, and knows its source."""

from annotation.campaigns.copying import campaign_copy
from annotation.campaigns.templating.queries import template_of
from annotation.models import Annotator, Membership, Output, Substitution
from annotation.quality.expected import Band, text_add
from annotation.quality.overview import practice_texts
from annotation.verify import verify
from tests.factories import (
    add_copies,
    exclude,
    make_annotator,
    make_campaign,
    make_user,
    open_campaign,
    rate_all,
)


def watched():
    """Judged, with exact copies of texts, and a practice text."""
    campaign = make_campaign(items=3, open_it=False)
    add_copies(campaign, 2)
    text_add(
        campaign=campaign,
        role="practice",
        sentence="Learn this.",
        phrase="this",
        paraphrase="that",
        bands={"MEANING": Band(1, 2)},
        actor=None,
    )
    campaign = open_campaign(campaign)
    rate_all(make_annotator(campaign))
    return campaign


def rows_of(campaign):
    texts = Substitution.objects.filter(campaign=campaign).order_by("item__position", "role")
    return sorted(
        texts.values_list(
            "item__position",
            "item__sentence",
            "item__identity_hash",
            "item__phrase__text",
            "role",
            "text",
            "text_hash",
            "made_from__text",
        ),
        key=str,
    )


def outputs_of(campaign):
    rows = Output.objects.filter(system__campaign=campaign)
    return sorted(rows.values_list("system__label", "item__position", "rank", "substitution__text"))


def test_texts_come_with_everything_that_belongs_to_them():
    campaign = watched()
    copy = campaign_copy(campaign=campaign, slug="two", texts=True, actor=None)
    assert rows_of(copy) == rows_of(campaign)
    assert outputs_of(copy) == outputs_of(campaign)
    assert template_of(campaign=copy) == template_of(campaign=campaign)
    assert practice_texts(campaign=copy).count() == 1
    for one, same in zip(campaign.items.all(), copy.items.all(), strict=True):
        assert one.references.count() == same.references.count()
        assert one.outside_ids.count() == same.outside_ids.count()
    assert not copy.judgments.exists()
    assert not copy.substitutions.filter(key__in=campaign.substitutions.values("key")).exists()
    assert verify(campaign=copy) == []
    copy = open_campaign(copy)
    rate_all(make_annotator(copy, "beth"))


def test_people_keep_roles_and_codes_but_who_left_or_is_excluded():
    campaign = watched()
    ben = make_annotator(campaign, "ben")
    exclude(ben)
    copy = campaign_copy(campaign=campaign, slug="two", people=True, actor=make_user("dora"))
    roles = dict(Membership.objects.filter(campaign=copy).values_list("user__username", "role"))
    assert roles == {"alice": "owner", "dora": "owner", "bob": "annotator", "vera": "viewer"}
    bob = Annotator.objects.get(campaign=copy)
    assert bob.code == campaign.annotators.get(user__username="bob").code
