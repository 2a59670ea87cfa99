"""The page that has matches judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.models import Campaign
from tests.factories import make_user
from tests.scoring.services.resources.parts import logged_in
from tests.scoring.services.test_matches import campaign, scored

__all__ = ["campaign"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]


def test_from_a_run_to_a_campaign(campaign: Campaign, tmp_path: Path) -> None:
    alice, run = logged_in(make_user("alice")), scored(campaign, tmp_path)
    page = f"/c/camp/runs/{run.key}/matches/"
    assert f'href="{page}"' in alice.get(f"/c/camp/runs/{run.key}/").content.decode()
    shown = alice.get(page).content.decode()
    assert "flew away" in shown or "red car" in shown
    assert alice.post(page, {"n": "0", "seed": "1", "slug": "x"}).status_code == 422
    answer = alice.post(page, {"n": "5", "seed": "1", "slug": "judged"})
    assert (answer.status_code, answer["Location"]) == (302, "/c/judged/")
    assert alice.post(page, {"n": "5", "seed": "1", "slug": "judged"}).status_code == 422
    dora = logged_in(make_user("dora"))
    assert "Make the campaign" not in dora.get(page).content.decode()
    assert dora.post(page, {"n": "5", "seed": "1", "slug": "more"}).status_code == 403
    other = scored(campaign, tmp_path, "pinc")
    said = alice.get(f"/c/camp/runs/{other.key}/matches/").content.decode()
    assert "Only runs of ParaEval" in said
