"""ParaEval: the paper's examples and tiers, and properties beside a slow form.

"ParaEval paper" is Zhou, Lin, Munteanu and Hovy (2006), "ParaEval: Using Paraphrases to Evaluate
Summaries Automatically".
"""

import json
import time
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics import Pair, create
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.table import convert

WORDS = st.lists(st.sampled_from("abcde"), min_size=1, max_size=9)
PHRASES = st.lists(st.sampled_from("abcde"), min_size=1, max_size=3).map(" ".join)
TABLES = st.lists(st.tuples(PHRASES, PHRASES).filter(lambda pair: pair[0] != pair[1]), min_size=1)


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


@pytest.mark.parametrize(
    ("variant", "covered"), [("3", 8), ("2", 6), ("para_only", 6)]
)  # Section 6.2: ParaEval-3, ParaEval-2 (no synonyms), ParaEval-para_only (no identical words).
def test_variants(paraeval, variant, covered):
    score = paraeval(SANCTIONS, REFERENCE, PEER, variant=variant)
    assert score.value == covered / 10


def test_without_paraphrases_it_is_the_recall_of_words(paraeval):
    # ParaEval paper, section 5.1: then the score is that of ROUGE-1.
    score = paraeval([("x", "y")], "the cat and the dog and the cow", "the dog the cat")
    assert score.value == 4 / 8


def test_a_pair_counts_in_both_directions(paraeval):
    table = [("in the end", "at last")]
    assert paraeval(table, "at last", "in the end").value == 1
    assert paraeval(table, "in the end", "at last").value == 1


def test_recall_is_not_symmetric(paraeval):
    table = [("x y", "z")]
    assert paraeval(table, "x y a b", "z").value == 2 / 4
    assert paraeval(table, "z", "x y a b").value == 1


def test_a_phrase_is_no_paraphrase_of_itself(paraeval):
    # Same words are for the third tier, so para_only does not see them.
    table = [("the cat", "the cat"), ("the cat", "a pet")]
    assert paraeval(table, "the cat", "the cat sat", variant="para_only").value == 0
    assert paraeval(table, "the cat", "a pet sat", variant="para_only").value == 1


def test_a_copy_has_1_even_where_its_phrases_say_the_same(paraeval):
    table = [("a b", "b c")]
    assert paraeval(table, "a b c", "A b, c!").value == 1
    # Without that rule, paraphrases within a text take each other's words.
    assert paraeval(table, "a b c", "a b c d").value == 2 / 3


def test_rare_pairs_can_be_left_out(paraeval):
    table = [("sat", "lay", 0.2), ("cat", "pet", 0.5)]
    assert paraeval(table, "cat sat", "pet lay").value == 1
    assert paraeval(table, "cat sat", "pet lay", min_probability=0.5).value == 1 / 2
    with pytest.raises(ValueError, match="has no probabilities; leave min_probability out"):
        paraeval([("sat", "lay")], "cat sat", "pet lay", min_probability=0.5)


def test_references(write):
    table = write([("sat", "lay")])
    pair = Pair("nothing at all", "the cat lay", ("the cat sat", "a cat sat down"))
    assert create("paraeval", {"table": table}).score(pair).value == 1
    mean = create("paraeval", {"table": table, "references": "mean"})
    assert mean.score(pair).value == (1 + 2 / 4) / 2
    original = create("paraeval", {"table": table, "against": "original"})
    assert original.score(pair).value == 0


def test_case_and_marks(paraeval):
    table = [("do n't go", "stay here")]
    assert paraeval(table, "Don't GO!", "Stay, here").value == 1
    # As 13a cuts, marks are words of their own; a phrase passes over those inside it.
    cut = {"tokenize": "13a", "lowercase": "no"}
    assert paraeval(table, "Don't GO !", "Stay , here .", **cut).value == 2 / 3
    assert paraeval(table, "Stay , here .", "Don't go", **cut).value == 3 / 4
    assert paraeval(table, "Cat .", "cat .", **cut).value == 1 / 2


