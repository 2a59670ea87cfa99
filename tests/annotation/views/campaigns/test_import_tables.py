"""Tables of any kind through the import page: upload, look, choose, check, import, take back."""

import json
from io import BytesIO

import pytest
from django.urls import reverse

from annotation.importers.tables.mapping import NOBODY
from annotation.importing import table_views
from annotation.importing.items import items_import
from annotation.importing.tables import table_inspect
from annotation.models import ColumnMapping, ImportJob
from paraanno.jobs.engine import job_work
from tests.annotation.api.campaigns.test_import_forms import WIDE
from tests.annotation.spreadsheets import book
from tests.annotation.views.campaigns.drafts import PAGE
from tests.clients import client_of, messages_of, text_of, upload
from tests.data.tables import tables

STRANGE = tables("strangers")


def send(name, data, what="items"):
    file = upload(name, data)
    return client_of("dora").post(PAGE, {"what": what, "file": file}, follow=True)


def choose(page, action, **changes):
    """Send the page's form, as a browser does, with some choices changed."""
    data = {**roles(page), **changes, "action": action}
    return client_of("dora").post(page.request["PATH_INFO"], data, follow=True)


def confirm(checked, **more):
    """Import what was checked."""
    form = {"kept": checked.context["kept"], **more}
    return client_of("dora").post(PAGE, form, follow=True)


def worked(page):
    """The page once a worker has done its job."""
    job_work("import", page.context["job"].pk)
    return client_of("dora").get(page.request["PATH_INFO"])


def roles(page):
    """The selects of the page, as a browser sends them."""
    return {f"role-{one['seen'].column}": one["value"] for one in page.context["columns"]}


def test_an_encoding_that_nobody_knows_is_a_sentence_on_the_page(draft):
    for encoding in ("nonsense", "zlib", "idna"):
        where = send("a.csv", WIDE.encode()).request["PATH_INFO"]
        answer = text_of(client_of("dora").post(where, {"encoding": encoding}, follow=True))
        assert "is not known" in answer or "the rest of the file is not" in answer


@pytest.mark.slow
def test_roles_are_changed_by_choosing(draft):
    rows = [
        ["a", "b", "c"],
        ["The old bridge gave way.", "broke", "gave way"],
        ["They look into it.", "examine it", "look into"],
    ]
    page = send("plain.xlsx", book({"Sheet1": rows}))
    assert roles(page)["role-B"] == "paraphrase" and roles(page)["role-C"] == "phrase"
    page = choose(page, "show", **{"role-B": "ignore"})
    assert roles(page)["role-B"] == "ignore" and "chosen" in text_of(page)
    assert choose(page, "show", **{"role-B": "sentence"}).status_code == 400
    assert client_of("alice").get(page.request["PATH_INFO"]).status_code == 302


@pytest.mark.slow
def test_a_kept_mapping_reads_the_next_file_and_is_a_file_itself(draft):
    rows = [
        ["x", "y"],
        ["The old bridge gave way.", "A bridge collapsed."],
        ["They look into it.", "They examine it."],
    ]
    page = send("one.xlsx", book({"Sheet1": rows}))
    choose(page, "keep", **{"role-A": "paraphrase", "role-B": "sentence"})
    kept = ColumnMapping.objects.get(campaign=draft)
    page = send("two.xlsx", book({"Other": rows}))
    assert roles(page)["role-A"] == "sentence"
    page = choose(page, "show", saved=str(kept.key))
    assert roles(page)["role-A"] == "paraphrase"
    file = client_of("dora").get(f"{PAGE}mappings/{kept.key}/")
    assert json.loads(file.content)["columns"][0]["role"] == "paraphrase"


@pytest.mark.parametrize("what", ["items", "judgments", "gold"])
def test_an_example_of_each_kind_is_a_file_that_we_take(draft, what):
    for kind in dict.fromkeys(["items", what]):
        file = client_of("dora").get(f"{PAGE}examples/{kind}/")
        checked = send("example.csv", file.content, kind)
        assert checked.status_code == 200 and checked.context["anything"], text_of(checked)
        confirm(checked)
    assert draft.batches.all()[0].what == what


