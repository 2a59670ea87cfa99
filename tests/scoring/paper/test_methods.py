"""A paragraph for the section on methods, with every number that a reader needs."""

from scoring.paper import CampaignDesign
from scoring.paper.methods import methods_paragraph
from scoring.stats.significance.paired import looks_told
from tests.scoring.paper.campaign import AGREEMENT, FOUND, NAMES, facts
from tests.scoring.paper.test_datasheet import DESIGN, RULE

RESULTS = {
    "thresholds": {"MEANING": 3},
    "systems": {
        "A": {
            "pass_all": 0.25,
            "pass_all_bootstrap": {"low": 0.1, "high": 0.4, "method": "95 %, by lot"},
        }
    },
}


def paragraph(results=RESULTS, correlation=None, **changes):
    return methods_paragraph(
        facts(**changes),
        AGREEMENT,
        results,
        names=NAMES,
        signature="paraanno X",
        correlation=correlation or {},
    )


def test_the_paragraph_has_every_number_and_says_what_is_undefined():
    text = paragraph()
    for part in (
        "2 annotators gave 18 judgments between 2026-01-02 and 2026-02-03",
        "9 paraphrases",
        '1 answer "cannot judge" is treated as a missing rating.',
        "passes at MEANING >= 3",
        "0.700 (95 % CI 0.610 to 0.790, for new phrases)",
        "ICC(2,1) undefined: no ratings",
        "A 0.250 (0.100 to 0.400)",
        "by lot",
        "paraanno X",
        "shown without system names",
    ):
        assert part in text
    imported = paragraph(annotators={"imported": 2}, excluded={"phrase": 2})
    assert "without system names" not in imported
    assert "Excluded from all statistics: 2 phrases." in imported


def test_looks_are_told_where_there_were_several():
    def text_of(states, before=False):
        looks = {"looks": looks_told(states, unknown_before=before)}
        return paragraph(RESULTS | looks, looks)

    assert "compared at" not in text_of(1)
    text = text_of(12)
    assert "Systems were compared at 12 states of the judgments; the tests are not" in text
    assert "Metrics were compared at 12 states" in text and "after 10 looks" in text
    assert "12 states of the judgments or more; how often before" in text_of(12, before=True)
    assert "How often systems were compared before is not known." in text_of(1, before=True)


def test_whole_sentences_are_not_called_phrases():
    whole = CampaignDesign(whole=3, whole_phrases=2, languages={"ko": 3})
    text = paragraph(design=whole)
    assert "of 9 paraphrases of 1 system for 3 whole sentences, in ko, shown" in text
    assert "phrase" not in text.split(";")[0].replace("paraphrase", "")
    both = paragraph(design=CampaignDesign(whole=1, whole_phrases=1, languages={"en": 2, "": 1}))
    assert "for 1 phrase in 2 sentences (phrase substitution" in both
    assert "and 1 whole sentence, in en (2 items)" in both


def test_shared_sheets_checks_rules_repeats_and_reasons_are_told():
    text = paragraph(
        design=DESIGN,
        rules=(RULE,),
        practice_required=True,
        practice_share=0.8,
        checks={"controls": 4, "degraded copies": 1, "exact copies": 0},
        excluded={"annotator": 2, "item": 1, "system": 1},
        unjudged=2,
    )
    for part in (
        "of 9 paraphrases of 1 system (2 of them without a judgment) for",
        "by design, and 3 of 12 sheets to all annotators.",
        "passed a test (80% of the answers right)",
        "Hidden among the sheets were 4 controls and 1 degraded copy, which enter no result.",
        f"Rules for failed checks: {RULE}.",
        "Of 8 repeats on MEANING, 0.750 got the same value again, 1.000 one at most a point",
        f'1 annotator (by the rule "{RULE}": Failed 4 of 6 controls, since 2026-01-05)',
        "1 item (by the researchers: broken, since 2026-01-06)",
        "1 annotator (withdrawn by their own wish, since 2026-01-07)",
        "; 1 system.",
    ):
        assert part in text


def test_simulated_voices_are_never_called_people():
    text = paragraph(annotators={"simulated": 3})
    assert text.startswith("3 SIMULATED annotators (a program) gave")


def test_names_are_not_told_with_a_coefficient_of_order():
    block = {
        "n_units": 9,
        "n_ratings": 18,
        "answer": {"fit": "names"},
        "leads": ["alpha_nominal"],
        "unfit": ["icc_2_1"],
        "specific": {"1": FOUND},
        **dict.fromkeys(("alpha_nominal", "icc_2_1", "within_one"), FOUND),
    }
    text = methods_paragraph(
        facts(), {"scales": {"KIND": block}}, RESULTS, names=NAMES, signature=""
    )
    assert "Agreement on KIND, whose values are names, without order or distance" in text
    assert "Krippendorff's alpha, nominal 0.700" in text and "agreement on 1 0.700" in text
    assert "ICC" not in text and "Within one" not in text
