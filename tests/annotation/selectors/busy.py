"""A campaign in which everything happened once."""

from annotation.selectors.campaigns import campaigns, progress
from annotation.selectors.collecting import remarks
from annotation.selectors.collecting.sheets import sheets_of
from annotation.selectors.people import background
from annotation.selectors.people import members as people
from annotation.selectors.people.withdrawal import withdrawals
from annotation.selectors.quality import overview as quality
from annotation.selectors.quality import practice
from tests.factories import make_user


def read(campaign, bob):
    """Every read that starts from a campaign, or from a voice in it."""
    alice = make_user("alice")
    listed = campaigns.campaigns_with_progress(user=alice).filter(pk=campaign.pk)
    voices = progress.annotators_with_progress(campaign=campaign).order_by("pk")
    numbers = ("pk", "sheets_done", "judgments_counted", "last_at")
    return {
        "progress": progress.campaign_progress(campaign=campaign),
        "own progress": progress.own_progress(campaign=campaign, annotator=bob),
        "progress of nobody": progress.own_progress(campaign=campaign, annotator=None),
        "voices": list(voices.values(*numbers)),
        "list": list(listed.values("slots_all", "slots_done", "role", "simulated")),
        "counts": campaigns.campaign_counts(campaign=campaign),
        "simulated": campaigns.has_simulated(campaign=campaign),
        "members": [
            (one.user_id, one.role, one.code, one.annotator_key)
            for one in people.members(campaign=campaign)
        ],
        "remarks": list(remarks.remarks_of(campaign=campaign)),
        "skips": list(remarks.skips_of(campaign=campaign)),
        "withdrawals": list(withdrawals(campaign=campaign)),
        "asked": list(background.questions_asked(campaign=campaign)),
        "left": list(background.questions_left(annotator=bob)),
        "tallies": background.answer_tallies(campaign=campaign),
        "answered": list(background.annotators_with_answers(campaign=campaign)),
        "practice": list(practice.practice_texts(campaign=campaign)),
        "tolerances": practice.tolerances(campaign),
        "standings": [str(one) for one in practice.standings(campaign=campaign)],
        "quality": [str(one) for one in quality.overview(campaign=campaign)],
        "watching": [str(one) for one in quality.rules_watching(annotator=bob)],
        "controls": list(quality.texts_of_role(campaign=campaign, role="control")),
        "sheets": list(sheets_of(annotator=bob)),
    }
