"""Generating paraphrases for a campaign, from the form to the import."""

import pytest

from annotation.models import ImportBatch
from tests.clients import client_of, html_of
from tests.scoring.services.builds.conftest import campaign
from tests.scoring.services.builds.test_generated import built, table, vectors
from tests.scoring.views.builds import build_page

__all__ = ["campaign", "vectors"]
pytestmark = pytest.mark.usefixtures("data_dir")
FORM = "/c/camp/import/paraphrases/"


@pytest.mark.slow
def test_from_a_table_to_items_of_the_campaign(campaign, vectors):
    alice, dora = client_of("alice"), client_of("dora")
    assert f'href="{FORM}"' in html_of(alice.get("/c/camp/import/"))
    assert vectors.name in html_of(alice.get(FORM))
    assert "Which texts" not in html_of(alice.get(FORM, headers={"Accept-Language": "ko"}))
    sent = {"source": "file", "file": table(), "vectors": str(vectors.key), "option-column": "text"}
    page = build_page(alice, FORM, sent)
    shown = html_of(alice.get(page))
    assert "A fine movie." in shown and "<dt>replaced by PG1</dt><dd>80.0 %</dd>" in shown
    assert campaign.items.count() == 1
    # Dora does research here and may add no resources: she imports what others have made.
    assert "Generate them" not in html_of(dora.get(FORM))
    assert "Imported:" in html_of(dora.post(page, follow=True))
    assert ImportBatch.objects.latest("pk").created_by.username == "dora"
    assert campaign.items.count() == 3
    assert "The file adds nothing new" in html_of(alice.get(page))


def test_what_is_wrong_is_told_beside_the_form(campaign, vectors):
    alice = client_of("alice")
    answer = alice.post(FORM, {"source": "file", "option-min_cosine": ".6"})
    assert answer.status_code == 422 and "Choose a file" in html_of(answer)
    assert 'name="option-min_cosine" value=".6"' in html_of(answer)
    failed = built(campaign, vectors, options={"column": "review"})
    assert "has no column &#x27;review&#x27;" in html_of(alice.get(f"{FORM}{failed.key}/"))
