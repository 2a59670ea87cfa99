"""The page of background answers: counts for each question, answers under codes."""

from annotation.models import BackgroundQuestion
from tests.annotation.views.people.answered import PAGE
from tests.clients import client_of, messages_of, text_of
from tests.factories import make_annotator


def test_the_page_shows_codes_and_no_names(answered):
    text = text_of(client_of("dora").get(PAGE))
    for words in ("How old are you?", "Danish", "Czech, Dutch", "would rather not say", "A01"):
        assert words in text
    assert not any(name in text for name in ("bob", "ben", "beth"))
    assert PAGE in client_of("dora").get("/c/camp/consent/").content.decode()


def test_the_page_adds_changes_moves_hides_and_removes(campaign):
    dora, at = client_of("dora"), "/c/camp/questions/"
    assert "Nothing is asked." in text_of(dora.get(PAGE))

    def names():
        return [row.name for row in BackgroundQuestion.objects.all()]

    for wording in ("One?", "Two?"):
        form = {"wording": wording, "kind": "choice", "options": "a\nb", "name": ""}
        page = dora.post(f"{at}new/", form, follow=True)
        assert messages_of(page) == ["The question was added."]
    assert dora.post(f"{at}new/", {"wording": "W?", "kind": "choice"}).status_code == 422
    one, two = BackgroundQuestion.objects.all()
    for _ in range(2):  # It stays at the top.
        dora.post(f"{at}{two.key}/act/", {"act": "up"})
        assert names() == ["q2", "q1"]
    assert dora.get(f"{at}{one.key}/").status_code == 200
    dora.post(f"{at}{one.key}/", {"wording": "Uno?", "kind": "text", "name": "uno"})
    dora.post(f"{at}{two.key}/act/", {"act": "hide"})
    page = text_of(dora.get("/c/camp/consent/"))
    assert 0 < page.index("Two? hidden") < page.index("Uno?")
    make_annotator(campaign)
    client_of("bob").post("/rate/camp/background/", {})
    page = dora.get(f"{at}{BackgroundQuestion.objects.get(name='uno').key}/")
    assert "Somebody has already answered it" in text_of(page)
    dora.post(f"{at}{two.key}/act/", {"act": "remove"})
    assert names() == ["uno"]
