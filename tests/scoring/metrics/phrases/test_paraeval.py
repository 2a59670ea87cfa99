"""ParaEval: the paper's examples and tiers, and properties beside a slow form.

"ParaEval paper" is Zhou, Lin, Munteanu and Hovy (2006), "ParaEval: Using Paraphrases to Evaluate
Summaries Automatically".
"""

import json
import time

import pytest

from scoring.metrics import Pair, create
from scoring.metrics.resources.table import convert


@pytest.fixture(scope="module")
def write(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")

    def call(pairs, name="table.tsv"):
        path = folder / name
        path.write_text("".join("\t".join(map(str, pair)) + "\n" for pair in pairs), "utf-8")
        return str(path)

    return call


@pytest.fixture
def paraeval(write):
    def call(pairs, reference, paraphrase, **options):
        metric = create("paraeval", {"table": write(pairs), **options})
        return metric.score(Pair(reference, paraphrase))

    return call


def taken(score, tier):
    return [(one["reference"], one["paraphrase"]) for one in score.detail.get(f"tier_{tier}", ())]


def test_the_local_choice_is_taken_back(paraeval):
    # ParaEval paper, figure 4 and the text beside it: r2 contains r1; p1 says r2 and the longer
    # r3, p2 says r1. Stage by stage p1 = r2 is taken and nothing is left for r3; the best choice
    # is p1 = r3 and p2 = r1. Figure 5: 12 words of the reference are matched.
    r1, r2, r3 = "a1 a2 a3 a4 a5", "a1 a2 a3 a4 a5 a6", "b1 b2 b3 b4 b5 b6 b7"
    p1, p2 = "p q r", "s t u"
    table = [(r2, p1), (r3, p1), (r1, p2)]
    score = paraeval(table, f"{r2} . {r3} .", f"{p1} and {p2}")
    assert taken(score, 1) == [(r1, p2), (r3, p1)]
    assert score.value == 12 / 13
    assert (score.detail["matched"], score.detail["words"]) == (12, 13)
    assert (score.detail["solver"], score.detail["optimal"]) == ("dp", True)


SANCTIONS = [
    ("imposed sanctions on libya", "voted sanctions against libya"),
    ("bombing", "blowing up"),
    ("crime", "deed"),
]
REFERENCE = "They imposed sanctions on Libya after the bombing, a crime."
PEER = "The council voted sanctions against Libya for the blowing up, a deed."


def test_the_tiers_one_after_another(paraeval):
    # ParaEval paper, sections 5.2 to 5.4, with the phrases of figures 2 and 3.
    # 10 words: 4 in tier 1, 2 in tier 2 (bombing, crime), 2 in tier 3 (the, a).
    score = paraeval(SANCTIONS, REFERENCE, PEER)
    assert taken(score, 1) == [("imposed sanctions on libya", "voted sanctions against libya")]
    assert taken(score, 2) == [("bombing", "blowing up"), ("crime", "deed")]
    assert taken(score, 3) == [("the", "the"), ("a", "a")]
    assert score.value == 8 / 10
    assert score.detail["tier_2"][0]["reference_span"] == [7, 8]
    assert score.detail["tier_2"][0]["paraphrase_span"] == [8, 10]
    json.dumps(score.detail)


THIRTEEN_A = {"tokenize": "13a", "lowercase": "no"}
PET = [("the cat", "the cat"), ("the cat", "a pet")]
RARE = [("sat", "lay", 0.2), ("cat", "pet", 0.5)]
OTHER_SCRIPTS = [("자동차", "차"), ("مرحبا بك", "أهلا وسهلا")]


@pytest.mark.parametrize(
    ("table", "reference", "paraphrase", "options", "value"),
    [
        # ParaEval paper, section 6.2: ParaEval-3, ParaEval-2 (no synonyms), ParaEval-para_only (no
        # identical words).
        (SANCTIONS, REFERENCE, PEER, {"variant": "3"}, 8 / 10),
        (SANCTIONS, REFERENCE, PEER, {"variant": "2"}, 6 / 10),
        (SANCTIONS, REFERENCE, PEER, {"variant": "para_only"}, 6 / 10),
        # Section 5.1: without paraphrases the score is that of ROUGE-1.
        ([("x", "y")], "the cat and the dog and the cow", "the dog the cat", {}, 4 / 8),
        # A pair counts in both directions.
        ([("in the end", "at last")], "at last", "in the end", {}, 1),
        ([("in the end", "at last")], "in the end", "at last", {}, 1),
        # Recall is not symmetric.
        ([("x y", "z")], "x y a b", "z", {}, 2 / 4),
        ([("x y", "z")], "z", "x y a b", {}, 1),
        # A phrase is no paraphrase of itself: same words are for the third tier.
        (PET, "the cat", "the cat sat", {"variant": "para_only"}, 0),
        (PET, "the cat", "a pet sat", {"variant": "para_only"}, 1),
        # A copy has 1 even where its phrases say the same; without that rule, paraphrases within a
        # text take each other's words.
        ([("a b", "b c")], "a b c", "A b, c!", {}, 1),
        ([("a b", "b c")], "a b c", "a b c d", {}, 2 / 3),
        # Rare pairs can be left out.
        (RARE, "cat sat", "pet lay", {}, 1),
        (RARE, "cat sat", "pet lay", {"min_probability": 0.5}, 1 / 2),
        # Case and marks.
        ([("do n't go", "stay here")], "Don't GO!", "Stay, here", {}, 1),
        # As 13a cuts, marks are words of their own; a phrase passes over those inside it.
        ([("do n't go", "stay here")], "Don't GO !", "Stay , here .", THIRTEEN_A, 2 / 3),
        ([("do n't go", "stay here")], "Stay , here .", "Don't go", THIRTEEN_A, 3 / 4),
        ([("do n't go", "stay here")], "Cat .", "cat .", THIRTEEN_A, 1 / 2),
        (OTHER_SCRIPTS, "빨간 자동차", "빨간 차", {}, 1),
        (OTHER_SCRIPTS, "مرحبا بك", "أهلا وسهلا", {}, 1),
        (OTHER_SCRIPTS, "a \ud800 b", "a \ud800 c", {}, 1 / 2),
    ],
)
def test_worked_by_hand(paraeval, table, reference, paraphrase, options, value):
    assert paraeval(table, reference, paraphrase, **options).value == value


def test_what_cannot_be_compared_is_refused(paraeval):
    assert "The paraphrase has 10,001 characters" in paraeval(SANCTIONS, "a", "b" * 10_001).reason
    with pytest.raises(ValueError, match="has no probabilities; leave min_probability out"):
        paraeval([("sat", "lay")], "cat sat", "pet lay", min_probability=0.5)


def test_a_store_scores_as_its_file(write, tmp_path):
    path = write(SANCTIONS, "signed.tsv")
    convert(tmp_path.joinpath(path), tmp_path / "store", progress=print)
    plain, stored = (create("paraeval", {"table": one}) for one in (path, str(tmp_path / "store")))
    assert plain.signature() == stored.signature()
    assert "|scipy=" in str(plain.signature())  # It chooses where the exact search gives up.
    pairs = [Pair(REFERENCE, PEER), Pair(REFERENCE, "the bombing"), Pair(PEER, REFERENCE)]
    assert stored.score_many(pairs) == [plain.score(pair) for pair in pairs]


def test_references(write):
    table = write([("sat", "lay")])
    pair = Pair("nothing at all", "the cat lay", ("the cat sat", "a cat sat down"))
    for options, value in (
        ({}, 1),
        ({"references": "mean"}, (1 + 2 / 4) / 2),
        ({"against": "original"}, 0),
    ):
        assert create("paraeval", {"table": table, **options}).score(pair).value == value


def test_thousands_of_places_end_in_time_and_prove_nothing(paraeval):
    began = time.process_time()
    score = paraeval([("a", "b"), ("a a", "b b b")], "a " * 4000, "b " * 4000)
    assert time.process_time() - began < 10
    assert score.detail["optimal"] is False
    assert 0.5 < score.value <= 1


def test_the_search_can_be_cut_short(paraeval):
    # Greedy takes the three words in the middle, and leaves nothing for the others.
    table = [("b c d", "p q"), ("a b", "r s"), ("d e", "t u")]
    texts = "a b c d e", "p q r s t u"
    exact = paraeval(table, *texts)
    cut = paraeval(table, *texts, state_cap=1, time_limit=10)
    assert (exact.detail["solver"], cut.detail["solver"]) == ("dp", "milp")
    assert exact.value == cut.value == 4 / 5
