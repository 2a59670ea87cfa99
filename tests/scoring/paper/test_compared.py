"""The sentence of a paper that says what metrics compared the paraphrases with."""

from scoring.metrics.values import Met
from scoring.paper.facts import compared_with


def run(label, met, signature="s|against:auto|x"):
    return {"label": label, "signature": signature, "met": met and met.as_json()}


def test_metrics_are_grouped_by_what_they_met():
    one = Met(references=1488, least=1, most=1)
    runs = [
        run("bleu", one),
        run("chrf", one),
        run("pinc", Met(original=1488)),
        run("ter", Met(original=12, references=1476, least=1, most=3)),
        run("ibleu", Met(original=5, references=5, neither=2, least=2, most=2)),
        run("mine", None, "external|file@0"),
    ]
    assert compared_with(runs, {"bleu": "BLEU", "chrf": "chrF"}) == (
        "Paraphrases were compared with 1 reference each (BLEU, chrF); with the original (pinc); "
        "with 1 to 3 references each for 1,476 texts and with the original for 12 texts (ter); "
        "with 2 references each for 5 texts and with the original for 5 texts, 2 texts with "
        "neither (ibleu). "
    )


def test_a_run_of_before_is_not_said_to_know():
    runs = [run("bleu", None), run("pinc", None, "pinc|against:original|max_n:4")]
    assert compared_with(runs, {}) == (
        "Paraphrases were compared with references or, where there were none, the original, "
        "numbers unknown (bleu); with the original (pinc). "
    )
    del runs[0]["met"]  # A report that was stored before.
    assert "unknown (bleu)" in compared_with(runs, {})
    assert compared_with([run("mine", None, "external|file@0")], {}) == ""
