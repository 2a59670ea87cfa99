"""N-best lists, and a model's scores beside a metric, by hand after White (2012), section 3.

"White paper" is "Shared Task Proposal: Syntactic Paraphrase Ranking".
"""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics import Pair, create
from scoring.metrics.files import FileRefused
from scoring.metrics.nbest import convert, load_nbest, nbest_sha256

# Scores of all lists go from -12 to -2: scaled, -4 is .8, -7 is .5.
ROWS = [
    ("the cat sat on the mat", "on the mat the cat sat", -4),
    ("the cat sat on the mat", "on the mat sat the cat", -7),
    ("a dog ran", "ran a dog", -12),
    ("a dog ran", "a dog was running", -2),
]
ORIGINAL = ROWS[0][0]


def as_tabs(rows):
    return "".join(f"{original}\t{text}\t{score}\n" for original, text, score in rows)


@pytest.fixture(scope="module")
def write(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nbest")

    def call(content, name="nbest.tsv"):
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return call


@pytest.fixture(scope="module")
def lists(write):
    return str(write(as_tabs(ROWS), "lists.tsv"))


@pytest.fixture
def score(lists):
    def call(name, paraphrase, original=ORIGINAL, references=(), **options):
        metric = create(name, {"nbest": lists, **options})
        return metric.score(Pair(original, paraphrase, references))

    return call


def rouge(original, paraphrase):
    return create("rouge_1").score(Pair(original, paraphrase)).value


def test_a_model_score_is_scaled_over_all_lists_and_added(score):
    # White paper: "linearly interpolating using the min and max scores across all 20-best lists".
    text = "On the mat, the cat sat."
    found = score("model_metric", text, metric="rouge_1")
    assert found.value == pytest.approx(0.8 + 1)
    assert found.detail == {
        "realisation": "on the mat the cat sat", "model": pytest.approx(0.8), "metric": 1,
    }  # fmt: skip
    assert score("model_metric", "ran a dog", "a dog ran", metric="rouge_1").value == 0 + 1
    found = score("model_metric", "a dog was running", "a dog ran", metric="rouge_1")
    assert found.value == pytest.approx(1 + rouge("a dog ran", "a dog was running"))


def test_only_exact_realisations_have_a_model_score(score):
    found = score("model_metric", "on the mat the cat lay")
    assert found.reason.startswith("The paraphrase is not among the n-best realisations")
    # A realisation of another original does not count either.
    assert score("model_metric", "ran a dog").value is None


@pytest.mark.parametrize("metric", ["bleu", "rouge_1"])
def test_approximated_hter_by_hand(score, metric):
    # One of six words differs from "on the mat the cat sat", two words from the other list.
    text = "on the mat the cat lay"
    found = score("approx_hter", text, metric=metric)
    plain = create(metric).score(Pair(ORIGINAL, text)).value
    plain = plain / 100 if metric == "bleu" else plain
    assert found.value == pytest.approx(0.8 - 1 / 6 + plain)
    assert found.detail["edit_rate"] == pytest.approx(1 / 6)
    assert found.detail["alone"] is False


def test_the_nearest_realisation_counts_not_the_best_one(score):
    found = score("approx_hter", "on the mat sat the dog", metric="rouge_1")
    assert found.detail["realisation"] == "on the mat sat the cat"
    assert found.value == pytest.approx(0.5 - 1 / 6 + rouge(ORIGINAL, "on the mat sat the dog"))


def test_of_equally_near_ones_the_one_with_the_better_score(write):
    lists = write(as_tabs([("x", "a b c", 1), ("x", "a b d", 3), ("x", "e f g", 5)]), "ties.tsv")
    metric = create("approx_hter", {"nbest": str(lists), "metric": "rouge_1"})
    assert metric.score(Pair("x", "a b z")).value == pytest.approx(0.5 - 1 / 3)


def test_the_edit_rate_is_divided_by_the_words_of_the_realisation(write):
    lists = write(as_tabs([("x", "a b c d", 1), ("x", "p q r s t", 2)]), "lengths.tsv")
    metric = create("approx_hter", {"nbest": str(lists), "metric": "rouge_1"})
    # Two words put into four: 2 / 4, not 2 / 6.
    assert metric.score(Pair("x", "a b c d e f")).detail["edit_rate"] == 0.5


def test_far_from_all_realisations_the_metric_stands_alone(score):
    # White paper: "the metric score was used alone in cases where the edit rate exceeded 0.5".
    half = score("approx_hter", "on the mat dogs run there", metric="rouge_1")
    assert half.value == pytest.approx(0.8 - 0.5 + half.detail["metric"])
    text = "on the floor dogs run there"
    far = score("approx_hter", text, metric="rouge_1")
    assert far.detail["edit_rate"] == pytest.approx(4 / 6)
    assert far.value == rouge(ORIGINAL, text)
    near = score("approx_hter", text, metric="rouge_1", max_edit_rate=0.7)
    assert near.value == pytest.approx(0.8 - 4 / 6 + rouge(ORIGINAL, text))


def test_ter_is_turned_round(score):
    # One of six words of the reference is another: TER is 1 / 6. White paper, footnote 1.
    reference = ("on the mat the dog sat",)
    found = score("model_metric", "on the mat the cat sat", references=reference, metric="ter")
    assert found.value == pytest.approx(0.8 + 1 - 1 / 6)


def test_references_are_the_metrics_and_the_list_is_the_originals(score):
    text = "on the mat the cat sat"
    references = ("on the mat dogs ran about", "on the mat the cat slept")
    found = score("model_metric", text, references=references, metric="rouge_1")
    best = create("rouge_1").score(Pair(ORIGINAL, text, references)).value
    assert found.value == pytest.approx(0.8 + best)
    original = score(
        "model_metric", text, references=references, metric="rouge_1", against="original"
    )
    assert original.value == pytest.approx(0.8 + 1)
    assert score("model_metric", text, metric="rouge_1", against="references").value is None


@pytest.mark.parametrize("name", ["model_metric", "approx_hter"])
@pytest.mark.parametrize(
    ("original", "text", "reason"),
    [
        ("a bird sang", "a bird was singing", "There is no n-best list of this original."),
        (ORIGINAL, " ", "The paraphrase has no words."),
        (ORIGINAL, "x" * 20_001, "The paraphrase has 20,001 characters"),
    ],
)
def test_without_a_list_or_words_there_is_no_score(score, name, original, text, reason):
    found = score(name, text, original)
    assert found.value is None
    assert found.reason.startswith(reason)


@given(st.text(), st.sampled_from(["bleu", "rouge_l"]))
def test_lies_within_its_range_or_says_why_not(lists, text, metric):
    for name in ("model_metric", "approx_hter"):
        found = create(name, {"nbest": lists, "metric": metric}).score(Pair(ORIGINAL, text))
        assert bool(found.reason) if found.value is None else -0.5 <= found.value <= 2


WORDS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=7)


