"""The report on gold as text for a terminal."""

from scoring.stats.gold.compare import gold_report
from scoring.stats.terminal.results_text import gold_lines
from tests.scoring.stats.gold.scales import LIMITS, simulated


def test_every_method_has_a_line_in_every_table():
    found = gold_report(simulated(), LIMITS)
    for part in found["straddling"].values():
        for row in part["annotators"]:
            row["annotator"] = f"voice {row['annotator']}"  # As whoever knows the names puts them.
    lines = gold_lines(found)
    heads = [line.split()[0] for line in lines if line.endswith("undefined because")]
    assert heads == ["M", "methods", "G", "methods"]
    for method in found["methods"]:
        assert sum(line.split()[:1] == [method] for line in lines) == 3  # M, G and the decisions
    (decided,) = (line for line in lines if line.startswith("M from 3:"))
    assert f"{found['straddling']['M']['decisions']} decisions" in decided


def test_without_a_report_there_are_no_lines():
    nothing = {"methods": {}, "comparison": {"columns": {}, "passes": []}, "straddling": {}}
    assert gold_lines(nothing) == []
