"""What annotators do in these tests: claim, and answer as a rule of the test says."""

from datetime import timedelta
from uuid import uuid4

from django.utils import timezone

from annotation.collecting.claiming import NotClaimable, claim_next
from annotation.collecting.saving import Answer, judgment_save, sheet_submit
from annotation.models import Substitution
from annotation.quality.expected import Band, expected_set


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
            judgment_save(
                annotator=annotator,
                sheet_key=sheet.key,
                substitution_key=entry.substitution.key,
                scale_key=scale.key,
                answer=given if isinstance(given, Answer) else Answer(given),
                request_id=uuid4(),
                base_version=0,
                now=now,
            )
    sheet_submit(annotator=annotator, sheet_key=sheet.key, now=now)


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
