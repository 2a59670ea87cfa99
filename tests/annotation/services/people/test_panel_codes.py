"""Nobody ends a part without the code that their pay needs, and pages tell how parts ended."""

from datetime import timedelta

import pytest

from annotation.board.queries import board_annotators
from annotation.errors import Conflict, Invalid
from annotation.models import Annotator, Campaign, Participant, PartOutcome
from annotation.panels.participation import panel_enter
from annotation.panels.queries import panels_of
from annotation.panels.services import panel_close, panel_create, panel_update
from annotation.people.annotators import part_ended
from annotation.people.participation import part_end
from paraanno import clock
from tests.clients import client_of, text_of
from tests.factories import make_campaign

BACK = "https://example.org/?cc={code}"


@pytest.fixture
def campaign():
    return make_campaign(items=4)


@pytest.mark.parametrize("codes", [{}, {"complete": ""}, {"quota_full": "C2"}])
def test_an_address_with_a_code_needs_that_of_complete(campaign, codes):
    given = {"name": "P", "sheets_per_person": 2, "return_url": BACK}
    panel = panel_create(campaign=campaign, actor=None, codes=codes, **given)
    assert panel.needs_code
    assert "Nobody gets in yet" in text_of(client_of("alice").get(f"/c/camp/panels/{panel.key}/"))
    assert "needs a code" in text_of(client_of("alice").get("/c/camp/panels/"))
    panel = panel_close(panel=panel, closed=True, actor=None)
    with pytest.raises(Conflict):
        panel_close(panel=panel, closed=False, actor=None)
    panel_update(panel=panel, actor=None, codes={"complete": "C1"})
    panel_close(panel=panel, closed=False, actor=None)
    # While nobody came, all may change; who comes then works for nothing, so is not let in.
    panel_update(panel=panel, actor=None, codes=codes)
    assert panel_enter(panel=panel, platform_id="a").quota == 0
    panel_update(panel=panel, actor=None, codes={"complete": "C1"})
    assert panel_enter(panel=panel, platform_id="a").quota == 2
    with pytest.raises(Invalid) as refusal:
        panel_update(panel=panel, actor=None, codes=codes)
    assert list(refusal.value.data["fields"]) == ["codes"]


def test_the_page_names_who_would_get_no_code(campaign):
    panel = panel_create(
        campaign=campaign,
        actor=None,
        name="P",
        sheets_per_person=2,
        return_url=BACK,
        codes={one: "C" for one in PartOutcome if one not in ("withdrawn", "timed_out")},
    )
    assert panel.without_code == [PartOutcome.WITHDRAWN]  # Without a limit nobody's time is up.
    page = client_of("alice").get(f"/c/camp/panels/{panel.key}/")
    assert "no link back to the platform: Withdrawn." in text_of(page)
    panel_update(panel=panel, actor=None, return_url="https://example.org/", codes={})
    assert panel.without_code == []
    panel_enter(panel=panel, platform_id="a")
    page = client_of("alice").post(
        f"/c/camp/panels/{panel.key}/",
        {"name": "P", "sheets_per_person": 2, "return_url": BACK, "parameter": "PROLIFIC_PID"},
    )
    assert page.status_code == 422
    assert page.context["form"].errors.keys() == {"code_complete"}


def test_complete_left_and_working_are_told_apart(campaign):
    panel = panel_create(campaign=campaign, actor=None, name="P", sheets_per_person=2, minutes=30)
    now = clock.now()
    parts = {name: panel_enter(panel=panel, platform_id=name) for name in "abcd"}
    part_end(part=parts["a"], outcome=PartOutcome.COMPLETE, now=now)
    part_end(part=parts["b"], outcome=PartOutcome.WITHDRAWN, now=now)
    # Their time is up, and they have not come back to be told.
    late = now - timedelta(minutes=31)
    Participant.objects.filter(pk=parts["c"].pk).update(entered_at=late)
    counts = panels_of(campaign_id=campaign.pk).get()
    assert (counts.entered, counts.complete, counts.left, counts.under_way) == (4, 1, 2, 1)
    ended = {one.pk: part_ended(one, now) for one in board_annotators(campaign=campaign)}
    expected = {"a": "complete", "b": "left", "c": "left", "d": ""}
    assert {name: ended[part.annotator_id] for name, part in parts.items()} == expected
    none = panel_create(campaign=campaign, actor=None, name="Q", sheets_per_person=1)
    counts = panels_of(campaign_id=campaign.pk).get(pk=none.pk)
    assert (counts.entered, counts.left, counts.under_way) == (0, 0, 0)


def test_the_made_up_login_is_never_shown(campaign):
    panel = panel_create(campaign=campaign, actor=None, name="P", sheets_per_person=2)
    campaign.status = Campaign.Status.OPEN
    client = client_of("")
    client.get(f"/p/{panel.token}?PROLIFIC_PID=a1")
    login = Annotator.objects.get(campaign=campaign, origin="participant").user.username
    for path in ("/", "/rate/camp/", "/rate/camp/own/", f"/p/{panel.token}/end"):
        page = client.get(path, follow=True)
        assert page.status_code == 200, path
        assert login not in text_of(page), path
        assert f">{login}<" not in page.content.decode(), path
    assert client.get("/api/v1/me?campaign=camp").json()["username"] == ""
