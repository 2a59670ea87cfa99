"""What the files of a paper say is what happened: five campaigns, sentence by sentence, and a walk
from the files of a lab to its methods, whose numbers are those of the released tables."""

import hashlib
import io
import json
import re
from random import Random

import pandas
import pytest

from annotation.campaigns.pilots import pilot_end, pilot_start, pilot_take_over
from annotation.collecting.claiming import NotClaimable, claim_next
from annotation.importers.tables.tools import TOOLS
from annotation.importing.items import items_import
from annotation.importing.judgments_write import judgments_import
from annotation.importing.tables import agreed, mapping_guess
from annotation.models import Annotator, Judgment
from scoring.archives.services import archive_write
from scoring.exports.package import package_write
from scoring.exports.provenance import TOOLS as NAMES
from scoring.exports.provenance import reviewer_questions, reviewer_save
from scoring.exports.services import export_write
from tests.annotation.importers.tables.tools.checking import zipped
from tests.factories import (
    add_guideline,
    add_judgments,
    exclude,
    make_annotator,
    make_campaign,
    make_user,
    new_campaign,
    rate_sheet,
)
from tests.scoring.archives.zips import files_of
from tests.scoring.factories import finish, started

# Once: no statement here that others do not run on PostgreSQL.
pytestmark = [pytest.mark.once, pytest.mark.slow]
SCALES = ("MEANING", "GRAMMAR")
AGREEMENT = {
    "percent_agreement": "percent agreement",
    "within_one": "within one point",
    "alpha_ordinal": "Krippendorff's alpha, ordinal",
    "alpha_interval": "Krippendorff's alpha, interval",
    "gwet_ac2": "Gwet's AC2, quadratic",
    "icc_2_1": "ICC(2,1)",
}
INVENTED = (
    "browser",
    "each sheet",
    "a sheet",
    "without system names",
    "guidelines",
    "expert-generated",
)


def test_every_tool_whose_files_are_read_has_a_name_for_papers():
    assert NAMES.keys() == TOOLS.keys()


def written(write, campaign, **more):
    stream = io.BytesIO()
    write(campaign=campaign, stream=stream, **more)
    return files_of(stream.getvalue())


class Published:
    """The paper, the package and the archive of a campaign."""

    def __init__(self, campaign):
        self.campaign = campaign
        self.paper = written(export_write, campaign, what="paper")
        self.package = written(package_write, campaign)
        self.methods = self.paper["methods.md"].decode()
        self.sentence = [
            self.methods,
            *(self.package[name].decode() for name in ("README.md", "DATA_STATEMENT.md")),
            json.loads(self.package["croissant.json"])["rai:dataCollection"],
            self.package["datasheet.md"].decode(),
        ]

    def table(self, name):
        return pandas.read_csv(io.BytesIO(self.package[f"data/{name}.csv"]))

    def part(self, name):
        [text] = [one for one in self.methods.split("\n\n") if one.startswith(f"**{name}.**")]
        return text

    def count(self, word, text=None):
        """The first count before a word."""
        return int(re.search(rf"(\d+) {word}s?\b", text or self.methods)[1])


def judge(annotator, random, at_most=100):
    """Values that differ from text to text, through the services."""
    for _ in range(at_most):
        try:
            sheet = claim_next(annotator=annotator)
        except NotClaimable:  # Their part in a panel is over.
            return
        if sheet is None:
            return
        rate_sheet(annotator, sheet, lambda *_: random.randint(1, 5))


def imported(campaign, codes, **more):
    random = Random(5)
    texts = campaign.substitutions.filter(role="output").select_related("item").order_by("pk")
    add_judgments(
        campaign,
        [
            {
                "item": f"item-{text.item.position}",
                "paraphrase": text.text,
                "annotator": code,
                "scale": scale,
                "value": random.randint(1, 5),
                **more,
            }
            for text in texts
            for code in codes
            for scale in SCALES
        ],
    )


def of_browser():
    campaign = make_campaign(items=6, k=2)
    add_guideline(campaign, "Read.")
    for name in ("bob", "eve"):
        judge(make_annotator(campaign, name), Random(name))
    return campaign


