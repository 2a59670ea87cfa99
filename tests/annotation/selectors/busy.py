"""A campaign in which everything happened once."""

from annotation.campaigns import queries
from annotation.collecting.sheets import sheets_of
from annotation.http.pages import contents_of
from annotation.people import annotators
from annotation.people.annotators import withdrawals
from annotation.quality import overview
from annotation.sheets import own_work, progress
from tests.factories import make_user


def read(campaign, bob):
    """Every read that starts from a campaign, or from a voice in it."""
    alice = make_user("alice")
    listed = queries.campaigns_with_progress(user=alice).filter(pk=campaign.pk)
    people = progress.with_progress(campaign.annotators.order_by("pk"))
    return {
        "progress": progress.campaign_progress(campaign=campaign),
        "own progress": progress.own_progress(campaign=campaign, annotator=bob),
        "progress of nobody": progress.own_progress(campaign=campaign, annotator=None),
        "people": [(one.pk, one.sheets_done, one.judgments_counted, one.last_at) for one in people],
        "list": list(listed.values("slots_all", "slots_done", "role", "simulated")),
        "counts": queries.campaign_counts(campaign=campaign),
        "contents": contents_of(campaign=campaign),
        "members": [
            (one.user_id, one.role, one.code, one.annotator_key)
            for one in annotators.members(campaign=campaign)
        ],
        "remarks": list(own_work.remarks_of(campaign=campaign)),
        "skips": list(own_work.skips_of(campaign=campaign)),
        "withdrawals": list(withdrawals(campaign=campaign)),
        "asked": list(annotators.questions_asked(campaign=campaign)),
        "left": list(annotators.questions_left(annotator=bob)),
        "tallies": annotators.answer_tallies(campaign=campaign),
        "answered": list(annotators.annotators_with_answers(campaign=campaign)),
        "practice": list(overview.practice_texts(campaign=campaign)),
        "tolerances": overview.tolerances(campaign),
        "standings": [str(one) for one in overview.standings(campaign=campaign)],
        "quality": [str(one) for one in overview.overview(campaign=campaign)],
        "watching": [str(one) for one in overview.rules_watching(annotator=bob)],
        "controls": list(overview.texts_of_role(campaign=campaign, role="control")),
        "sheets": list(sheets_of(annotator=bob)),
    }
