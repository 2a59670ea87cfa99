"""A campaign's page on consent, background questions and withdrawal, for researchers."""

from tests.clients import client_of, messages_of, text_of


def test_the_page_publishes_texts_and_says_who_agreed(campaign):
    dora = client_of("dora")
    page = dora.post("/c/camp/consent/", {"text": "# Please *read*"}, follow=True)
    assert "everybody is asked again" in messages_of(page)[0]
    page = dora.post("/c/camp/consent/", {"text": "# Please *read*"}, follow=True)
    assert messages_of(page) == ["The text is unchanged."]
    client_of("bob").post("/rate/camp/consent/", {"version": "1"})
    dora.post("/c/camp/consent/", {"text": "Newer"})
    page = dora.get("/c/camp/consent/?version=1")
    text = text_of(page)
    assert "the old version 1" in text and "1 annotator agrees" in text, text
    assert dora.get("/c/camp/consent/?version=9").status_code == 404
