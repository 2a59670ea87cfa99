"""How far a campaign and its annotators are; counts, each in one query."""

from __future__ import annotations

import pytest

from annotation.models import Annotator, BoardFigures, Sheet, Slot, Substitution
from annotation.selectors.campaigns.progress import (
    SheetsProgress,
    campaign_progress,
    own_progress,
    sheets_progress,
)
from annotation.services.collecting.claiming import claim_next
from annotation.services.people.exclusions import exclusion_add
from annotation.services.quality.rules import plan_set
from tests.clients import client_of, text_of
from tests.factories import (
    add_judgments,
    make_annotator,
    make_campaign,
    make_user,
    rate_all,
    rate_sheet,
)

pytestmark = pytest.mark.django_db
FREE = {
    "state": "free", "annotator": None, "claimed_at": None, "lease_expires_at": None,
    "done_at": None,
}  # fmt: skip


def test_progress_shows_voices_as_they_are() -> None:
    campaign = make_campaign(items=2, k=3)
    rate_all(make_annotator(campaign, "bob"))
    rate_all(make_annotator(campaign, "dora"))
    out = make_annotator(campaign, "ben")
    exclusion_add(target=out, reason="was asleep", actor=make_user("alice"))
    rows = [{"item": "item-0", "paraphrase": "system 0 paraphrase 0", "annotator": "robot",
             "scale": "MEANING", "value": 4}]  # fmt: skip
    assert "simulated" not in text_of(client_of("vera").get("/c/camp/board/")).lower()
    add_judgments(campaign, rows, origin=Annotator.Origin.SIMULATED)
    BoardFigures.objects.all().delete()  # They are computed once a minute.
    page = text_of(client_of("vera").get("/c/camp/board/"))
    assert "Contains simulated judgments" in page
    codes = {one.user.username if one.user else "": one.code for one in
             Annotator.objects.select_related("user")}  # fmt: skip
    assert f"{codes['bob']} working Invited 2 8" in page
    assert f"{codes['dora']} working not blind Invited 2 8" in page
    assert f"{codes['ben']} excluded Invited 0 0" in page
    assert "robot now Simulated 0 1" in page
    assert "Done 4 66 %" in page and "Sheets complete 0 / 2" in page


def test_complete_sheets_are_the_same_however_they_are_looked_for() -> None:
    """A sheet counts with its last place, one with void places alone does not, and neither do
    shared sheets, repeats and sheets of copies."""
    campaign = make_campaign(items=6, k=2)
    people = [make_annotator(campaign, name) for name in ("bob", "ben")]
    for one in people:
        rate_all(one)
    Slot.objects.filter(sheet__item__position=0).update(state="void")
    Slot.objects.filter(sheet__item__position=1, number=1).update(state="void")
    Slot.objects.filter(sheet__item__position=2, number=1).update(**FREE)
    Sheet.objects.filter(item__position=3).update(shared=True)
    Substitution.objects.filter(item__position=4).update(role="copy")
    Substitution.objects.filter(item__position=5, text__contains="system 0").update(role="copy")
    found = {
        sheets_progress(campaign=campaign, done=done, places=10) for done in (0, 2, 3, 10)
    }  # fmt: skip
    assert found == {SheetsProgress(all=4, complete=2)}
    told = campaign_progress(campaign=campaign)
    assert (told.sheets, told.sheets_complete) == (4, 2)


def test_work_of_an_excluded_annotator_is_still_shown() -> None:
    """It is to be paid for, although it counts in no statistic."""
    campaign = make_campaign(items=2, k=3)
    bob = make_annotator(campaign, "bob")
    rate_all(bob)
    exclusion_add(target=bob, reason="was asleep", actor=make_user("alice"))
    page = text_of(client_of("vera").get("/c/camp/board/"))
    assert f"{bob.code} working excluded Invited 2 (0 counted) 8 (0 counted)" in page
    [row] = client_of("vera").get("/api/v1/campaigns/camp/annotators").json()["results"]
    work = ("sheets_done", "sheets_submitted", "judgments_counted", "judgments_given")
    assert [row[name] for name in work] == [0, 2, 0, 8]


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_hidden_repeats_leave_no_trace_in_the_counter(share: float) -> None:
    """Every submitted sheet is one sheet less, whether it comes again or not."""
    campaign = make_campaign(items=6, k=1)
    plan_set(campaign=campaign, actor=make_user("alice"),
             changes={"repeat_share": share, "repeat_after": 2})  # fmt: skip
    bob = make_annotator(campaign, "bob")
    seen = []
    while (sheet := claim_next(annotator=bob)) is not None:
        progress = own_progress(campaign=campaign, annotator=bob)
        seen.append((progress.done, progress.open + progress.left))
        rate_sheet(bob, sheet)
    total = 6 if share == 0 else 12 if share == 1 else len(seen)
    assert seen == [(done, total - done) for done in range(total)]
    assert own_progress(campaign=campaign, annotator=bob).total == total
