"""Practice and test, for researchers: the texts, what passes, and who is how far."""

from annotation.models import Substitution
from tests.clients import client_of, html_of
from tests.factories import make_campaign


def test_researchers_set_it_up_on_the_page():
    campaign = make_campaign(open_it=False)
    client = client_of("dora")
    scales = {scale.name: scale.key for scale in campaign.scales.all()}
    asked = {
        "sentence": "Learn this here.",
        "phrase": "this",
        "paraphrase": "that",
        "part": "test",
        f"{scales['MEANING']}-low": "4",
        f"{scales['MEANING']}-high": "",
        f"{scales['MEANING']}-why": "Nearly the same.",
    }
    assert client.post("/c/camp/practice/texts/", asked).status_code == 302
    assert client.post("/c/camp/practice/texts/", {**asked, "phrase": "no"}).status_code == 422
    rule = {"required": "on", "percent": "70", "tries": "3"}
    rule |= {f"tolerance-{key}": "1" for key in scales.values()}
    assert client.post("/c/camp/practice/", rule).status_code == 302
    assert client.post("/c/camp/practice/", {**rule, "percent": "0"}).status_code == 422
    page = html_of(client.get("/c/camp/practice/"))
    assert "MEANING 4" in page and 'value="70"' in page
    text = Substitution.objects.get(role="practice")
    assert "Nearly the same." in html_of(client.get(f"/c/camp/quality/texts/{text.key}/"))