@pytest.mark.slow
def test_a_row_of_names_that_was_not_found_is_told(draft):
    rows = [["Ask JK.", "What is new?"], ["Say so.", "Say this."], ["Go on.", "Go ahead."]]
    seen = send("own.xlsx", book({"A": rows}))
    assert seen.context["head"] == ()
    page = choose(seen, "", head_of="A", head="1")
    assert page.context["head"] == (1,)
    assert [one["seen"].name for one in page.context["columns"]] == rows[0]
    for wrong in ("1, 2, 3, 4", "29"):  # Too many; below all rows. The file stays.
        page = choose(page, "", head_of="A", head=wrong)
        assert messages_of(page) and page.context["columns"]


def test_repairs_are_undone_chosen_and_typed_and_looked_at_before_the_check(draft):
    page = send("below.csv", STRANGE["summary_below"].data)
    assert page.context["waits"] == 1 and len(page.context["steps"]) == 1
    head = {"head": "1", "head_of": ""}
    page = choose(page, "show", undo="0", **head)
    # What stands below the table is among its texts now.
    assert page.context["steps"] == [] and page.context["waits"] == 3
    chosen = {"role-C": "ignore"}
    page = choose(
        page, "check", drop="27, 28", **head, **chosen
    )  # As Enter behind the numbers sends it.
    assert [str(told) for _, told in page.context["steps"]] == ["rows 27, 28 left out"]
    assert page.context["waits"] == 0 and "kept" not in page.context
    assert roles(page)["role-C"] == "ignore"  # As it was chosen before the repair.
    [offer] = [one for one in page.context["offers"] if one.step["step"] == "reverse"]
    page = choose(page, "show", repair=offer.key, **head)
    assert len(page.context["steps"]) == 2
    assert page.context["shown"][0].phrase.startswith("Last Tuesday")


@pytest.mark.parametrize("wanted", [True, False])
def test_texts_and_judgments_of_a_table_are_one_step_where_nothing_asks(draft, wanted):
    rows = "source,paraphrase,rater,MEANING\n" + "".join(
        f"The old bridge gave way.,A bridge collapsed.,{who},{one}\n"
        f"They look into it.,They examine it.,{who},{other}\n"
        for who, one, other in (("ann", 3, 1), ("ben", 2, 4))
    )
    checked = choose(send("both.csv", rows.encode()), "check")
    assert checked.context["beside"] == "ann, ben", text_of(checked)
    also = {"also": "on"} if wanted else {}
    done = confirm(checked, **also)
    assert done.context["done"] and len(messages_of(done)) == 1 + wanted
    judged = sorted(draft.judgments.values_list("annotator__code", "value"))
    assert judged == ([("ann", 1), ("ann", 3), ("ben", 2), ("ben", 4)] if wanted else [])


def judged(head="", who=""):
    """Two sentences and one judgment of each."""
    lines = f"source,paraphrase,{head}MEANING\n"
    lines += f"The old bridge gave way.,A bridge collapsed.,{who}3\n"
    return f"{lines}They look into it.,They examine it.,{who}1\n".encode()


@pytest.mark.parametrize("named", [True, False])
def test_judgments_of_a_large_table_are_one_step_too(draft, monkeypatch, named):
    """With the texts where nothing asks, else a page of the same file."""
    monkeypatch.setattr(table_views, "table_goes_to_worker", lambda **_: True)
    rows = judged("rater,", "ann,") if named else judged()
    page = worked(choose(send("both.csv", rows), "check"))
    assert page.context["beside"] == ("ann" if named else None)
    page = worked(client_of("dora").post(page.request["PATH_INFO"], {"also": "on"}, follow=True))
    if named:
        job_work("import", ImportJob.objects.get(key=page.context["after"]).pk)
        assert sorted(draft.judgments.values_list("value", flat=True)) == [1, 3]
    else:
        kept = reverse("import-columns", args=[draft.slug, page.context["later"]])
        assert client_of("dora").get(kept).context["missing"] == [NOBODY]


