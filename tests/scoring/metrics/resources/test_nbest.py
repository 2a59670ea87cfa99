"""N-best lists: for an original, realisations with the score that a model gave each."""

import json
import math

import numpy as np
import pytest

from scoring.metrics.combination.model_scores import load_nbest
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.translations import convert, load_translations
from tests.scoring.metrics.nbest_lists import ORIGINAL, ROWS, as_tabs


def as_json(rows):
    keys = ("original", "realisation", "score")
    return "".join(json.dumps(dict(zip(keys, row, strict=True))) + "\n" for row in rows)


@pytest.mark.parametrize(
    "content",
    [
        as_tabs(ROWS),
        "original\trealisation\tscore\n" + as_tabs(ROWS),
        "\ufeff" + as_tabs(ROWS).replace("\n", "\r\n\r\n"),
        as_tabs(ROWS) + f"{ORIGINAL}\ton  the mat sat the cat\t-9\n",  # The greater score stays.
        as_json(ROWS),
    ],
)
def test_forms_of_lists(write_nbest, content):
    found = load_nbest(str(write_nbest(content)))
    # White space of the original does not count, case does.
    assert found.of(f" {ORIGINAL}\n".replace("sat", "sat ")) == [
        ("on the mat the cat sat", pytest.approx(0.8)),
        ("on the mat sat the cat", pytest.approx(0.5)),
    ]
    assert found.of("A dog ran") == []


def test_the_greatest_numbers_have_a_scale(write_nbest):
    found = load_nbest(str(write_nbest("x\ta\t1.7e308\nx\tb\t-1.7e308\nx\tc\t0\n")))
    assert [by_nbest for _, by_nbest in found.of("x")] == [1, 0.5, 0]


def test_half_a_character_is_kept(write_nbest):
    rows = [("x", "a \ud800", 1), ("\ud800", "b", 2)]
    found = load_nbest(str(write_nbest(as_json(rows))))
    assert found.of("x") == [("a \ud800", 0)]
    assert found.of("\ud800") == [("b", 1)]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("x\ta\t1\nx\tb\n", 2, "has 2 cells instead of 3; separate them with tabs"),
        ("x\ta\t1\nx\t\t2\n", 2, "has an empty cell"),
        ("x\ta\t1\nx\tb\tgood\n", 2, "good is not a model score; use a finite number"),
        ("x\ta\tnan\n", 1, "nan is not a model score; use a finite number"),
        ("x\ta\t-inf\n", 1, "-inf is not a model score; use a finite number"),
        ("x\ta\t1\nx\tb\t1\n", 0, "has only equal scores, so they cannot be scaled"),
        ("", 0, "has only equal scores, so they cannot be scaled"),
        (b"x\ta\t1\nx\t\xff\t2\n", 2, "is not UTF-8"),
        ('{"original": "x"}\n', 1, "needs original, realisation, score"),
        ('{"original": "x", "realisation": "a", "score": true}\n', 1, "needs original"),
        ('{"original": "x", "realisation": " ", "score": 1}\n', 1, "needs original"),
        ('{"original": "x", "realisation": 5, "score": 1}\n', 1, "needs original"),
        ('{"original": "x", "realisation": "a", "score": 1' + "0" * 400 + "}\n", 1, "needs"),
        ('{}\n[1]\n{"original"\n', 3, "is not JSON; write one object per line"),
        ("{}\n" + "[" * 100_000 + "\n", 2, "is not JSON; write one object per line"),
        ("x\ta\t" + "1" * 1_000_001, 1, "break the line"),
    ],
)
def test_what_is_refused_names_the_line(write_nbest, content, line, message):
    path = write_nbest(content)
    with pytest.raises(FileRefused, match=message) as refusal:
        load_nbest(str(path))
    assert refusal.value.lines[-1].startswith(f"{path}:{line}: ")


def test_a_store_holds_the_same_and_is_mapped(nbest_file, nbest_store):
    plain, found = load_nbest(nbest_file), load_nbest(str(nbest_store))
    for original in (ORIGINAL, "a dog ran", "none"):
        assert found.of(original) == plain.of(original)
    assert isinstance(found.text.base, np.memmap)
    assert math.isclose(float(found.scores.max()), 1)


# Reading phrase tables as translations, and their stores.


QUIET = lambda share: None  # noqa: E731


def test_the_most_probable_first_and_variants_are_one(tmp_path):
    path = tmp_path / "phrases.txt"
    path.write_text(
        "b ||| Dog ||| 0.2 1 1\na ||| Dog ||| 0.8 1 1\nb ||| dog ||| 0.5 1 1\nc ||| ! ||| 1 1 1\n"
    )
    counts = convert(path, tmp_path / "store", progress=QUIET)
    assert counts == {"phrases": 1, "foreign": 2, "pairs": 2, "skipped": 1}
    for place in (path, tmp_path / "store"):
        # Dog and dog are one phrase, each with half of the weight.
        assert load_translations(str(place)).of("dog") == [("a", 0.4), ("b", 0.35)]
        assert load_translations(str(place)).of("cat") == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("hund ||| dog ||| 0.5 1\n", ":1: should read foreign"),
        ("hund ||| dog ||| 2 1 1\n", ":1: should read foreign"),
        ("dog\thund\n", ":1: should read foreign"),
        ("! ||| ! ||| 1 1 1\n", "has no phrase"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path, text, told):
    path = tmp_path / "phrases.txt"
    path.write_text(text)
    with pytest.raises(FileRefused, match=told):
        convert(path, tmp_path / "store", progress=QUIET)
