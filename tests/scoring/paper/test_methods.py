"""A paragraph for the section on methods, with every number that a reader needs."""

from dataclasses import replace

from scoring.paper.facts import CampaignDesign, SourceFacts
from scoring.paper.methods import methods_paragraph
from scoring.stats.agreement.influence import NEW_ANNOTATORS
from scoring.stats.significance.paired import looks_told
from tests.scoring.paper.campaign import (
    AGREEMENT,
    FOUND,
    HERE,
    IMPORTED,
    NAMES,
    UNDEFINED,
    facts,
)
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
        "2 annotators gave 18 judgments, in all 35 ratings: a judgment is one text judged by one",
        "18 judgments of 2 annotators were given in a web browser with paraanno from 2026-01-02 to "
        "2026-02-03.",
        "The data are 9 texts of 1 system",
        "Each judged text has 2 judgments.",
        '1 answer "cannot judge" is a missing rating.',
        "passes at MEANING >= 3",
        "Agreement on MEANING (18 ratings of 9 texts)",
        "0.700 (95 % CI 0.610 to 0.790, for new phrases)",
        "ICC(2,1) undefined: no ratings",
        "Share of judgments that meet the thresholds MEANING 3: A 0.250 (0.100 to 0.400).",
        "by lot",
        "paraanno X",
        "without system names",
        "In paraanno each sheet was meant for 2 annotators",
        "Who the annotators were: not reported.",
        "Pay: not reported.",
    ):
        assert part in text
    heads = ["Data", "Annotators", "Procedure", "Quality", "Agreement", "Results", "Metrics"]
    assert [one.split(".")[0] for one in text.split("\n\n")] == [f"**{head}" for head in heads]


def test_nothing_is_said_of_imported_judgments_that_was_not_seen():
    text = paragraph(sources=(IMPORTED,), excluded={"phrase": 2}, checks={"controls": 1})
    for invented in ("browser", "without system names", "meant for", "sheet", "no guidelines"):
        assert invented not in text, invented
    assert "imported from Potato; they were given from 2025-01-02 to 2025-02-03." in text
    assert "How the imported judgments were collected: not reported." in text
    assert "Beside the texts of systems was 1 control, which enters no result." in text
    assert "Excluded from all statistics and counts: 2 phrases." in text
    unknown = replace(IMPORTED, name="", first="", last="", undated=18)
    text = paragraph(sources=(unknown,), answers={"collected": "By mail."})
    assert "imported from a table, which does not say with which tool they were given; on" in text
    assert "on which days they were given is not reported." in text
    assert "How the imported judgments were collected: By mail." in text


def test_each_way_has_its_own_numbers():
    sources = (
        replace(HERE, judgments=3, annotators=1),
        replace(HERE, how="program", judgments=1, annotators=1, last="2026-01-02"),
        SourceFacts("simulated", "", 2, 4),
        replace(IMPORTED, ranges="0…100 → 1…5"),
        SourceFacts("pilot", "camp-pilot", 2, 5, "2025-12-01", "2025-12-02", undated=1),
    )
    text = paragraph(
        sources=sources, annotators={"invited": 2, "simulated": 2, "pilot": 2}, twice=1, not_blind=1
    )
    for part in (
        "6 annotators (2 of them SIMULATED by a program) gave",
        "3 judgments of 1 annotator were given in a web browser",
        "1 judgment of 1 annotator was sent to paraanno by a program on 2026-01-02.",
        "4 judgments of 2 annotators were SIMULATED by a program.",
        "to 2025-02-03; values were read to another range (0…100 → 1…5).",
        "5 judgments of 2 annotators were taken over from the pilot camp-pilot, where they were "
        "given from 2025-12-01 to 2025-12-02 (1 without a date).",
        "1 of these annotators is counted a second time",
        "1 annotator could see the names elsewhere on the site",
    ):
        assert part in text, part


