"""What exports of judgments carry beyond the values."""

import csv
import json

from annotation.collecting.claiming import claim_next
from annotation.collecting.saving import Answer
from tests.factories import (
    add_guideline,
    add_judgments,
    judgment_row,
    make_annotator,
    make_campaign,
    rate_all,
    rate_sheet,
    save_answer,
)
from tests.scoring.factories import written


def test_what_a_second_researcher_needs_stands_behind_the_stable_columns():
    campaign = make_campaign(items=1, k=1)
    bob = make_annotator(campaign)
    rate_all(bob)
    original = campaign.substitutions.get(text="system 0 paraphrase 0")
    copy = campaign.substitutions.exclude(pk=original.pk).get()
    copy.outputs.all().delete()
    campaign.substitutions.filter(pk=copy.pk).update(role="degraded", made_from=original)
    lines = written(campaign, "judgments").decode().splitlines()
    assert lines[0] == (
        "item,phrase,sentence,start,end,paraphrase,role,annotator,scale,value,reason,occasion,kind,"
        "status,judged_at,recorded_at,guideline,comment,own_sentence,own_start,own_end,version,"
        "made_from,text_key,systems,excluded,excluded_reason,excluded_since,language"
    )
    rows = list(csv.DictReader(lines))
    assert {row["version"] for row in rows} == {row["guideline"] for row in rows} == {"1"}
    assert {(row["role"], row["made_from"]) for row in rows} == {
        ("output", ""),
        ("degraded", "system 0 paraphrase 0"),
    }


def test_the_history_has_every_version_of_every_answer():
    campaign = make_campaign(items=1, k=1)
    bob = make_annotator(campaign)
    sheet = claim_next(annotator=bob)
    rate_sheet(bob, sheet)
    entry, scale = sheet.entries.all()[0], campaign.scales.all()[0]
    add_guideline(campaign, "Second.")
    for version, answer in enumerate([Answer(2), Answer(reason="no idea"), Answer(), Answer(5)], 1):
        save_answer(bob, sheet, entry.substitution, scale, answer, base=version)
    rows = [json.loads(line) for line in written(campaign, "history", format="jsonl").splitlines()]
    assert len(rows) == 4 + 4
    place = entry.substitution.text, scale.name
    changed = [row for row in rows if (row["paraphrase"], row["scale"]) == place]
    assert [(row["version"], row.get("value"), row.get("reason")) for row in changed] == [
        (1, 4, None),
        (2, 2, None),
        (3, None, "no idea"),
        (4, None, None),
        (5, 5, None),
    ]
    assert [row["guideline"] for row in changed] == ["1", "2", "2", "2", "2"]
    times = [row["recorded_at"] for row in changed]
    assert times == sorted(times) and len(set(times)) == 5


def test_the_time_of_an_imported_file_is_not_that_of_a_later_version():
    campaign = make_campaign(items=1, systems=1, k=1, cast=False)
    bob, moment = make_annotator(campaign), "2008-01-02T03:04:05+00:00"
    add_judgments(
        campaign,
        [
            judgment_row("item-0", "system 0 paraphrase 0", bob.code, 3, scale, judged_at=moment)
            for scale in ("MEANING", "GRAMMAR")
        ],
        fill_slots=True,
    )
    sheet, meaning = campaign.sheets.get(), campaign.scales.get(name="MEANING")
    save_answer(bob, sheet, campaign.substitutions.get(), meaning, 5, base=1)

    def times(what):
        rows = map(json.loads, written(campaign, what, format="jsonl").splitlines())
        return {(row["scale"], row["version"], row.get("judged_at")) for row in rows}

    assert times("judgments") == {("MEANING", 2, None), ("GRAMMAR", 1, moment)}
    assert times("history") == times("judgments") | {("MEANING", 1, moment)}


def test_a_cleared_answer_is_a_row_of_the_history_alone():
    campaign = make_campaign(items=1, systems=1, k=1, cast=False)
    bob = make_annotator(campaign)
    sheet = claim_next(annotator=bob)
    rate_sheet(bob, sheet, submit=False)
    meaning = campaign.scales.get(name="MEANING")
    save_answer(bob, sheet, campaign.substitutions.get(), meaning, None, base=1)
    rows = map(json.loads, written(campaign, "judgments", format="jsonl").splitlines())
    assert [row["scale"] for row in rows] == ["GRAMMAR"]
    rows = map(json.loads, written(campaign, "history", format="jsonl").splitlines())
    assert sorted((row["scale"], row["version"]) for row in rows) == [
        ("GRAMMAR", 1),
        ("MEANING", 1),
        ("MEANING", 2),
    ]