@given(WORDS, st.lists(WORDS, min_size=2, max_size=4, unique_by=tuple))
def test_edit_rates_beside_a_plain_table_of_distances(write, text, others):
    rows = [("x", " ".join(words), at) for at, words in enumerate(others)]
    lists = str(write(as_tabs(rows), "random.tsv"))
    metric = create("approx_hter", {"nbest": lists, "metric": "rouge_1", "max_edit_rate": 1})
    found = metric.score(Pair("x", " ".join(text)))
    assert found.detail["edit_rate"] == min(slow_edits(o, text) / len(o) for o in others)


def slow_edits(one, other):
    if not one or not other:
        return len(one) + len(other)
    row = list(range(len(other) + 1))
    for at, word in enumerate(one, 1):
        last, row = row, [at]
        for place, peer in enumerate(other, 1):
            row.append(min(last[place] + 1, row[-1] + 1, last[place - 1] + (word != peer)))
    return row[-1]


def test_lists_are_needed_and_signed_with_the_metric(write, lists, tmp_path):
    with pytest.raises(ValueError, match="approx_hter: the option nbest=FILE is missing"):
        create("approx_hter")
    with pytest.raises(ValueError, match="metric=paraeval is not allowed"):
        create("approx_hter", {"nbest": lists, "metric": "paraeval"})
    convert(tmp_path.joinpath(lists), tmp_path / "store", progress=lambda share: None)
    texts = [
        str(create("approx_hter", {"nbest": path, "metric": metric}).signature())
        for path in (lists, str(tmp_path / "store"))
        for metric in ("bleu", "rouge_1")
    ]
    assert texts[:2] == texts[2:]
    assert texts[0] != texts[1]
    assert "sacrebleu" in texts[0]


