"""Reading of models in the ARPA format."""

import random

import kenlm
import pytest

from scoring.metrics.resources.arpa import FLOOR, convert, load_model, map_model, read_arpa
from tests.scoring.metrics.arpa_files import LINES, write_model
from tests.scoring.metrics.refused import refused


def test_scores_are_those_of_kenlm(tmp_path):
    path = write_model(tmp_path / "m.arpa")
    model, theirs = read_arpa(path).model, kenlm.Model(str(path))
    draw = random.Random(1)
    sentences = [draw.choices("abx", k=draw.randint(0, 9)) for _ in range(200)]
    scores = model.score(sentences).logprob.tolist()
    assert len(set(scores)) > 100
    assert scores == [pytest.approx(theirs.score(" ".join(one)), abs=1e-4) for one in sentences]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\t", "  "),
        lambda text: "\ufeff# made by hand" + text,
        lambda text: text.replace("<unk>", "<UNK>").replace("</s>\n", "</s>\t0\n"),
    ],
)
def test_forms_that_programs_write(change, tmp_path):
    plain = read_arpa(write_model(tmp_path / "m.arpa")).model
    other = read_arpa(write_model(tmp_path / "other.arpa", change(LINES)))
    sentences = [["a", "b"], ["x", "b", "b"]]
    assert other.model.score(sentences).logprob.tolist() == plain.score(sentences).logprob.tolist()
    assert not other.floored


def test_a_model_without_the_unknown_word_gets_a_floor(tmp_path):
    text = LINES.replace("-1\t<unk>\t0\n", "").replace("ngram 1=5", "ngram 1=4")
    path = write_model(tmp_path / "m.arpa", text)
    shares = []
    numbers = convert(path, tmp_path / "store", progress=shares.append)
    assert numbers == {"order": 3, "words": 5, "ngrams": 9, "floored": 1}
    assert shares[-1] == 1
    # `<s>` and the end have weights and logarithms of their own.
    scores = load_model(str(tmp_path / "store")).score([["x"]])
    assert scores.logprob.tolist() == [-0.25 + FLOOR - 0.5]
    assert kenlm.Model(str(path)).score("x") == pytest.approx(scores.logprob[0])


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "ngram 2=3",
            "ngram 2=4",
            "4: announces 4 2-grams, but there are 3; is the file complete?",
        ),
        ("ngram 2=3", "ngram 3=3", "4: has no count of 2-grams."),
        ("-0.75\ta", "nan\ta", "11: has no valid logarithms; a probability"),
        ("-0.75\ta", "0.75\ta", "11: has no valid logarithms; a probability"),
        ("a\t-0.125", "a\tinf", "11: has no valid logarithms; a probability"),
        ("-0.75\ta", "a\t-0.75", "11: has no valid logarithms; a probability"),
        ("-0.875\tb", "-0.875\ta", "12: has the word a a second time."),
        ("<s> a", "<s> c", "15: has the word c, which is no 1-gram."),
        ("<s> a\t", "<s>\t", "15: is no 2-gram; write log10 probability"),
        ("-0.25\tb </s>", "-0.25\ta b", "17: is there a second time."),
        ("a b </s>", "b a </s>", "20: its words but the last are not among the 2-grams"),
        ("-99\t<s>", "-99\t<S>", "15: has the word <s>, which is no 1-gram."),
        ("\\2-grams:", "\\3-grams:", "14: should be the heading \\2-grams: of the next part."),
        ("\\end\\", "", "0: the line \\end\\ is missing; is the file complete?"),
        ("\\end\\", "\\end\\\nmore", "23: comes after the line \\end\\; take it out."),
        ("\\data\\", "", "0: has no line \\data\\; use a model in the ARPA format."),
    ],
)
def test_problems_name_their_line(old, new, told, tmp_path):
    assert old in LINES
    path = write_model(tmp_path / "m.arpa", LINES.replace(old, new, 1))
    assert refused(read_arpa, path)[0].startswith(f"m.arpa:{told}")