@given(TABLES, WORDS, WORDS)
def test_against_a_slow_form(write, table, reference, paraphrase):
    metric = create("paraeval", {"table": write(table, "random.tsv")})
    score = metric.score(Pair(" ".join(reference), " ".join(paraphrase)))
    says = {pair for one, other in table for pair in ((one, other), (other, one))}
    tiers = {tier: score.detail.get(f"tier_{tier}", ()) for tier in "123"}
    if reference == paraphrase:
        assert score.value == 1
        return
    for tier, matches in tiers.items():
        for match in matches:
            check_match(tier, match, says, reference, paraphrase)
    places = [spans(match) for matches in tiers.values() for match in matches]
    mine = Counter(at for words, _ in places for at in words)
    theirs = Counter(at for _, words in places for at in words)
    assert set(mine.values()) | set(theirs.values()) <= {1}  # No word twice on either side.
    assert score.value == len(mine) / len(reference)
    # Tier 1 is the best of all choices; tier 2 leaves nothing; tier 3 is a clipped count.
    places = [
        (i, j, k, m)
        for i in range(len(reference)) for j in range(i + 1, len(reference) + 1)
        for k in range(len(paraphrase)) for m in range(k + 1, len(paraphrase) + 1)
        if (" ".join(reference[i:j]), " ".join(paraphrase[k:m])) in says
    ]  # fmt: skip
    long = [place for place in places if place[1] - place[0] > 1 and place[3] - place[2] > 1]
    assert sum(len(spans(one)[0]) for one in tiers["1"]) == slow_best(long)
    used, theirs_used = after(tiers["1"], tiers["2"])
    assert not [
        place for place in places if place not in long
        and not used & set(range(*place[:2])) and not theirs_used & set(range(*place[2:]))
    ]  # fmt: skip
    left = Counter(word for at, word in enumerate(reference) if at not in used)
    peers = Counter(word for at, word in enumerate(paraphrase) if at not in theirs_used)
    assert len(tiers["3"]) == (left & peers).total()


def spans(match):
    return range(*match["reference_span"]), range(*match["paraphrase_span"])


def after(*tiers):
    """The words of either text that the tiers have taken."""
    places = [spans(match) for tier in tiers for match in tier]
    return {at for mine, _ in places for at in mine}, {at for _, theirs in places for at in theirs}


def check_match(tier, match, says, reference, paraphrase):
    mine, theirs = spans(match)
    pair = match["reference"], match["paraphrase"]
    assert pair == (
        " ".join(reference[at] for at in mine), " ".join(paraphrase[at] for at in theirs),
    )  # fmt: skip
    several = len(mine) > 1 and len(theirs) > 1
    if tier == "3":
        assert pair[0] == pair[1] and len(mine) == 1
    else:
        assert pair in says and several == (tier == "1")


def slow_best(places):
    """The most words that places without a common word cover, by trying each with and without."""
    if not places:
        return 0
    (i, j, k, m), rest = places[0], places[1:]
    free = [one for one in rest if (one[1] <= i or one[0] >= j) and (one[3] <= k or one[2] >= m)]
    return max(slow_best(rest), j - i + slow_best(free))


@given(st.text(), st.text())
def test_lies_between_0_and_1_or_says_why_not(write, reference, paraphrase):
    metric = create("paraeval", {"table": write(SANCTIONS, "sanctions.tsv")})
    score = metric.score(Pair(reference, paraphrase))
    assert bool(score.reason) if score.value is None else 0 <= score.value <= 1


@pytest.mark.parametrize(
    ("reference", "paraphrase", "reason"),
    [
        ("", "a", "The text compared with has no words."),
        ("a", " \n", "The paraphrase has no words."),
        ("a", "🙂 !", "The paraphrase has no words."),
        ("a", "b" * 10_001, "The paraphrase has 10,001 characters: paraeval compares at most"),
    ],
)
def test_nothing_to_compare_is_undefined(paraeval, reference, paraphrase, reason):
    score = paraeval(SANCTIONS, reference, paraphrase)
    assert score.value is None
    assert score.reason.startswith(reason)


def test_texts_of_any_script(paraeval):
    table = [("자동차", "차"), ("مرحبا بك", "أهلا وسهلا")]
    assert paraeval(table, "빨간 자동차", "빨간 차").value == 1
    assert paraeval(table, "مرحبا بك", "أهلا وسهلا").value == 1
    assert paraeval(table, "a \ud800 b", "a \ud800 c").value == 1 / 2


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


def test_a_table_is_needed_and_signed_by_content(write, tmp_path):
    with pytest.raises(ValueError, match="paraeval: the option table=FILE is missing"):
        create("paraeval")
    with pytest.raises(FileRefused, match="there is no such file"):
        create("paraeval", {"table": str(tmp_path / "none.tsv")})
    path = write(SANCTIONS, "signed.tsv")
    convert(tmp_path.joinpath(path), tmp_path / "store", progress=lambda share: None)
    plain, stored = (create("paraeval", {"table": one}) for one in (path, str(tmp_path / "store")))
    assert plain.signature() == stored.signature()
    assert "|scipy=" in str(plain.signature())  # It chooses where the exact search gives up.
    assert plain.score(Pair(REFERENCE, PEER)) == stored.score(Pair(REFERENCE, PEER))
    other = create("paraeval", {"table": write([("a", "b")], "other.tsv")})
    assert other.signature() != plain.signature()


def test_many_pairs_score_as_each_alone(write):
    metric = create("paraeval", {"table": write(SANCTIONS)})
    pairs = [Pair(REFERENCE, PEER), Pair(REFERENCE, "the bombing"), Pair(PEER, REFERENCE)]
    assert metric.score_many(pairs) == [metric.score(pair) for pair in pairs]
