"""Practice and test, for annotators: plain forms, which static/js/practice.js makes faster."""

from annotation.models import PracticeAttempt
from annotation.quality.overview import attempt_texts
from tests.annotation.services.quality.school import go_through, school
from tests.clients import client_of, html_of


def test_the_whole_way_as_plain_forms():
    campaign, bob = school(test=1, share=1)
    client = client_of("bob")
    scales = {scale.name: scale.key for scale in campaign.scales.all()}
    assert client.post("/rate/camp/")["Location"] == "/rate/camp/practice/"
    assert "/rate/camp/practice/" in html_of(client.get("/rate/camp/"))
    assert "Begin practice" in html_of(client.get("/rate/camp/practice/"))
    page = client.post("/rate/camp/practice/", {"part": "practice"}, follow=True)
    address = page.redirect_chain[-1][0]
    [text] = attempt_texts(attempt=PracticeAttempt.objects.get())
    assert "Because of" not in html_of(page), "no answer before the annotator's own"

    def answer(**values):
        form = {f"value.{scales[name]}": value for name, value in values.items()}
        return client.post(address, {"text": str(text.substitution.key), **form}, follow=True)

    assert answer().status_code == answer(MEANING="x").status_code == 409
    first = html_of(answer(MEANING="2"))
    assert "Not what we expect." in first and "4 to 5 fits." in first and "Because of 0." in first
    assert "It is a whole sentence." not in first
    last = html_of(answer(GRAMMAR="5"))
    assert "Right." in last and "Finish" in last

    page = client.post("/rate/camp/practice/", {"part": "test"}, follow=True)
    address = page.redirect_chain[-1][0]
    assert "Because of" not in html_of(page) and "fits" not in html_of(page)
    [text] = attempt_texts(attempt=PracticeAttempt.objects.get(part="test"))
    assert answer(MEANING="5").status_code == 409, "a test takes a text as a whole"
    done = html_of(answer(MEANING="5", GRAMMAR="1"))
    assert "1 of 2 right" in done and "Not enough." in done and "1 try left" in done
    assert client.get(address)["Location"] == "/rate/camp/practice/", "nothing explained yet"

    go_through(bob, "test", 5, 5)
    assert "See the answers explained" in html_of(client.get("/rate/camp/practice/"))
    assert "Because of 0." in html_of(client.get(address))
    assert client.post("/rate/camp/")["Location"].startswith("/rate/camp/")
    assert client.post("/rate/camp/practice/", {"part": "exam"}).status_code == 400
