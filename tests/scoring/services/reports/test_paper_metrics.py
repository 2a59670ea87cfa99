"""Scores of metrics in the folder of mt-metrics-eval: a system's score is sacrebleu's of the texts
in the folder."""

from statistics import fmean

import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.ter import TER

from tests.factories import add_items, add_judgments, exclude, judgment_row, make_campaign
from tests.scoring.factories import finish, paper_of, started
from tests.scoring.paper.mtme_reader import read_pair

pytestmark = pytest.mark.usefixtures("undrawn")


def sentence(number, other):
    """A sentence of nine words that shares a part of them with the next ones."""
    words = [f"word{(number + at * other) % 12}" for at in range(9)]
    return " ".join(words).capitalize() + "."


def rows(references=2):
    """Six sentences; a second reference for the first three alone. A gives two texts for each, of
    which the first is C's too in the first."""
    return [
        {
            "item": f"i{number}",
            "sentence": sentence(number, 1),
            "system": system,
            "rank": rank,
            "paraphrase": sentence(number + shift, 1 + shift % 2),
        }
        | ({"reference": sentence(number + 1, 1)} if references else {})
        | ({"reference_2": sentence(number, 2)} if references > 1 and number < 3 else {})
        for number in range(6)
        for system, rank, shift in (
            ("A", 2, 5),
            ("A", 1, 1),
            ("B", 1, 3),
            ("C", 1, 2 if number else 1),
        )
    ]


def made(references=2):
    campaign = make_campaign("folder", rows=rows(references), cast=False)
    texts = dict.fromkeys((row["item"], row["paraphrase"]) for row in rows(references))
    add_judgments(
        campaign,
        [judgment_row(item, text, "a", 1 + at % 5) for at, (item, text) in enumerate(texts)],
    )
    return campaign


def folder(campaign):
    top = "mt-metrics-eval/"
    files = {
        name.removeprefix(top): text.decode()
        for name, text in paper_of(campaign).items()
        if top in name
    }
    return read_pair(files, "folder", "und-und")


def of_files(found, system, metric):
    """What sacrebleu makes of the folder's own texts; an absent reference is None to it too."""
    references = [found.references[name] for name in sorted(found.references)]
    return [pytest.approx(metric.corpus_score(found.outputs[system], references).score)]


@pytest.mark.slow
def test_the_score_of_a_system_is_that_of_its_corpus_in_the_folder():
    """It was the mean of its sentences, and called -src although references were read."""
    campaign = made()
    for spec in ("bleu", "ter", "pinc", "combine:of=bleu{against=original}+pinc"):
        finish(started(campaign, spec))
    # What is excluded is in no file, although the run's own scores of systems cover it.
    text = campaign.substitutions.get(item__position=5, outputs__system__label="B")
    for target in (text.item, campaign.systems.get(label="C")):
        exclude(target)
    found = folder(campaign)
    assert set(found.outputs) == {"A", "B"} and len(found.sources) == 5
    assert found.references["refB"].count(None) == 2
    assert {name for name, _ in found.metrics} == {
        "bleu-refA.refB",
        "ter-refA.refB",
        "pinc-src",
        "combine_of_bleu_against_original_+pinc-src",
    }

    def mean(metric, system):
        scores = found.metrics[metric, "seg"][system]
        return [pytest.approx(fmean(one for one in scores if one is not None))]

    for system in ("A", "B"):
        bleu = found.metrics["bleu-refA.refB", "sys"][system]
        assert bleu == of_files(found, system, BLEU()) and bleu != mean("bleu-refA.refB", system)
        assert found.metrics["ter-refA.refB", "sys"][system] == of_files(found, system, TER())
        # A metric that is defined as a mean of texts stays one.
        assert found.metrics["pinc-src", "sys"][system] == mean("pinc-src", system)


@pytest.mark.slow
def test_references_that_came_after_a_run_are_not_in_its_name():
    campaign = made(references=0)

    def names():
        return {name for name, _ in folder(campaign).metrics}

    finish(started(campaign, "bleu"))
    assert names() == {"bleu-src"}
    add_items(campaign, rows(references=1))
    assert names() == {"bleu-src"}
    finish(started(campaign, "bleu:lowercase=yes"))
    assert names() == {"bleu-src", "bleu_lowercase_yes-refA"}
