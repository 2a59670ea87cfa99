import pytest

from annotation.importing.displayed import Displayed, plain
from tests.factories import make_campaign

LONG, SHORT = "The old cat sat on the mat.", "The old cat sat."
ROWS = [
    {"sentence": LONG, "paraphrase": text, "system": system}
    for text, system in (("On the mat sat a cat.", "A"), ("On the mat sat a cat. Really.", "B"))
] + [
    {"sentence": LONG, "phrase": "cat", "paraphrase": "tom", "system": "A"},
    {"sentence": SHORT, "paraphrase": "A cat sat.", "system": "A"},
]


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        (f"{LONG} / On the mat sat a cat.", "On the mat sat a cat."),
        (f"On the mat\n sat a cat.  Is it\tlike: {LONG}", "On the mat sat a cat."),
        (f"{LONG} / On the mat sat a cat. Really.", "On the mat sat a cat. Really."),
        (f"{LONG} => The old tom sat on the mat.", "tom"),
        (f"{SHORT} A cat sat.", "A cat sat."),
        (f"{LONG} / A dog.", "no text of the campaign"),
        ("A cat sat.", "no text of the campaign"),
        (f"{LONG} On the mat sat a cat. The old tom sat on the mat.", "several texts"),
    ],
)
def test_original_and_paraphrase_stand_there(db, shown, text):
    """Of two texts of which one is in the other, the longer one was shown."""
    campaign = make_campaign(rows=ROWS, open_it=False, cast=False)
    answer = Displayed(campaign).find(shown)
    texts = dict(campaign.substitutions.values_list("pk", "text"))
    assert texts.get(answer) == text or text in str(answer)
    assert plain(" a\n b ") == "a b"