def test_models_without_marks_or_of_an_order_too_high(tmp_path):
    head = "\\data\\\nngram 1=1\n\n\\1-grams:\n-1\ta\n\n\\end\\\n"
    assert refused(read_arpa, write_model(tmp_path / "m.arpa", head)) == [
        "m.arpa:0: has no 1-gram <s>; train it on sentences with boundary marks."
    ]
    counts = "".join(f"ngram {order}=1\n" for order in range(1, 9))
    for number, text in ((10, counts), (2, "")):
        path = write_model(tmp_path / "m.arpa", f"\\data\\\n{text}\\1-grams:\n")
        (line,) = refused(read_arpa, path)
        assert line.startswith(f"m.arpa:{number}: is a model of order {text.count('=')}; orders")


@pytest.mark.parametrize(
    ("head", "told"),
    [
        (b"\x1f\x8b\x08", "is compressed (gzip); unpack it first."),
        (b"mmap lm http://", "is a binary file of KenLM; use the model in the ARPA format."),
        (b"", "is empty; use a file with content."),
    ],
)
def test_packed_and_binary_models(head, told, tmp_path):
    (tmp_path / "m.arpa").write_bytes(head)
    assert refused(read_arpa, tmp_path / "m.arpa") == [f"m.arpa:0: {told}"]


def test_progress_rises_over_a_long_file(tmp_path):
    words = "".join(f"-5\tw{at}\n" for at in range(70_000))
    text = LINES.replace("-0.5\t</s>\n", f"-0.5\t</s>\n{words}").replace("1=5", "1=70005")
    shares = []
    read_arpa(write_model(tmp_path / "m.arpa", text), shares.append)
    assert len(shares) == 1
    assert 0.5 < shares[0] < 1


# Scores of sentences by a model written by hand, and its stores.


@pytest.fixture
def model(tmp_path):
    return read_arpa(write_model(tmp_path / "m.arpa")).model


@pytest.mark.parametrize(
    ("text", "logs"),
    [
        # <s> a; a b after <s> (weight of <s> a); a b </s>.
        ("a b", (-0.375, -0.03125 - 0.625, -0.1875)),
        # b after <s> by its weight; b </s>, as <s> b is no context.
        ("b", (-0.25 - 0.875, -0.25)),
        # a a is unknown: weights of (<s> a), of a; then the end after a.
        ("a a", (-0.375, -0.03125 - 0.125 - 0.75, -0.125 - 0.5)),
        # An unknown word after a, and nothing is known after it.
        ("a x", (-0.375, -0.03125 - 0.125 - 1, -0.5)),
        ("", (-0.25 - 0.5,)),
    ],
)
def test_the_longest_ngram_counts_with_the_weights_of_longer_contexts(model, text, logs):
    scores = model.score([text.split()])
    assert scores.logprob.tolist() == [pytest.approx(sum(logs), abs=1e-6)]
    assert scores.words.tolist() == [len(text.split())]


def test_many_sentences_have_the_scores_that_each_has_alone(model):
    sentences = [text.split() for text in ("a b", "", "x a x", "b a b b", "a b")]
    together = model.score(sentences)
    alone = [model.score([one]) for one in sentences]
    assert together.logprob.tolist() == [one.logprob[0] for one in alone]
    assert together.unknown.tolist() == [0, 0, 2, 0, 0]
    # -1 for x, -0.75 for a, -0.875 for b.
    assert together.alone.tolist() == [-1.625, 0, -2.75, -3.375, -1.625]
    assert model.score([]).logprob.tolist() == []


def test_marks_in_a_text_are_unknown_words(model):
    scores = model.score([["<s>", "</s>", "<unk>"], ["x", "x", "x"]])
    assert scores.logprob[0] == scores.logprob[1]
    assert scores.unknown.tolist() == [3, 3]


def test_a_store_gives_the_same_scores(model, tmp_path):
    convert(tmp_path / "m.arpa", tmp_path / "store", progress=print)
    sentences = [["a", "b"], ["x", "a"]]
    mapped = map_model(tmp_path / "store")
    assert mapped.order == 3
    assert mapped.score(sentences).logprob.tolist() == model.score(sentences).logprob.tolist()