def of_files():
    campaign = make_campaign(items=6, open_it=False, cast=False)
    imported(campaign, ["r1", "r2", "r3"])
    return campaign


def mixed():
    campaign = of_browser()
    imported(campaign, ["r1"], judged_at="2020-05-06T10:00:00Z")
    last = Judgment.objects.filter(annotator__code="r1").order_by("pk").last()
    last.judged_at = None  # One text without a date: both of its values.
    last.save()
    Judgment.objects.filter(annotator__code="r1", substitution=last.substitution).update(
        judged_at=None
    )
    return campaign


def of_pilot():
    campaign = make_campaign(items=6, k=2, open_it=True)
    user = make_user("bob")
    pilot = pilot_start(campaign=campaign, texts=2, people=[user.pk], actor=None)
    judge(make_annotator(pilot, "bob"), Random(1))
    pilot = pilot_end(pilot=pilot, actor=None)
    judge(make_annotator(campaign, "bob"), Random(2), at_most=1)
    judge(make_annotator(campaign, "eve"), Random(3))
    pilot_take_over(pilot=pilot, actor=None)
    return campaign


def assert_counts_and_digest(found):
    """One name for one count, and one digest, in every file; both as in the released tables."""
    ratings, texts = found.table("ratings"), found.table("texts")
    counts = {
        "annotator": ratings["annotator"].nunique(),
        "judgment": len(ratings.drop_duplicates(["item", "annotator"])),
        "rating": len(ratings),
        "text": len(texts),
    }
    card = found.package["README.md"].decode()
    for word, n in counts.items():
        assert found.count(word) == n, word
        assert found.count(word, card.split("---\n")[2]) == n, word
    expected = json.loads(found.package["expected.json"])["counts"]
    assert {f"{word}s": n for word, n in counts.items()} == {
        name: n for name, n in expected.items() if name != "data"
    }
    digest = hashlib.sha256(found.package["data/ratings.csv"]).hexdigest()
    assert expected["data"] == digest
    archive = written(archive_write, found.campaign)
    assert json.loads(archive["manifest.json"])["data"] == digest
    for files in (found.paper, found.package):
        for name in ("references.bib", "CITATION.md", "datasheet.md", "heds.json"):
            assert set(re.findall(r"\bdata ([0-9a-f]{12})", files[name].decode(), re.I)) == {
                digest[:12]
            }, name
    assert f"(data {digest[:12]})" in found.methods and f"data {digest[:12]}" in card
    fields = json.loads(found.package["croissant.json"])["recordSet"]
    ids = {field["@id"] for one in fields for field in one["field"]}
    assert {"ratings/annotator", "outputs/system", "texts/MEANING%20%2B%20GRAMMAR"} <= ids


def assert_nothing_invented(found):
    for text in found.sentence:
        # What HEDS asks is no statement.
        lines = [one for one in text.splitlines() if not one.endswith("not reported")]
        for word in INVENTED:
            assert not [one for one in lines if word in one and "browse.html" not in one], word


def day_of(rows):
    found = {f"{at:%Y-%m-%d}" for at in rows.values_list("recorded_at", flat=True)}
    [day] = found
    return day


def test_imported_from_a_table():
    campaign = of_files()
    found = Published(campaign)
    assert_counts_and_digest(found)
    assert_nothing_invented(found)
    sentence = (
        "30 judgments of 3 annotators were imported from a table, which does not say with which "
        "tool they were given; on which days they were given is not reported."
    )
    assert all(sentence in text for text in found.sentence)
    today = day_of(campaign.judgments.all())  # The day of the import is no day of judging.
    assert not any(today in text for text in found.sentence)
    assert "annotations_creators" not in found.package["README.md"].decode()
    heds = json.loads(found.package["heds.json"])
    assert not [name for name in heds if "what_evaluators_see" in name]
    question = campaign.scales.first().question  # Of the template, and nobody knows if of theirs.
    assert not any(question in text for text in found.sentence)


