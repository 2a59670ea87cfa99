"""The steps of a draft, and the question before it is opened."""

import pytest

from annotation.campaigns import starting_views
from annotation.campaigns.copying import campaign_copy
from annotation.campaigns.services import campaign_create
from annotation.campaigns.starting import guess_language
from annotation.importing.jobs import BESIDE
from annotation.models import Campaign, Invitation
from annotation.people.background import Question, question_add
from tests.annotation.importers.tables import traps
from tests.annotation.importers.tables.tools.tool_files import FOLDER
from tests.annotation.spreadsheets import book
from tests.clients import client_of, messages_of, text_of, upload
from tests.factories import make_campaign, make_user


def test_open_is_never_dead():
    """Without texts it says so; with something missing it asks; else it opens."""
    alice = client_of("alice")
    campaign_create(actor=make_user("alice"), slug="new")
    text = text_of(alice.get("/c/new/open/"))
    assert "Open? 1 step is missing" in text and "cannot be opened yet" in text
    campaign = make_campaign(open_it=False)
    assert "Open? Nothing is missing" in text_of(alice.get("/c/camp/open/"))
    question_add(campaign=campaign, question=Question("How old?"), actor=None)
    text = text_of(alice.get("/c/camp/open/"))
    assert "Consent : Personal answers need a consent text." in text and "Open all the same" in text
    assert "What becomes fixed The texts" in text
    alice.post("/c/camp/status/", {"act": "open"})
    assert "It was opened" in text_of(alice.get("/c/camp/open/"))


def test_a_copy_and_its_source_know_of_each_other_where_the_reader_does():
    campaign = make_campaign()
    campaign_copy(campaign=campaign, slug="two", actor=make_user("dora"))
    assert "Copied from Camp (camp)" in text_of(client_of("dora").get("/c/two/steps/"))
    assert "Copies: Camp (two)" in text_of(client_of("dora").get("/c/camp/steps/"))
    # Alice is no member of the copy.
    assert "two" not in text_of(client_of("alice").get("/c/camp/steps/"))


# A campaign that begins with its file.


TABLE = "Original,Alpha,Beta\n" + "".join(
    f"The lorry was late for the {n}th time and they waited.,The truck was late again {n}.,"
    f"They waited for the truck {n}.\n"
    for n in range(1, 9)
)
OURS = "".join(
    f"i{n},cut corners,The roofers cut corners {n} times and it was bad.,skimped {n},S\n"
    for n in range(3)
)


def begin(client, text, name="pilot_v2.csv", **fields):
    file = {"file": upload(name, text.encode())} if text else {}
    return client.post("/campaigns/new/table/", {**file, **fields}, follow=True)


SENTENCES = (
    "The lorry was late.",
    "Nobody had told her about the meeting.",
    "A storm took half of the roof away.",
    "He sold his bicycle last week.",
    "Their train left without them.",
    "Fresh bread smells best at dawn.",
    "My brother speaks four languages.",
    "Snow fell on the harbour all night.",
)


def judged_table(meaning, grammar):
    """Two annotators who mostly agree; columns are named by scale and annotator."""
    names = [f"{scale} {who}" for who in ("Ann", "Ben") for scale in (meaning, grammar)]
    rows = [
        f"{original},{system},{text.format(original)},{values}"
        for n, original in enumerate(SENTENCES, 1)
        for system, text, values in (
            ("Alpha", "As they say: {}", f"{3 + n % 3},{4 + n % 2},{4 + n % 2},5"),
            ("Beta", "{} So be it.", f"{1 + n % 3},{2 + n % 2},{1 + n % 4},{2 + n % 3}"),
        )
    ]
    return "\n".join([",".join(["Original,System,Output", *names]), *rows])


