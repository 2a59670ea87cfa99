"""The board's pages: what is live, what a poll costs, who may read what."""

from annotation.board import figures
from annotation.models import BoardFigures, BoardWatch
from tests.clients import captured, client_of, html_of, text_of
from tests.factories import close_campaign, make_annotator, make_campaign, rate_all

PAGE, LIVE, RULES = "/c/camp/board/", "/c/camp/board/live/", "/c/camp/board/alarms/"


def test_places_texts_and_people_are_told():
    campaign = make_campaign(items=4, k=2)
    annotator = make_annotator(campaign)
    rate_all(annotator, at_most=2)
    page = text_of(client_of("dora").get(PAGE))
    assert "Done 2 25 %" in page and "Output texts complete 0 of 7 texts" in page
    assert f"{annotator.code} bob working Invited 2" in page
    assert "Most disagreement so far" not in page and "None now." in page
    viewer = client_of("vera").get("/c/camp/progress/", follow=True)  # The old address.
    assert annotator.code in text_of(viewer) and "bob" not in text_of(viewer)
    assert "quality" not in html_of(viewer).partition("<main")[2]


def test_a_poll_is_answered_with_nothing_where_nothing_changed():
    campaign = make_campaign(items=4, k=2)
    client, bob = client_of("vera"), make_annotator(campaign)
    first = client.get(LIVE)
    tag, html = first["ETag"], first.content.decode()
    assert first.status_code == 200 and first["X-Board-Live"] == "yes"
    assert "<html" not in html and 'id="board-said"' in html
    for given in (tag, f"W/{tag}"):
        same = client.get(LIVE, headers={"If-None-Match": given})
        assert (same.status_code, same.content) == (304, b"")
    rate_all(bob, at_most=1)
    newer = client.get(LIVE, headers={"If-None-Match": tag})
    assert newer.status_code == 200 and newer["ETag"] != tag
    # Another reader has another tag: a viewer's answer is none for a researcher.
    other = client_of("dora").get(LIVE, headers={"If-None-Match": newer["ETag"]})
    assert other.status_code == 200
    close_campaign(campaign)
    assert client.get(LIVE)["X-Board-Live"] == "no"


def test_a_poll_takes_the_same_few_statements_for_any_number_of_people(
    monkeypatch,
):
    campaign = make_campaign(items=6, k=6)
    figures.figures_make(campaign=campaign)
    monkeypatch.setattr(figures, "SMALL", -1)  # As of a large campaign: nothing is computed.
    client = client_of("vera")

    def queries():
        with captured() as found:
            assert client.get(LIVE).status_code == 200
        return len(found)

    rate_all(make_annotator(campaign, "bob"), at_most=1)
    few = queries()
    for name in ("ben", "beth", "carl", "dora"):
        rate_all(make_annotator(campaign, name), at_most=2)
    assert queries() == few <= 14


def test_figures_that_no_worker_has_computed_are_announced(
    monkeypatch,
):
    campaign = make_campaign(items=2)
    rate_all(make_annotator(campaign), at_most=1)
    monkeypatch.setattr(figures, "SMALL", -1)
    assert "A worker is computing the figures" in text_of(client_of("vera").get(PAGE))
    assert not BoardFigures.objects.exists()


def test_the_scale_is_chosen_among_those_of_the_campaign():
    campaign = make_campaign(items=4, k=2)
    for name, value in (("bob", 4), ("ben", 2)):
        rate_all(make_annotator(campaign, name), value=value)
    client = client_of("vera")
    assert client.get(PAGE).context["board"].scale == "MEANING"
    chosen = client.get(LIVE, {"scale": "GRAMMAR"})
    assert "GRAMMAR" in text_of(chosen) and 'aria-current="true">GRAMMAR' in html_of(chosen)
    assert client.get(PAGE, {"scale": "<b>"}).context["board"].scale == "MEANING"
    assert "Most disagreement so far" in text_of(chosen)


def test_alarms_are_set_by_researchers(campaign):
    client = client_of("dora")
    given = {
        "quiet_hours": "48",
        "fast_seconds": "",
        "agreement_fall": "0.2",
        "expired_times": "3",
        "mail_to": "",
        "webhook_url": "https://hook.example/",
    }
    wrong = client.post(RULES, given | {"webhook_url": "http://10.0.0.1/"})
    assert wrong.status_code == 422 and "begins with https://" in text_of(wrong)
    assert client.post(RULES, given).status_code == 302
    watch = BoardWatch.objects.get()
    assert (watch.quiet_hours, watch.fast_seconds) == (48, None)
    assert watch.board_url == "http://testserver/c/camp/board/"
    assert watch.webhook_secret in text_of(client.get(RULES))
    assert watch.webhook_secret not in client.get(PAGE).content.decode()
