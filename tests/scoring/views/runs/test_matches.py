"""The page that has matches judged."""

import pytest

from tests.clients import client_of, html_of
from tests.scoring.services.test_matches import campaign, scored

__all__ = ["campaign"]
pytestmark = pytest.mark.usefixtures("data_dir")


def test_from_a_run_to_a_campaign(campaign, tmp_path):
    alice, run = client_of("alice"), f"/c/camp/runs/{scored(campaign, tmp_path).key}/"
    page = f"{run}matches/"
    assert f'href="{page}"' in html_of(alice.get(run))
    shown = html_of(alice.get(page))
    assert "flew away" in shown or "red car" in shown
    assert alice.post(page, {"n": "0", "seed": "1", "slug": "x"}).status_code == 422
    sent = {"n": "5", "seed": "1", "slug": "judged"}
    assert alice.post(page, sent)["Location"] == "/c/judged/"
    assert alice.post(page, sent).status_code == 422
    assert "Make the campaign" not in html_of(client_of("dora").get(page))
    other = scored(campaign, tmp_path, "pinc")
    shown = html_of(alice.get(f"/c/camp/runs/{other.key}/matches/"))
    assert "Only runs of ParaEval" in shown
