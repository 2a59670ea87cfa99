"""Leaving, agreeing and asking while other requests of the same moment are under way."""

import pytest

from annotation.collecting.claiming import NotClaimable
from annotation.collecting.submitting import sheet_submit
from annotation.models import Annotator, Slot, Withdrawal
from annotation.people.exclusions import annotator_withdraw
from tests.annotation.services.collecting.claimed import holding, offer
from tests.annotation.services.together import together
from tests.factories import rate_sheet

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("judgments", ["keep", "remove"])
def test_who_leaves_while_claiming_and_submitting_holds_nothing(judgments):
    bob, sheet = holding(items=6, k=1)
    rate_sheet(bob, sheet, submit=False)

    def again():
        return Annotator.objects.select_related("campaign", "user").get(pk=bob.pk)

    found = together(
        [
            *[lambda: offer(again())] * 4,
            lambda: sheet_submit(annotator=again(), sheet_key=sheet.key),
            *[lambda: annotator_withdraw(annotator=again(), judgments=judgments)] * 2,
        ]
    )
    failed = [one for one in found if isinstance(one, Exception)]
    assert all(isinstance(one, NotClaimable) for one in failed)
    assert Withdrawal.objects.count() == 1
    assert not Slot.objects.filter(annotator=bob, state="claimed").exists()
