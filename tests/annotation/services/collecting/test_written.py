"""What a whole save writes: the rows that single saves and a submission leave."""

import itertools
from datetime import timedelta
from uuid import uuid4

import pytest
from django.conf import settings as site
from django.db import IntegrityError, transaction
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from annotation.collecting import whole_sheet_api
from annotation.collecting.save_queries import Assignment
from annotation.collecting.save_rows import Writing, write
from annotation.models import Judgment, Slot, SlotEvent
from annotation.verify import verify
from paraanno import clock
from tests.annotation.api.collecting.place import Place
from tests.annotation.services.collecting.ways import rows
from tests.factories import rate_sheet

pytestmark = pytest.mark.django_db(transaction=True)


def written_by(slug, how):
    """The rows that `how` leaves of one sheet, in a database that has no others."""
    place = Place(slug=slug, items=1)
    how(place)
    assert verify(campaign=place.campaign) == []
    left = rows()
    place.campaign.judgments.all().delete()
    for model in (SlotEvent, Slot):
        model.objects.all().delete()
    return left


def test_one_request_leaves_the_rows_of_three(long_way, rows_by_hand):
    def three(place):
        rate_sheet(place.bob, place.sheet)

    def one(place):
        assert place.whole(place.answers(), state="done").json()["state"] == "done"

    assert written_by("three", three) == written_by("one", one)
    assert long_way == []


def test_what_is_not_as_it_was_read_is_not_written():
    """The slot is gone since it was read."""
    place = Place()
    slot = Slot.objects.get(annotator=place.bob)
    read = Assignment(
        campaign=place.campaign.pk,
        annotator=place.bob.pk,
        sheet=place.sheet.pk,
        occasion=1,
        slot=slot.pk,
        state="claimed",
        lease=None,
        lease_minutes=60,
        status="open",
    )
    done = Writing(read, changes=[], earlier=[], done=True, lease=None, now=clock.now())
    with pytest.raises(IntegrityError), transaction.atomic():
        Slot.objects.filter(pk=slot.pk).delete()
        write(done)
    assert not SlotEvent.objects.filter(kind=SlotEvent.Kind.DONE).exists()


def test_a_scale_that_is_not_required_may_stay_without_an_answer(long_way):
    place = Place()
    loose = place.campaign.scales.all()[1]
    place.campaign.scales.filter(pk=loose.pk).update(required=False)
    sent = place.answers(2)
    place.whole(sent)
    cleared = [one for one in place.answers(None, base=1) if one["scale"] == str(loose.key)]
    assert place.whole(cleared, state="done").json()["state"] == "done"
    told = Judgment.objects.order_by("scale_id").values_list("value", "status").distinct()
    assert set(told) == {(2, "counted"), (None, "draft")}
    assert long_way == []


def test_a_save_renews_a_lease_that_is_half_over(long_way):
    place = Place(lease_minutes=60)
    place.whole(place.answers()[:1])
    soon = clock.now() + timedelta(minutes=20)
    Slot.objects.filter(annotator=place.bob).update(lease_expires_at=soon)
    place.whole(place.answers()[1:2])
    renewed = Slot.objects.get(annotator=place.bob).lease_expires_at
    assert timedelta(minutes=39) < renewed - soon < timedelta(minutes=41)
    place.whole(place.answers()[2:3])
    assert Slot.objects.get(annotator=place.bob).lease_expires_at == renewed
    assert long_way == []


numbers = itertools.count(1)
ONE = st.tuples(
    st.integers(0, 3),
    st.sampled_from([None, 1.0, 4.0, 5.0, 9.0]),
    st.sampled_from([-1, 0, 0, 0, 0]),
)
REQUEST = st.tuples(st.lists(ONE, max_size=5), st.booleans())


@pytest.mark.slow
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(requests=st.lists(REQUEST, min_size=1, max_size=4))
@example(
    requests=[
        ([(0, None, -1), (1, 5.0, -1), (0, 1.0, -1), (0, None, -1), (0, None, -1)], False),
        ([], False),
        ([(0, None, 0), (3, 4.0, -1)], False),
    ]
)
def test_any_requests_leave_the_same_by_both_ways(monkeypatch, rows_by_hand, requests):
    """Answers in any order and number, right and wrong, sheets handed in or not."""
    # Where it fails, it tries hundreds of campaigns.
    monkeypatch.setattr(site, "CAMPAIGNS_PER_USER", 10**6)

    def told_by(place):
        versions = dict.fromkeys(range(4), 0)
        told = []
        for answers, done in requests:
            sent, places = [], place.answers()
            for number, value, behind in answers:
                base = max(0, versions[number] + behind)
                sent.append({**places[number], "value": value, "base_version": base})
                sent[-1]["id"] = str(uuid4())
            answer = place.whole(sent, state="done" if done else "claimed")
            assert answer.status_code == 200
            data = answer.json()
            for (number, _value, _behind), one in zip(answers, data["answers"], strict=True):
                versions[number] = one.get("version", versions[number])
                told.append((one.get("code"), one.get("value"), one.get("version")))
            told.append((data["state"], data.get("code"), len(data.get("missing", []))))
        return told

    def outcome():
        told = []
        slug = f"way-{next(numbers)}"
        return told, written_by(slug, lambda place: told.extend(told_by(place)))

    quick = outcome()
    with monkeypatch.context() as patch:
        patch.setattr(whole_sheet_api, "fast_put", lambda request, sheet: None)
        slow = outcome()
    assert quick == slow
