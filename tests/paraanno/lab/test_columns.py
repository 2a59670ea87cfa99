"""What is wrong with a column is told by its name."""

import pandas as pd
import pytest

from paraanno import lab
from tests.paraanno.lab.rated import COLUMNS, OF_A
from tests.paraanno.lab.test_scoring import PAIRS

TWICE = pd.concat([OF_A, OF_A.head(1)])
REFUSED = [
    (lambda: lab.agreement(OF_A, **{**COLUMNS, "item": "txt"}), "no column 'txt'; the frame has"),
    (lambda: lab.agreement(OF_A, **{**COLUMNS, "value": "rater"}), "'rater' has 'x' in row 1"),
    (lambda: lab.agreement(TWICE, **COLUMNS), "'MEANING': annotator 'x' rated '0' twice"),
    (lambda: lab.agreement(OF_A, **COLUMNS, levels=[1, 2]), "'MEANING' has"),
    (lambda: lab.agreement(OF_A.assign(c=range(60)), **COLUMNS, cluster="c"), "'c' differs"),
    (lambda: lab.agreement(OF_A.assign(item=None), **COLUMNS), "'item' is empty in row 1"),
    (lambda: lab.gold(OF_A, **COLUMNS, method="mode"), "no method 'mode': use one of mean"),
    (lambda: lab.correlate(OF_A, human="MEANING", metrics="phrase"), r"give a list .*'phrase'"),
    (lambda: lab.score(PAIRS, ["bleu"], original="a", paraphrase="after"), "no column 'a'"),
    (lambda: lab.score(PAIRS, ["blue"], original="before", paraphrase="after"), "blue"),
    (lambda: lab.score(PAIRS, ["pinc"], original="after", paraphrase="after"), "'after' is empty"),
]


@pytest.mark.parametrize(("how", "told"), REFUSED)
def test_a_refusal_names_the_column(how, told):
    with pytest.raises(ValueError, match=told):
        how()