def test_mixed_and_excluded():
    campaign = mixed()
    out = campaign.annotators.get(user__username="eve")
    exclude(out, reason="Too fast.", free_slots=False)
    found = Published(campaign)
    assert_counts_and_digest(found)
    day = day_of(campaign.judgments.filter(batch=None))
    procedure = found.part("Procedure")
    assert f"10 judgments of 1 annotator were given in a web browser with paraanno on {day}." in (
        procedure
    )
    assert (
        "10 judgments of 1 annotator were imported from a table, which does not say with which "
        "tool they were given; they were given on 2020-05-06 (1 without a date)." in procedure
    )
    assert found.count("annotator") == 2  # Who is excluded gave nothing that is counted.
    assert "1 annotator (by the researchers: Too fast, since" in found.part("Quality")
    heds = found.package["datasheet.md"].decode()
    assert "Of the judgments given in paraanno: the original and" in heds


def test_a_pilot_taken_over():
    campaign = of_pilot()
    found = Published(campaign)
    assert_counts_and_digest(found)
    ratings = found.table("ratings").drop_duplicates(["item", "annotator"])
    voices = ratings["annotator"].str.startswith("camp-pilot")
    procedure = found.part("Procedure")
    n, own = int(voices.sum()), int((~voices).sum())
    # Who is given which texts is drawn, so it may be one judgment.
    taken = rf"\b{n} judgments? of 1 annotator (was|were) taken over from the pilot camp-pilot"
    assert n and re.search(taken, procedure)
    given = rf"\b{own} judgments? of 2 annotators (was|were) given in a web browser"
    assert re.search(given, procedure)
    # Bob is in the pilot and in the campaign: two codes, one person.
    assert "1 of these annotators is counted a second time" in found.part("Annotators")
    assert found.count("annotator") == 3


def test_judgments_of_programs_and_simulated_ones_are_called_so():
    campaign = of_browser()
    campaign.judgments.filter(annotator__user__username="bob").update(by_program=True)
    eve = campaign.annotators.filter(user__username="eve")
    eve.update(origin=Annotator.Origin.SIMULATED, user=None)
    methods = written(export_write, campaign, what="paper")["methods.md"].decode()
    assert "10 judgments of 1 annotator were sent to paraanno by a program on" in methods
    assert "10 judgments of 1 annotator were SIMULATED by a program." in methods
    assert "in a web browser" not in methods


# From a lab's table and a Potato project to methods.


def lab(n=16):
    """Outputs of three systems for sentences, and what four people said of them in Potato."""
    random = Random(11)
    nouns = ["cat", "dog", "committee", "letter", "river", "garden", "train", "child"]
    sentences = [
        f"The {random.choice(nouns)} number {at} crossed the old bridge." for at in range(n)
    ]
    skill = {"gpt": 4, "bart": 3, "lstm": 2}
    pairs = [
        (
            f"p{at}-{system}",
            sentence,
            sentence.replace("crossed", random.choice(("passed", "went over", "took"))).replace(
                "old", f"{random.choice(('ancient', 'worn', 'grey'))} {system}"
            ),
            system,
        )
        for at, sentence in enumerate(sentences)
        for system in skill
    ]
    table = "source sentence,hypothesis,model\n" + "".join(
        f"{sentence},{output},{system}\n" for _, sentence, output, system in pairs
    )
    files = {
        "p/data/pairs.json": [
            {"id": key, "original": sentence, "paraphrase": output}
            for key, sentence, output, _ in pairs
        ]
    }
    for who in ("ann", "ben", "cho", "dee"):
        given = {
            key: {
                scale: {(value := str(_clipped(skill[system] + random.gauss(0, 0.9)))): value}
                for scale in SCALES
            }
            for key, _, _, system in pairs
        }
        files[f"p/annotation_output/{who}/user_state.json"] = {
            "user_id": who,
            "instance_id_ordering": list(given),
            "current_instance_index": len(given),
            "instance_id_to_label_to_value": given,
        }
    return table.encode(), zipped(files)


def _clipped(value):
    return min(5, max(1, round(value)))


def walked():
    campaign = new_campaign("lab")
    table, potato = lab()
    for what, name, data, importer in (
        ("items", "outputs.csv", table, items_import),
        ("judgments", "potato.zip", potato, judgments_import),
    ):
        seen = mapping_guess(campaign=campaign, stream=io.BytesIO(data), name=name, what=what)
        mapping = agreed(seen.mapping, accepted=True)
        report = importer(
            campaign=campaign, stream=io.BytesIO(data), name=name, actor=None, mapping=mapping
        )
        assert report.ok, [str(one) for one in report.problems]
    for spec in ("pinc", "ter"):
        finish(started(campaign, spec))
    return campaign


