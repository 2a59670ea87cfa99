"""The README beside the folder says how to load it and what it lacks."""

from scoring.paper.mtme import MetricFile, mtme_readme

BLEU = MetricFile("BLEU-refA", "bleu", "BLEU|v:1", True, gaps=0, corpus=True, whole=True)
TER = MetricFile("TER-refA", "ter", "", False, gaps=2, corpus=False, whole=False)


def readme(pair="en-en", stand_in=""):
    told = [(pair, ("refA",), {"MEANING": "meaning", "EFFORT": "effort"}, [BLEU, TER])]
    return mtme_readme("mine", told, lower=["EFFORT"], stand_in=stand_in)


def test_it_says_how_the_folder_is_loaded():
    text = readme()
    assert 'meta_info.MetaInfo("refA", {"sys": "meaning", "seg": "meaning"}' in text
    assert 'data.EvalSet("mine", "en-en", True, info, path="mt-metrics-eval", strict=True)' in text
    assert "`und`" not in text and "There is no reference" not in text
    assert "Lower is better in the human scores effort." in text


def test_what_is_unknown_or_stands_in_is_said():
    assert "does not say its language: `und` is undetermined" in readme("und-und")
    assert "so `refA` repeats the sources" in readme(stand_in="refA")


def test_each_metric_says_what_its_scores_are_and_what_was_left_out():
    rows = {line.split("|")[1].strip(): line for line in readme().splitlines() if "-refA |" in line}
    assert "higher" in rows["BLEU-refA"] and "of the corpus" in rows["BLEU-refA"]
    assert "nothing" in rows["BLEU-refA"]
    assert "lower" in rows["TER-refA"] and "mean of segments" in rows["TER-refA"]
    assert "segments: 2 texts have no score; systems: one has no score" in rows["TER-refA"]
    assert "unknown" in rows["TER-refA"]
