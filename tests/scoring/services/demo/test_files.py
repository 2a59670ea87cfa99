"""The demo's files for metrics: readable, about the demo's own texts, and up to date."""

import pytest

from scoring.demo import (
    RESOURCES,
    UNKNOWN,
    demo_rows,
    demo_texts,
    model_text,
    nbest_lists,
    page_counts,
    parallel_texts,
    vectors_text,
    whole,
)
from scoring.metrics.resources.kinds import convert
from scoring.metrics.texts.tokenizers import words


@pytest.mark.parametrize("kind", ["synonyms", "counts", "nbest"])
def test_each_file_is_read_whole(kind, tmp_path):
    made = {"counts": page_counts, "nbest": nbest_lists}
    path = RESOURCES / f"{kind}.tsv"
    if kind in made:
        path = tmp_path / "made"
        path.write_text(made[kind](demo_rows()), "utf-8")
    folder = tmp_path / "store"
    folder.mkdir()
    meta = convert(kind, path, folder, progress=lambda share: None)
    assert meta.pop("skipped", 0) == 0 and all(meta.values())


def test_texts_to_train_on_have_every_word_and_every_pair():
    rows = demo_rows()
    spoken = {word for text in demo_texts(rows) for word in words(text.lower())}
    assert set(vectors_text(rows).split()) == spoken
    one, other = (text.splitlines() for text in parallel_texts(rows))
    assert len(one) == len(other)
    pairs = set(zip(one, other, strict=True))
    assert pairs == {(b, a) for a, b in pairs} and all(a != b for a, b in pairs)


def test_a_list_has_what_the_known_systems_say_and_prefers_what_is_said_often():
    rows = demo_rows()
    lines = [line.split("\t") for line in nbest_lists(rows).splitlines()]
    listed = {(original, realisation) for original, realisation, _score in lines}
    for row in rows:
        if row["paraphrase"] and row["system"] != UNKNOWN:
            assert (row["sentence"], whole(row, row["paraphrase"])) in listed
    assert all(float(score) < 0 for *_, score in lines)


def test_the_text_of_the_model_has_each_sentence_and_reference_once():
    rows = demo_rows()[:6]
    lines = model_text(rows).splitlines()
    names = ("sentence", "reference", "reference_2")
    given = {row[name] for row in rows for name in names if row.get(name)}
    assert len(lines) == len(set(lines)) == len(given)
    assert all(line == line.lower() and line.endswith((" .", " ?", " !")) for line in lines)
