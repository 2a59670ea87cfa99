"""A campaign with everything goes through the services and commands. All numbers of its zip are
recomputed from the files by `tools.recount`, which shares no code with the product."""

import csv
import io
import random
import zipfile

import pytest
from django.core.management import call_command

from annotation.collecting.saving import Answer
from annotation.importing.items import items_import
from annotation.quality.expected import expected_import
from annotation.quality.rules import plan_set
from scoring.runs.start import run_start
from tests.annotation.acts import work
from tests.annotation.school import ask_practice, go_through
from tests.factories import (
    add_copies,
    add_judgments,
    exclude,
    judgment_row,
    make_annotator,
    new_campaign,
    open_campaign,
)
from tests.scoring.factories import finish
from tools.recount.report import recount

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.once]
ANNOTATORS = ("anna", "ben", "cleo", "dan")
SYSTEMS = ("plain", "free", "short", "broken")
EXPECTED = """sentence,phrase,paraphrase,role,scale,low,high,explanation,part
The shop gave up selling maps.,gave up,stopped,control,MEANING,4,5,,
The shop gave up selling maps.,gave up,banana,control,GRAMMAR,1,2,,
We looked after the dog.,looked after,cared for,practice,MEANING,4,5,It means the same.,practice
We looked after the dog.,looked after,cared for,practice,GRAMMAR,5,5,It has no error.,practice
They set off at noon.,set off,left,practice,MEANING,4,5,,test
"""


def items_csv():
    """24 sentences in two languages; a third has no reference, some texts are shared or missing."""
    rows = []
    for number in range(24):
        korean = number % 3 == 2
        phrase = f"구절 {number // 2}" if korean else f"turn {number // 2} around"
        sentence = (
            f"우리는 오늘 {phrase} 문제를 {number}번 생각했다."
            if korean
            else f"On day {number} they wanted to {phrase} before the rain came."
        )
        reference = "" if number % 3 == 1 else sentence.replace(phrase, f"{phrase[:3]} so")
        for at, system in enumerate(SYSTEMS):
            if (number + at) % 11 == 10:
                continue
            text = (
                f"바꾼 말 {at} {number}" if korean else f"change {'quite ' * at}course {number % 5}"
            )
            if number % 4 == 0 and at == 1:
                text = f"바꾼 말 0 {number}" if korean else f"change course {number % 5}"
            rows.append(
                {
                    "item": f"i{number}",
                    "phrase": phrase,
                    "sentence": sentence,
                    "paraphrase": text,
                    "system": system,
                    "language": "ko" if korean else "en",
                    "reference": reference,
                    "reference_2": sentence if number % 6 == 0 else "",
                }
            )
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def judge(name, campaign):
    """Practise, the worse the later, and judge most of what there is; a few cannot be judged."""
    annotator, chance = make_annotator(campaign, name), random.Random(name)
    go_through(annotator, "practice", chance.randint(1, 5), 5)
    assert go_through(annotator, "test", 4, 5).passed

    def choose(text, scale):
        if chance.random() < 0.04:
            return Answer(reason="not clear")
        level = sum(map(ord, text.text)) % 4 + 1
        return min(5, max(1, level + chance.choice((-1, 0, 0, 0, 1))))

    assert len(work(annotator, choose, sheets=14)) > 5
    return annotator


def test_every_number_of_the_zip_is_recounted(tmp_path):
    campaign = new_campaign("recount", name="Recount", annotators_per_sheet=3, shared_share=0.25)
    for importer, text in ((items_import, items_csv()), (expected_import, EXPECTED)):
        stream = io.BytesIO(text.encode())
        assert importer(campaign=campaign, stream=stream, name="f.csv", actor=None).ok
    add_copies(campaign, 3)
    plan_set(campaign=campaign, actor=None, changes={"repeat_share": 0.3, "repeat_after": 1})
    ask_practice(campaign)
    campaign = open_campaign(campaign)
    _anna, ben, *_ = [judge(name, campaign) for name in ANNOTATORS]
    guest = [
        judgment_row(f"i{text.item.position}", text.text, "guest", value, scale)
        for text in campaign.substitutions.filter(role="output", item__position__lt=5)
        for scale, value in (("MEANING", 2), ("GRAMMAR", 3))
    ]
    add_judgments(campaign, guest)
    exclude(ben)
    broken = campaign.systems.get(label="broken")
    exclude(broken, free_slots=False)
    against = {
        "bleu:against=references": "references",
        "chrf:against=references": "references",
        "pinc": "original",
    }
    for spec in against:
        assert finish(run_start(campaign=campaign, spec=spec, actor=None)).status == "done"
    for what, name in (
        ("paper", "paper.zip"),
        ("items", "items.csv"),
        ("judgments", "judgments.csv"),
    ):
        call_command("export", "recount", "--what", what, "-o", str(tmp_path / name))
    with zipfile.ZipFile(tmp_path / "paper.zip") as paper:
        paper.extractall(tmp_path / "paper")
    tally = recount(tmp_path, against)
    assert not tally.wrong, "\n".join(tally.wrong[:50])
    assert tally.compared > 1000