def test_an_icc_that_is_undefined_gives_way_to_the_form_that_exists():
    block = {**AGREEMENT["scales"]["MEANING"], "icc_1_1": {**FOUND, "value": 0.512}}
    text = methods_paragraph(
        facts(), {"scales": {"MEANING": block}}, RESULTS, names=NAMES, signature=""
    )
    assert "ICC(1,1) 0.512" in text and "ICC(2,1)" not in text and "new annotators" not in text
    wide = {**block, "icc_2_1": {**FOUND, "options": {"interval": NEW_ANNOTATORS}}}
    text = methods_paragraph(
        facts(), {"scales": {"MEANING": wide}}, RESULTS, names=NAMES, signature=""
    )
    assert "Those for new annotators add the jackknife over annotators (Gwet 2014)." in text
    none = {**block, "icc_1_1": UNDEFINED, "answer": {"verdict": "unsure"}}
    text = methods_paragraph(
        facts(), {"scales": {"MEANING": none}}, RESULTS, names=NAMES, signature=""
    )
    assert "ICC(2,1) undefined: no ratings. By Krippendorff's bounds (.800, .667) it is" in text


def test_differences_of_systems_and_correlations_of_metrics_are_results():
    scales = {"MEANING": {"mean": 3.5, "mean_bootstrap": None}}
    pair = {"outcome": "mean", "scale": "MEANING", "a": "A", "b": "B"}
    results = {
        "unit": "judgment",
        "alpha": 0.05,
        "warning": "Only 12 originals.",
        "thresholds": {},
        "systems": {"A": {"scales": scales}, "B": {"scales": scales}},
        "clusters": [{**pair, "letters": {"A": "a", "B": "b"}}],
        "pairs": [
            {
                **pair,
                "difference": 0.5,
                "interval": {"low": 0.25, "high": 0.75},
                "p_max_t": 0.0056,
            }
        ],
    }
    correlation = {
        "warning": None,
        "runs": [{"label": "bleu", "turned": False}, {"label": "ter", "turned": True}],
        "human": {
            "MEANING": {
                "metrics": {
                    "bleu": {"pearson": FOUND, "kendall": {**FOUND, "value": 0.5}},
                    "ter": {"pearson": UNDEFINED},
                },
                "significance_letters": {"pearson": {"bleu": "a"}},
            }
        },
    }
    text = methods_paragraph(
        facts(),
        AGREEMENT,
        results,
        names=NAMES,
        signature="",
        correlation=correlation,
        printed={"bleu": "BLEU", "ter": "TER"},
    )
    for part in (
        "**Results.** Only 12 originals. Mean MEANING: A 3.500 (a); B 3.500 (b).",
        "Of 1 pair of systems 1 is told apart: A minus B +0.500 (+0.250 to +0.750), p = 0.0056.",
        "Systems that share no letter are told apart (p < .05,",
        "step-down max-T",
        "Correlation with MEANING over texts: BLEU r 0.700 (95 % CI 0.610 to 0.790, for new "
        "phrases), tau 0.500 (n = 9; a); TER r undefined: no ratings.",
        "Lower is better for TER; signs are reversed.",
    ):
        assert part in text, part
    few = {"cannot_tell": "5 phrases cannot tell two systems apart at .05; 6 are needed."}
    made = {"names": NAMES, "signature": "", "correlation": correlation | few}
    text = methods_paragraph(facts(), AGREEMENT, results | few, **made)
    assert "A 3.500; B 3.500. " in text and few["cannot_tell"] in text
    assert "(n = 9)" in text and "share no letter" not in text


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
    assert "9 texts of 1 system for 3 whole sentences, in ko; a text is" in text
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
        ", in en-GB (1 item) and ko (2 items), 2 of them without a rating; a text is",
        "meant for 2 annotators, 3 of 12 sheets by all annotators; it showed",
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
    text = paragraph(annotators={"simulated": 3}, sources=(SourceFacts("simulated", "", 3, 18),))
    assert "**Annotators.** 3 SIMULATED annotators (a program) gave" in text
    assert "browser" not in text


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
    assert "ICC" not in text and "ithin one" not in text