@pytest.mark.parametrize(
    "content",
    [
        as_tabs(ROWS),
        "original\trealisation\tscore\n" + as_tabs(ROWS),
        "\ufeff" + as_tabs(ROWS).replace("\n", "\r\n\r\n"),
        as_tabs(ROWS) + f"{ORIGINAL}\ton  the mat sat the cat\t-9\n",  # The greater score stays.
        "".join(
            json.dumps(dict(zip(("original", "realisation", "score"), row, strict=True))) + "\n"
            for row in ROWS
        ),
    ],
)
def test_forms_of_lists(write, content):
    found = load_nbest(str(write(content)))
    # White space of the original does not count, case does.
    assert found.of(f" {ORIGINAL}\n".replace("sat", "sat ")) == [
        ("on the mat the cat sat", pytest.approx(0.8)),
        ("on the mat sat the cat", pytest.approx(0.5)),
    ]
    assert found.of("A dog ran") == []


def test_the_greatest_numbers_have_a_scale(write):
    found = load_nbest(str(write("x\ta\t1.7e308\nx\tb\t-1.7e308\nx\tc\t0\n")))
    assert [score for _, score in found.of("x")] == [1, 0.5, 0]


def test_half_a_character_is_kept(write):
    rows = [("x", "a \ud800", 1), ("\ud800", "b", 2)]
    keys = ("original", "realisation", "score")
    content = "".join(json.dumps(dict(zip(keys, row, strict=True))) + "\n" for row in rows)
    found = load_nbest(str(write(content)))
    assert found.of("x") == [("a \ud800", 0)]
    assert found.of("\ud800") == [("b", 1)]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("x\ta\t1\nx\tb\n", 2, "has 2 cells where 3 go"),
        ("x\ta\t1\nx\t\t2\n", 2, "has an empty cell"),
        ("x\ta\t1\nx\tb\tgood\n", 2, "good is no model score"),
        ("x\ta\tnan\n", 1, "nan is no model score"),
        ("x\ta\t-inf\n", 1, "-inf is no model score"),
        ("x\ta\t1\nx\tb\t1\n", 0, "no two scores that differ"),
        ("", 0, "no two scores that differ"),
        (b"x\ta\t1\nx\t\xff\t2\n", 2, "is not UTF-8"),
        ('{"original": "x"}\n', 1, "needs original, realisation, score"),
        ('{"original": "x", "realisation": "a", "score": true}\n', 1, "needs original"),
        ('{"original": "x", "realisation": " ", "score": 1}\n', 1, "needs original"),
        ('{"original": "x", "realisation": 5, "score": 1}\n', 1, "needs original"),
        ('{"original": "x", "realisation": "a", "score": 1' + "0" * 400 + "}\n", 1, "needs"),
        ('{}\n[1]\n{"original"\n', 3, "is no JSON"),
        ("{}\n" + "[" * 100_000 + "\n", 2, "is no JSON"),
        ("x\ta\t" + "1" * 1_000_001, 1, "break the line"),
    ],
)
def test_what_is_refused_names_the_line(write, content, line, message):
    path = write(content)
    with pytest.raises(FileRefused, match=message) as refusal:
        load_nbest(str(path))
    assert refusal.value.lines[-1].startswith(f"{path}:{line}: ")


@pytest.fixture
def store(lists, tmp_path):
    told = []
    counts = convert(tmp_path.joinpath(lists), tmp_path / "store", progress=told.append)
    assert counts == {"items": 2, "realisations": 4}
    assert told == sorted(told) and told[-1] == 1
    return tmp_path / "store"


def test_a_store_holds_the_same_and_is_mapped(lists, store):
    plain, found = load_nbest(lists), load_nbest(str(store))
    for original in (ORIGINAL, "a dog ran", "none"):
        assert found.of(original) == plain.of(original)
    assert nbest_sha256(str(store)) == nbest_sha256(lists)
    assert isinstance(found.text.base, np.memmap)
    assert math.isclose(float(found.scores.max()), 1)


@pytest.mark.parametrize(
    ("name", "content"),
    [("about.json", b"[]"), ("about.json", b"{"), ("scores.npy", b"x"), ("text.npy", b"")],
)
def test_a_damaged_store_is_refused(store, name, content):
    (store / name).write_bytes(content)
    with pytest.raises(FileRefused, match="anew"):
        load_nbest(str(store))


@pytest.mark.parametrize("name", ["scores", "offsets", "starts", "text", "originals-starts"])
def test_a_store_whose_files_do_not_belong_together_is_refused(store, name):
    path = store / f"{name}.npy"
    np.save(path, np.load(path)[:-1])
    with pytest.raises(FileRefused, match="do not belong together"):
        load_nbest(str(store))


def test_the_example_in_the_documentation_is_read(write):
    text = Path("docs/formats.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```tsv nbest\n(.*?)```", text, re.DOTALL)
    assert [score for _, score in load_nbest(str(write(block))).of(ORIGINAL)] == [1, 0]