def test_judgments_of_the_file_are_read_with_its_texts():
    """With the scales that it names; nothing is left out in silence."""
    alice = client_of("alice")
    for n, scales in enumerate((("MEANING", "GRAMMAR"), ("Adequacy", "Fluency"))):
        page = begin(alice, judged_table(*scales), name=f"judged{n}.csv")
        campaign = Campaign.objects.get(slug=f"judged{n}")
        assert [scale.name for scale in campaign.scales.all()] == [one.upper() for one in scales]
        assert page.redirect_chain[-1][0] == f"/c/judged{n}/ready/"
        assert "Imported: 64 judgments, 2 annotators." in messages_of(page)
        assert campaign.judgments.count() == 64


def test_judgments_of_nobody_are_anonymous_and_a_message_says_so():
    table = judged_table("MEANING", "GRAMMAR").replace(" Ann", "")
    table = "\n".join(line.rsplit(",", 2)[0] for line in table.splitlines())
    page = begin(client_of("alice"), table, name="one.csv")
    assert "The file does not name who judged: the judgments are anonymous." in messages_of(page)
    judgments = Campaign.objects.get(slug="one").judgments
    assert judgments.count() == 32 and not judgments.exclude(annotator__origin="anonymous").exists()


def test_scales_that_no_template_has_are_made_and_told_and_can_be_changed():
    alice = client_of("alice")
    page = begin(alice, judged_table("Clarity", "Fluency"), name="own.csv")
    campaign = Campaign.objects.get(slug="own")
    scales = list(campaign.scales.values_list("name", "minimum", "maximum"))
    assert scales == [("Clarity", 1, 5), ("Fluency", 1, 5)] and campaign.judgments.count() == 64
    assert "Clarity 1–5, Fluency 1–5" in text_of(page)
    assert campaign.scales.get(name="Fluency").question.startswith("How")


def test_a_large_file_brings_its_judgments_too(monkeypatch):
    monkeypatch.setattr(starting_views, "table_goes_to_worker", lambda **_: True)
    page = begin(client_of("alice"), judged_table("MEANING", "GRAMMAR"), name="large.csv")
    campaign = Campaign.objects.get(slug="large")
    job = campaign.import_jobs.get()
    assert page.redirect_chain[-1][0] == f"/c/large/import/{job.key}/"
    assert job.options[BESIDE]["people"] == "Ann, Ben"


def test_judgments_that_ask_are_the_next_step_and_not_left_out():
    alice = client_of("alice")
    page = begin(alice, judged_table("Zest", "Verve"), name="own.csv")
    campaign = Campaign.objects.get(slug="own")
    assert campaign.substitutions.count() == 16 and not campaign.judgments.exists()
    assert "/c/own/import/" in page.redirect_chain[-1][0]
    assert "Zest Ann" in text_of(page) and "Go on without the judgments" in text_of(page)


def test_a_campaign_begins_with_its_file_and_opens_with_links():
    alice = client_of("alice")
    page = begin(alice, f"item,phrase,sentence,paraphrase,system\n{OURS}")
    assert page.redirect_chain[-1][0] == "/c/pilot-v2/ready/"
    campaign = Campaign.objects.get()
    assert (campaign.name, campaign.language, campaign.status) == ("Pilot v2", "en", "draft")
    assert campaign.run_metrics and campaign.runs.filter(metric="bleu").exists()
    assert next(one.question for one in campaign.scales.all()) and campaign.items.count() == 3
    shown = text_of(page)
    assert "3 originals, 3 different texts, 1 systems" in shown and "/preview/sheet/?item=" in str(
        page.content
    )
    answer = alice.post("/c/pilot-v2/ready/", {"act": "open", "people": "3", "links": "one"})
    campaign.refresh_from_db()
    assert campaign.status == "open" and "/join/" in text_of(answer)
    assert Invitation.objects.get().max_uses == 3 and b"<svg" in answer.content
    alice.post("/c/pilot-v2/ready/", {"act": "open", "people": "2", "links": "each"})
    assert sorted(Invitation.objects.values_list("max_uses", flat=True)) == [1, 1, 3]


