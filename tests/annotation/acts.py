"""What annotators do in these tests: claim, and answer as a rule of the test says."""

from datetime import timedelta

from django.utils import timezone

from annotation.collecting.claiming import NotClaimable, claim_next
from annotation.models import Substitution
from annotation.quality.expected import Band, expected_set
from annotation.quality.rules import plan_set, rule_add
from tests.factories import hand_in, make_annotator, make_campaign, save_answer


def plan(campaign, **changes):
    plan_set(campaign=campaign, actor=None, changes=changes)


def add_rule(campaign, check, act, *, least=1, share=1):
    rule_add(campaign=campaign, check=check, least=least, share=share, act=act, actor=None)


def control(campaign, text, low, high):
    """Make the output with this text a control with one band on every scale."""
    substitution = Substitution.objects.get(campaign=campaign, text=text)
    substitution.outputs.all().delete()
    substitution.role = Substitution.Role.CONTROL
    substitution.save()
    bands = {scale: Band(low, high) for scale in campaign.scales.all()}
    expected_set(substitution=substitution, bands=bands, actor=None)
    return substitution


def judge(
    annotator,
    sheet,
    choose,
    *,
    at=None,
    seconds=3,
):
    """Answer every question, one each `seconds`, and submit."""
    now = at or timezone.now()
    scales = list(annotator.campaign.scales.all())
    for entry in sheet.entries.select_related("substitution"):
        for scale in scales:
            now += timedelta(seconds=seconds)
            given = choose(entry.substitution, scale)
            save_answer(annotator, sheet, entry.substitution, scale, given, now=now)
    hand_in(annotator, sheet, now=now)


def work(annotator, choose, *, sheets=1000, seconds=3):
    """Claim and judge up to `sheets` sheets, as long as there are any; the sheets."""
    done = []
    now = timezone.now()
    while len(done) < sheets:
        try:
            sheet = claim_next(annotator=annotator, now=now)
        except NotClaimable:
            break
        if sheet is None:
            break
        judge(annotator, sheet, choose, at=now, seconds=seconds)
        now += timedelta(seconds=seconds * 2 * sheet.entries.count())
        done.append(sheet)
    return done


def strict(act, *, least=2, share=0.5, delay=2):
    """Every item has a control that wants 5, and one rule watches them."""
    campaign = make_campaign(items=12, systems=1, k=2)
    for number in range(12):
        word = "shared" if number % 3 == 2 else "system 0"
        control(campaign, f"{word} paraphrase {number}", 5, 5)
    plan(campaign, delay_least=delay, delay_most=delay)
    add_rule(campaign, "control", act, least=least, share=share)
    return campaign


def worker(campaign, name="bob"):
    return make_annotator(campaign, name)


def bad(annotator, sheets):
    return work(annotator, lambda text, scale: 1, sheets=sheets, seconds=0)
