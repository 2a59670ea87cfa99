"""Items, judgments and files through the API."""

from tests.annotation.api.campaigns.asked import CAMP, rated
from tests.annotation.api.conftest import rows_of
from tests.factories import item_rows, make_campaign


def test_an_item_shows_its_texts_and_who_gave_them(login):
    row = {"item": "i1", "sentence": "One two three.", "phrase": "two", "paraphrase": "2"}
    make_campaign(rows=[{**row, "system": "A", "reference": "1 2 3."}, {**row, "system": "B"}])
    vera = login("vera")
    [item] = rows_of(vera, f"{CAMP}/items")
    assert (item["sentence"], item["start"], item["end"]) == ("One two three.", 4, 7)
    assert (item["outside_ids"], item["references"]) == (["i1"], ["1 2 3."])
    [text] = item["substitutions"]
    assert (item["phrase"]["text"], text["text"], text["role"], text["made_from"]) == (
        "two",
        "2",
        "output",
        None,
    )
    given = [(output["system"], output["substitution"]) for output in item["outputs"]]
    assert given == [("A", text["key"]), ("B", text["key"])]
    assert vera.get(f"{CAMP}/items/{item['key']}").json() == item
    assert [row["label"] for row in rows_of(vera, f"{CAMP}/systems")] == ["A", "B"]


def test_filters_of_items(login):
    rows = item_rows(4)
    rows.append({**rows[0], "paraphrase": "only here", "system": "rare"})
    make_campaign(rows=rows)
    vera = login("vera")
    first = rows_of(vera, f"{CAMP}/items")[0]

    def found(**query):
        return [row["position"] for row in rows_of(vera, f"{CAMP}/items", **query)]

    assert found() == [0, 1, 2, 3]
    assert found(item="item-2") == [2]
    assert found(phrase=first["phrase"]["key"]) == [0, 1]
    assert found(system="rare") == [0]
    assert found(system="S0", text="Sentence 3") == [3]
    assert found(role="output") == [0, 1, 2, 3]
    assert found(role="control") == []
    for wrong in ({"role": "x"}, {"phrase": "x"}, {"text": "\0"}):
        assert vera.get(f"{CAMP}/items", wrong).status_code == 400


def test_filters_of_judgments(login):
    campaign = rated(6)
    vera = login("vera")
    all_rows = rows_of(vera, f"{CAMP}/judgments")
    assert len(all_rows) == campaign.judgments.count() == 2 * 2 * 10
    item = campaign.items.order_by("position")[0]
    text = item.substitutions.all()[0]

    def count(**query):
        return len(rows_of(vera, f"{CAMP}/judgments", **query))

    assert count(annotator="A02") == 20
    assert count(item=item.key) == 8
    assert count(substitution=text.key) == 4
    # Of six items two have one text from both systems: a judgment of it is one row, not two.
    assert count(system="S0") == 24
    assert count(status="counted", kind="rating", occasion=1) == 40
    assert count(status="draft") == 0
    middle = sorted(row["recorded_at"] for row in all_rows)[20]
    assert count(recorded_from=middle) + count(recorded_before=middle) == 40
    for wrong in ({"status": "x"}, {"occasion": 0}, {"item": "x"}, {"recorded_from": "x"}):
        assert vera.get(f"{CAMP}/judgments", wrong).status_code == 400
