"""A claimed sheet, saves and remarks on it."""

from datetime import timedelta
from uuid import uuid4

from django.utils import timezone

from annotation.collecting.claiming import claim_next
from annotation.collecting.sheets import remark_add
from tests.factories import make_annotator, make_campaign, rate_all, rate_sheet, save_answer

NOW = timezone.now()
LATER = NOW + timedelta(hours=3)


def offer(annotator, *beside, now=None):
    """What a claim gives who is working on the sheets `beside`."""
    return claim_next(annotator=annotator, beside=[one.key for one in beside], now=now)


def holding(now=None, **settings):
    """Bob with his first sheet of a campaign that nobody else is in."""
    bob = make_annotator(make_campaign(**{"items": 1, "cast": False} | settings))
    return bob, offer(bob, now=now)


def save(
    annotator,
    sheet,
    value,
    base=0,
    now=LATER,
    request=None,
):
    """Answer the first question of the sheet."""
    entry = sheet.entries.select_related("substitution").order_by("pk")[0]
    scale = annotator.campaign.scales.all()[0]
    return save_answer(annotator, sheet, entry.substitution, scale, value, base, request, now)


def claimed(k=1):
    """Bob, who has answered the first question."""
    bob, sheet = holding(k=k, now=NOW)
    save(bob, sheet, 3, now=NOW)
    return bob, sheet


def rate_rest(annotator, sheet):
    """What `claimed` and `save` leave unanswered."""
    given = set(annotator.judgments.values_list("substitution", "scale"))
    for entry in sheet.entries.select_related("substitution"):
        for scale in annotator.campaign.scales.all():
            if (entry.substitution_id, scale.pk) not in given:
                save_answer(annotator, sheet, entry.substitution, scale, 2, now=LATER)


def say(bob, sheet, text, *, about=None, flagged=False, request=None):
    return remark_add(
        annotator=bob,
        sheet_key=sheet.key,
        substitution_key=about,
        flagged=flagged,
        text=text,
        request_id=request or uuid4(),
    )


def working(begun_campaign):
    """Bob with one sheet done and one open, on which he has answered everything."""
    bob = make_annotator(begun_campaign)
    assert rate_all(bob, at_most=1) == 1
    rate_sheet(bob, claim_next(annotator=bob), submit=False)
    return bob
