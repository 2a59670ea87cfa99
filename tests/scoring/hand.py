"""A campaign small enough to compute by hand.

Three texts of two systems in two items, three annotators:

    text                     systems   MEANING a b c   GRAMMAR a b c
    t0  "one"  (item 0)      S0 S1     5 4 -           5 5 -
    t1  "two"  (item 1)      S0        2 4 3           4 1 5
    t2  "three" (item 1)     S1        1 ? 1           - 2 2      (? cannot judge)
    c   "control" (item 1)   none, role control: a gives 1, 1
"""

from annotation.models import Substitution
from annotation.people.exclusions import exclusion_add
from scoring.ratings.choice import Choice
from scoring.ratings.tables import ratings_get
from tests.factories import add_judgments, judgment_row, make_campaign

MEANING = {"t0": {"a": 5, "b": 4}, "t1": {"a": 2, "b": 4, "c": 3}, "t2": {"a": 1, "c": 1}}
GRAMMAR = {"t0": {"a": 5, "b": 5}, "t1": {"a": 4, "b": 1, "c": 5}, "t2": {"b": 2, "c": 2}}
TEXTS = {"t0": ("i0", "one"), "t1": ("i1", "two"), "t2": ("i1", "three")}


def item_rows():
    places = {
        "i0": {"item": "i0", "phrase": "first", "sentence": "The first sentence."},
        "i1": {"item": "i1", "phrase": "second", "sentence": "The second sentence."},
    }
    return [
        {**places["i0"], "paraphrase": "one", "system": "S0"},
        {**places["i0"], "paraphrase": "one", "system": "S1"},
        {**places["i1"], "paraphrase": "two", "system": "S0"},
        {**places["i1"], "paraphrase": "three", "system": "S1"},
        {**places["i1"], "paraphrase": "control", "role": "control"},
    ]


def judgment_rows():
    control = {"item": "i1", "paraphrase": "control", "role": "control", "annotator": "a"}
    return [
        *(
            judgment_row(TEXTS[text][0], TEXTS[text][1], code, value, scale)
            for scale, table in (("MEANING", MEANING), ("GRAMMAR", GRAMMAR))
            for text, values in table.items()
            for code, value in values.items()
        ),
        {**control, "scale": "MEANING", "value": 1},
        {**control, "scale": "GRAMMAR", "value": 1},
        {
            "item": "i1",
            "paraphrase": "three",
            "annotator": "b",
            "scale": "MEANING",
            "reason": "not a language I read",
        },
    ]


def hand_campaign(slug="hand", **options):
    """The campaign above, with imported judgments, opened, and the cast as members."""
    campaign = make_campaign(slug, rows=item_rows(), k=3, **options)
    add_judgments(campaign, judgment_rows())
    return campaign


def exclude(target):
    return exclusion_add(target=target, reason="broken", actor=None, free_slots=False)


def by_text(ratings, scale):
    """{text: {annotator: value}} of a table."""
    texts = dict(Substitution.objects.values_list("pk", "text"))
    names = {"one": "t0", "two": "t1", "three": "t2"}
    table = ratings.tables[scale]
    found = {}
    for unit, annotator, value in zip(table.unit, table.annotator, table.value, strict=True):
        text = texts[int(table.unit_label(int(unit)))]
        key = names.get(text, text)
        found.setdefault(key, {})[table.annotator_label(int(annotator))] = float(value)
    return found


def meaning(campaign, **chosen):
    """{text: {annotator: MEANING}} under a choice."""
    choice = Choice.from_json(chosen)
    return by_text(ratings_get(campaign=campaign, choice=choice), "MEANING")


ERRORS = {"one": 0.1, "two": 0.5, "three": 0.9}


def reversed_campaign():
    """MEANING counts errors: "one" has most of them (4.5 on the mean), "three" fewest (1)."""
    campaign = hand_campaign()
    campaign.scales.filter(name="MEANING").update(higher_is_better=False, threshold=3)
    campaign.scales.filter(name="GRAMMAR").update(threshold=None)
    return campaign
