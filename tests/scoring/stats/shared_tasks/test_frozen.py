import csv
import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.stats.evaluation.pairwise import Majority
from scoring.stats.shared_tasks.board import (
    Frozen,
    JudgedTexts,
    freeze,
    gold_file,
    originals_file,
    pairs_file,
    references_file,
    split,
    text_gold_file,
    texts_file,
    training_files,
    tsv,
)
from tests.scoring.stats.shared_tasks.made import make_frozen, make_judged


def test_all_pairs_of_texts_of_one_original_are_there_once():
    frozen = make_frozen()
    one, other = np.triu_indices(60, 1)
    same = frozen.original[one] == frozen.original[other]
    found = np.sort([frozen.a, frozen.b], axis=0).T.tolist()
    assert sorted(found) == np.array([one[same], other[same]]).T.tolist()
    assert len(frozen.pairs) == len(found) == 12 * 10


def test_texts_keep_their_originals_and_gold():
    judged = make_judged()
    frozen = freeze(judged, public_share=0.3, seed=5)
    value = dict(zip(judged.text, judged.value.tolist(), strict=True))
    of = dict(zip(judged.text, judged.original_text, strict=True))
    for at, text in enumerate(frozen.texts):
        assert frozen.gold[at] == value[text]
        assert frozen.original_texts[frozen.original[at]] == of[text]


def test_files_and_split_do_not_depend_on_gold():
    judged = make_judged()
    shuffled = replace(judged, value=judged.value[::-1], given=judged.given[::-1])
    one, other = (freeze(j, public_share=0.3, seed=5) for j in (judged, shuffled))
    for file in (texts_file, pairs_file, originals_file):
        assert file(one) == file(other)
    assert (one.public == other.public).all()
    assert (one.by_sum != other.by_sum).any()


def test_ids_tell_no_order_and_another_seed_gives_others():
    frozen, other = make_frozen(seed=1, originals=40), make_frozen(seed=2, originals=40)
    assert not set(frozen.ids) & set(other.ids)
    assert frozen.ids == sorted(frozen.ids)
    came = np.array([int(text.split()[1]) for text in frozen.texts])
    assert abs(np.corrcoef(came, np.arange(came.size))[0, 1]) < 0.25
    assert 0.4 < np.mean(came[frozen.a] < came[frozen.b]) < 0.6


@given(st.integers(0, 60), st.floats(0, 0.99), st.integers(0, 2**62))
def test_a_split_has_its_share_and_leaves_no_part_empty(n, share, seed):
    public = split(n, share, np.random.default_rng(seed))
    assert public.size == n
    if n > 1 and share > 0:
        assert 1 <= public.sum() <= n - 1
        assert abs(public.sum() - share * n) <= 1


def test_originals_of_one_cluster_stay_together():
    judged = replace(make_judged(), cluster=make_judged().original // 2)
    frozen = freeze(judged, public_share=0.5, seed=9)
    for code in set(frozen.cluster.tolist()):
        assert len(set(frozen.public[frozen.cluster == code].tolist())) == 1


def test_the_majority_are_annotators_with_a_preference():
    # Ann and Ben prefer text 0, Cy strongly text 1: the sums disagree with the majority. Nobody
    # but Ann has judged text 2; text 3 ties with text 0 for its only judge.
    judged = JudgedTexts(
        list("wxyz"),
        np.zeros(4, int),
        ["o"] * 4,
        np.zeros(4, int),
        np.array([0.5, 0.6, 0.9, 0.6]),
        np.array([0, 1, 2, 0, 1, 2, 0, 0]),
        np.array([0, 0, 0, 1, 1, 1, 2, 3]),
        np.array([0.6, 0.6, 0.3, 0.5, 0.5, 0.8, 0.9, 0.6]),
    )
    a, b = np.array([0, 1, 0, 0]), np.array([1, 0, 2, 3])
    majority = Majority(judged.annotator, judged.unit, judged.given, judged.value)
    assert majority(a, b).tolist() == [1, -1, -1, 0]


def test_pairs_of_imported_gold_follow_it():
    none = np.array([], dtype=np.int64)
    judged = replace(make_judged(), annotator=none, unit=none, given=np.array([]))
    frozen = freeze(judged, public_share=0, seed=1)
    assert (frozen.by_majority == frozen.by_sum).all()


def test_the_content_survives_its_file():
    frozen = make_frozen(systems=3)
    again = Frozen.from_bytes(frozen.to_bytes())
    assert again.to_bytes() == frozen.to_bytes()
    assert (again.made == frozen.made).all() and again.texts == frozen.texts


def test_equal_texts_make_no_pair():
    judged = replace(make_judged(originals=2, each=2), text=["same", "same", "one", "two"])
    assert len(freeze(judged, public_share=0, seed=0).pairs) == 1


CELLS = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0\r"))


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1))
def test_any_text_survives(rows):
    data = tsv(("x", "y"), rows).decode()
    read = list(csv.reader(io.StringIO(data, newline=""), delimiter="\t"))
    assert [tuple(row) for row in read[1:]] == list(rows)


def test_files_name_their_columns_and_join():
    frozen = replace(make_frozen(systems=2), references=[["other"]] * 12)
    heads = {
        texts_file: "id\toriginal\ttext",
        pairs_file: "pair\ta\tb",
        originals_file: "original\ttext",
        references_file: "original\treference",
        gold_file: "pair\tsum\tmajority\tpart",
        text_gold_file: "text\tgold\tpart\tsystems",
    }
    lines = {file: file(frozen).decode().splitlines() for file in heads}
    assert {file: found[0] for file, found in lines.items()} == heads
    assert len(lines[references_file]) == 1 + 2 * 12
    ids = {line.split("\t")[0] for line in lines[texts_file][1:]}
    assert {cell for line in lines[pairs_file][1:] for cell in line.split("\t")[1:]} == ids


# The training part: forms of the test's files, and no original of the test.


def test_originals_of_the_test_are_left_out():
    judged = make_judged(originals=6, each=3, systems=2)
    files, out = training_files(judged, held_out=["ORIGINAL  2", "another"], seed=4)
    assert out == 1
    originals = files["originals.tsv"].decode()
    assert "original 2" not in originals and originals.count("original") == 1 + 5
    texts = files["texts.tsv"].decode().splitlines()
    assert texts[0] == "id\toriginal\ttext" and len(texts) == 1 + 5 * 3
    gold = files["gold/pairs.tsv"].decode().splitlines()
    assert gold[0] == "pair\tsum\tmajority\tpart" and len(gold) == 1 + 5 * 3
    assert {line.split("\t")[3] for line in gold[1:]} == {"train"}
    assert files["pairs.tsv"].count(b"\n") == len(gold)
    named = {line.split("\t")[2]: line.split("\t")[0] for line in texts[1:]}
    values = dict(
        line.split("\t")[:2] for line in files["gold/texts.tsv"].decode().splitlines()[1:]
    )
    for at in (0, 9, 17):  # Texts 6, 7 and 8 are of original 2.
        assert float(values[named[f"text {at}"]]) == pytest.approx(judged.value[at])


def test_nothing_is_left_of_the_same_originals():
    judged = make_judged(originals=2)
    assert training_files(judged, held_out=judged.original_text, seed=1) == ({}, 2)