def test_what_was_guessed_can_be_changed_without_losing_the_texts():
    alice = client_of("alice")
    begin(alice, f"item,phrase,sentence,paraphrase,system\n{OURS}")
    changed = {"act": "change", "name": "Roofs", "language": "de", "annotators_per_sheet": "2"}
    alice.post("/c/pilot-v2/ready/", {**changed, "template": "adequacy-fluency"})
    campaign = Campaign.objects.get()
    assert (campaign.name, campaign.language, campaign.annotators_per_sheet) == ("Roofs", "de", 2)
    names = [scale.name for scale in campaign.scales.all()]
    assert "MEANING" not in names and len(names) == 2 and campaign.items.count() == 3
    wrong = alice.post("/c/pilot-v2/ready/", {**changed, "annotators_per_sheet": "0"})
    assert wrong.status_code == 422
    assert alice.post("/c/pilot-v2/ready/", {"act": "open", "people": "0"}).status_code == 422
    assert not Invitation.objects.exists()


def test_the_same_file_again_begins_a_campaign_of_another_name():
    alice = client_of("alice")
    for _ in range(2):
        assert begin(alice, TABLE).status_code == 200
    slugs = set(Campaign.objects.values_list("slug", flat=True))
    assert slugs == {"pilot-v2", "pilot-v2-2"}


def test_a_table_that_asks_is_looked_at_before_anything_is_imported():
    """Two sheets alike: whether the other one is read as well is a question."""
    rows = [line.split(",") for line in TABLE.splitlines()]
    file = upload("two.xlsx", book({"Anna": rows, "Ben": rows}))
    page = client_of("alice").post("/campaigns/new/table/", {"file": file}, follow=True)
    campaign = Campaign.objects.get()
    assert page.redirect_chain[-1][0].startswith(f"/c/{campaign.slug}/import/columns/")
    assert page.context["waits"] == 1 and not campaign.items.exists()


@pytest.mark.parametrize(
    ("name", "why"), [("spans.JSONL.zip", "marked spans"), ("seq2seq.JSON.zip", "")]
)
def test_answers_of_a_tool_that_are_no_judgments_are_told_beside_the_texts(name, why):
    file = upload(name, (FOLDER / "doccano" / name).read_bytes())
    page = client_of("alice").post("/campaigns/new/table/", {"file": file}, follow=True)
    assert Campaign.objects.get().items.exists() and page.status_code == 200
    assert any("no judgments" in one for one in messages_of(page)) == bool(why)
    assert why in " ".join(messages_of(page))


def test_pasted_rows_begin_one_too_and_nothing_begins_none():
    alice = client_of("alice")
    assert messages_of(begin(alice, "")) == ["Choose a file, or paste rows."]
    assert messages_of(begin(alice, "", name="")) and not Campaign.objects.exists()
    rows = OURS.replace(",", "\t")
    begin(alice, "", pasted=f"item\tphrase\tsentence\tparaphrase\tsystem\n{rows}")
    assert Campaign.objects.get().items.count() == 3
    assert client_of("bob").post("/campaigns/new/table/").status_code == 403


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The roofers cut corners and the rain was in it."),
        ("de", "Die Dachdecker haben es sich leicht gemacht und der Regen ist nicht weg."),
        ("fr", "Les couvreurs ont fait vite et la pluie est dans une des chambres."),
        ("es", "Los techadores hicieron el trabajo con prisa y la lluvia fue por una."),
        ("ko", "지붕 수리공이 대충 일했다."),
        ("ja", "屋根屋は手を抜いた。"),
        ("zh-Hans", "屋顶工人偷工减料。"),
        ("ru", "Кровельщики схалтурили."),
        ("", "lorem ipsum dolor"),
        ("", ""),
    ],
)
def test_the_language_of_texts_is_guessed_or_left_open(language, text):
    assert guess_language([text]) == language


def test_a_file_with_judgments_goes_on_to_them_and_leaves_none_out_in_silence():
    table = traps.wide(people=("x", "y", "z"))  # Of whom nothing says that they judged.
    page = begin(client_of("alice"), traps.written(table).decode())
    assert "The texts are imported. The file holds judgments too" in str(messages_of(page))
    assert "What is in the columns?" in text_of(page)
    assert "Go on without the judgments" in text_of(page)