def test_judgments_of_a_table_that_ask_are_the_next_step(draft):
    """Nobody is named who judged."""
    checked = choose(send("both.csv", judged()), "check")
    assert checked.context["beside"] is None
    done = confirm(checked, also="on")
    assert done.context["missing"] == [NOBODY] and not draft.judgments.exists()
    assert len(messages_of(done)) == 1  # Nobody tried.


def test_the_check_waits_for_each_question_and_words_need_their_points(draft):
    one = tables("laboratories")["words_of_degree_en"]
    data = one.data.replace(b"very bad", b"poor")  # Lower than "bad", or not?
    seen = table_inspect(stream=BytesIO(data), name=one.file, what="items")
    items_import(
        campaign=draft,
        stream=BytesIO(data),
        name=one.file,
        actor=None,
        mapping=seen.mapping.to_json(),
    )
    page = send(one.file, data, "judgments")
    assert page.context["waits"] == 1
    assert choose(page, "check").status_code == 409
    points = {f"word-0-{at}": str(at + 1) for at in range(5)}
    page = choose(page, "show", words="1", **points)
    assert page.context["waits"] == 1
    missing = {**points, "word-0-2": ""}
    page = choose(page, "show", words="1", **missing, **{"sure-question-0": "on"})
    assert page.context["waits"] == 1  # A word has no point yet.
    checked = choose(page, "check", words="1", **points, **{"sure-question-0": "on"})
    confirm(checked)
    assert set(draft.judgments.values_list("value", flat=True)) == {1, 2, 3, 4, 5}


def test_a_sheet_of_several_alike_asks_whether_the_others_come_by_themselves(draft):
    """All of them are read as one; one alone asks."""
    one = STRANGE["en_sheet_each_annotator"]
    page = send(one.file, one.data)
    assert page.context["waits"] == 0 and "of an annotator each" in text_of(page)
    page = choose(page, "show", sheet="Ben", head_of="*", head="1")
    assert page.context["sheet"] == "Ben" and page.context["waits"] == 1
    assert "Anna : another sheet" in text_of(page)
    there = {"sheet": "Ben", "head_of": "Ben", "head": "1", "sure-question-0": "on"}
    page = choose(page, "show", **there)
    assert page.context["waits"] == 0
    assert choose(page, "check", **there).context["kept"]


QUALITY = (1, 2, 4, 5, 3, 5, 2, 4, 1, 3, 5, 2, 4, 1)


def rated(*columns, names):
    rows = [["Original", "Paraphrase", *names]]
    for at, points in enumerate(zip(*columns, strict=True)):
        text = f"The committee put off meeting number {at} until Monday."
        rows.append([text, text.replace("put off", "postponed"), *points])
    return rows


def test_each_question_has_both_answers(draft):
    turned = [6 - one for one in QUALITY]
    table = rated(
        QUALITY, (*QUALITY[:-1], 2), turned, names=("Meaning A", "Meaning B", "Meaning C")
    )
    items_import(campaign=draft, stream=BytesIO(texts_of(table)), name="t.csv", actor=None)
    page = send("d.xlsx", book({"Sheet1": table}), "judgments")
    asked = [(at, no.label) for at, _, _, no in page.context["questions"] if no is not None]
    at = next(str(at) for at, label in asked if "Meaning C" in label)
    page = choose(page, "show", refuse=at)
    assert "values of Meaning C from 1 to 5 read as points from 5 to 1" in text_of(page)
    at = next(str(at) for at, _, _, no in page.context["questions"] if no and no.column)
    page = choose(page, "show", refuse=at, head="1", head_of="Sheet1")
    assert roles(page)["role-C"] == "ignore" and page.context["waits"] == 0


def texts_of(table):
    return "\n".join(["sentence,paraphrase", *(",".join(row[:2]) for row in table[1:])]).encode()
