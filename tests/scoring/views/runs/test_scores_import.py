"""Scores of metrics of one's own: a file becomes runs."""

from scoring.models import Run
from tests.clients import client_of, html_of, text_of
from tests.scoring.services.runs.score_files import FILE, upload

ADDRESS = "/c/camp/runs/import/"


def test_the_page(camp):
    dora = client_of("dora")
    assert dora.get(ADDRESS).status_code == 200
    wrong = dora.post(ADDRESS, {"file": upload(FILE.replace("0.5", "much")), "label": "blem"})
    assert wrong.status_code == 422 and "is not a number" in text_of(wrong)
    assert 'value="blem"' in html_of(wrong)
    wrong = dora.post(ADDRESS, {"file": upload(), "lower": "x, y"})
    assert wrong.status_code == 422 and "no scores called x, y" in text_of(wrong)
    assert dora.post(ADDRESS, {}).status_code == 422 and not Run.objects.exists()
    for says in ("Imported: mine.", "The same scores already exist: mine."):
        answer = dora.post(ADDRESS, {"file": upload(), "lower_is_better": "on"}, follow=True)
        run = Run.objects.get()
        assert not run.higher_is_better and says in text_of(answer)
        assert answer.redirect_chain[-1][0] == f"/c/camp/runs/{run.key}/"
    assert "import scores" in text_of(dora.get("/c/camp/audit/"))