def test_a_lab_walks_to_methods_whose_numbers_are_released():
    campaign = walked()
    assert {one.key for one in reviewer_questions(campaign=campaign)} >= {"collected", "pay"}
    reviewer_save(
        campaign=campaign,
        actor=None,
        answers={"kind": "experts", "pay": "Unpaid.", "collected": "In our lab.", "ethics": ""},
    )
    found = Published(campaign)
    assert_counts_and_digest(found)
    procedure = found.part("Procedure")
    assert "192 judgments of 4 annotators were imported from Potato" in procedure
    assert "How the imported judgments were collected: In our lab." in procedure
    assert "Pay: Unpaid. Ethical review and consent: not reported." in found.methods
    assert "annotations_creators:\n- expert-generated" in found.package["README.md"].decode()
    assert "Gwet's AC2 is observed minus chance agreement" in found.part("Agreement")
    assert "of several scales the mean of the sums of its annotators" in found.part("Metrics")
    rest = found.methods
    for piece in released(found.paper):
        assert piece in rest, (piece, rest)
        rest = rest.replace(piece, "", 1)
    # No number is left that stands in no released table, but levels and bounds by definition.
    rest = re.sub(r"\(data [0-9a-f]{12}\)|paraanno \S+|\d{4}-\d\d-\d\d", "", rest)
    assert re.findall(r"\d+\.\d+", rest) == []


def released(paper):
    """What the methods say of the numbers in the released tables. Others compute these again:
    tests of the package and tests/site/test_recount.py."""

    def rows(name, /, **where):
        table = pandas.read_csv(io.BytesIO(paper[f"{name}.csv"])).to_dict("records")
        return [row for row in table if where.items() <= row.items()]

    def span(row):
        return f"{row['ci_low']:.3f} to {row['ci_high']:.3f}"

    for scale in SCALES:
        for row in rows("agreement", about="ratings", name=scale):
            if label := AGREEMENT.get(row["statistic"]):
                value, target = row["value"], row["generalises_to"]
                yield f"{label} {value:.3f} (95 % CI {span(row)}, for {target})"
    report = json.loads(paper["results.json"])
    limits = " and ".join(f"{scale} {report['thresholds'][scale]:g}" for scale in SCALES)
    told = {("mean", scale): f"Mean {scale}" for scale in SCALES}
    told["pass_all", None] = f"Share of judgments that meet the thresholds {limits}"
    for (outcome, scale), what in told.items():
        part = rows("results", outcome=outcome, **({"scale": scale} if scale else {}))
        systems = (
            f"{row['system']} {row['value']:.3f} ({span(row)}; {row['letters']})" for row in part
        )
        yield f"{what}: {'; '.join(systems)}."
        pairs = [
            one for one in report["pairs"] if (one["outcome"], one["scale"]) == (outcome, scale)
        ]
        apart = [one for one in pairs if one["p_max_t"] < 0.05]
        yield f"Of {len(pairs)} pairs of systems {len(apart)} are told apart: "
        for one in apart:
            ends, p = one["interval"], one["p_max_t"]
            said = "p < .0001" if p < 0.0001 else f"p = {p:.4f}"
            yield (
                f"{one['a']} minus {one['b']} {one['difference']:+.3f} ({ends['low']:+.3f} to "
                f"{ends['high']:+.3f}), {said}"
            )
    for human in (*SCALES, " + ".join(SCALES)):
        for metric, printed in (("pinc", "PINC"), ("ter", "TER")):
            r, tau = (
                rows("correlation", human=human, metric=metric, coefficient=one)[0]
                for one in ("pearson", "kendall")
            )
            yield f"{printed} r {r['value']:.3f} (95 % CI {span(r)}"
            yield f"tau {tau['value']:.3f} (n = {tau['n']}"
        one = json.loads(paper["correlation.json"])["ceiling"][human]["leave_one_out"]["pearson"]
        yield f"reach r {one['value']:.3f} (95 % CI {span(one)}"
