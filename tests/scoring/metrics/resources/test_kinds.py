"""Any file is converted or refused: nothing else, whatever its bytes are."""

import hashlib
import io
import pickle
import re
import struct
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from gensim.models import FastText
from gensim.models.fasttext import load_facebook_vectors, save_facebook_model
from hypothesis import given, settings
from hypothesis import strategies as st

from paraanno.common.texts import say
from scoring.building.vectors import nearest
from scoring.metrics import Pair, create
from scoring.metrics.combination.model_scores import load_nbest, nbest_sha256
from scoring.metrics.files import FileRefused
from scoring.metrics.phrases.google_distance import load_page_counts, page_counts_sha256
from scoring.metrics.resources.arpa import load_model, model_sha256
from scoring.metrics.resources.fasttext import Subwords, hashes
from scoring.metrics.resources.kinds import convert, kinds
from scoring.metrics.resources.stores import ABOUT, About, TextIndex, index_of
from scoring.metrics.resources.synonyms import load_synonyms, synonyms_sha256
from scoring.metrics.resources.table import load_table, table_sha256
from scoring.metrics.resources.translations import load_translations, translations_sha256
from scoring.metrics.resources.vectors import load_vectors, vectors_sha256
from tests import HOME
from tests.scoring.building.zipf import zipf_sentences
from tests.scoring.metrics.damage import PICKLE, SHORTER, put
from tests.scoring.metrics.good_files import GOOD

# How metrics read what was made of a kind, and the SHA-256 of its file.
READ = {
    "counts": (load_page_counts, page_counts_sha256),
    "lm": (load_model, model_sha256),
    "nbest": (load_nbest, nbest_sha256),
    "synonyms": (load_synonyms, synonyms_sha256),
    "table": (load_table, table_sha256),
    "translations": (load_translations, translations_sha256),
    "vectors": (load_vectors, vectors_sha256),
}


def quiet(share):
    assert 0 <= share <= 1


@pytest.fixture
def stored(tmp_path):
    """The file of a kind and the store made of it: `stored(kind)`."""

    def make(kind):
        source, store = tmp_path / "source.txt", tmp_path / "store"
        source.write_text(GOOD[kind], "utf-8")
        store.mkdir()
        convert(kind, source, store, progress=quiet)
        return source, store

    return make


def zipped():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("vectors.txt", "1 1\na 1\n")
    return stream.getvalue()


@pytest.mark.parametrize("kind", kinds())
def test_every_kind_converts_a_small_file_and_tells_how_far_it_is(kind, tmp_path):
    source = tmp_path / "source.txt"
    source.write_text(GOOD[kind], "utf-8")
    (tmp_path / "folder").mkdir()
    told = []
    meta = convert(kind, source, tmp_path / "folder", progress=told.append)
    assert meta and all(isinstance(value, int) and value >= 0 for value in meta.values())
    assert told and told == sorted(told) and told[-1] == 1.0 and told[0] >= 0
    assert list((tmp_path / "folder").iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("kind", kinds())
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (pickle.dumps({"a": 1}), "is a Python pickle"),
        (pickle.dumps({"a": 1}, protocol=2), "is a Python pickle"),
        (zipped(), r"compressed \(zip\)"),
        (b"\x1f\x8b\x08\x00", r"compressed \(gzip\)"),
        (struct.pack("<i", 793712314) + b"\x0c\0\0\0", "fastText"),
        ("1 1\na 1\n".encode("utf-16"), "UTF-16"),
    ],
)
def test_what_is_something_else_says_so(kind, content, message, tmp_path):
    source = tmp_path / "source.bin"
    source.write_bytes(content)
    with pytest.raises(FileRefused, match=message) as refused:
        convert(kind, source, tmp_path, progress=print)
    assert refused.value.lines[0].startswith(f"{source}:0: ")


@pytest.mark.parametrize("kind", kinds())
def test_a_line_without_an_end_is_refused(kind, tmp_path):
    source = tmp_path / "source.txt"
    source.write_text(GOOD[kind] + "a" * 10_000_000, "utf-8")
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileRefused, match="over 1000000 bytes"):
        convert(kind, source, tmp_path / "folder", progress=print)


@pytest.mark.slow
@pytest.mark.parametrize("kind", kinds())
@settings(max_examples=60)
@given(content=st.binary(max_size=60) | st.text("a1 \t\n|.#-e", max_size=60).map(str.encode))
def test_any_bytes_are_converted_or_refused(kind, content):
    for ending in (".txt", ".bin"):
        with TemporaryDirectory() as folder:
            source = Path(folder) / f"source{ending}"
            source.write_bytes(content)
            store = Path(folder) / "store"
            store.mkdir()
            try:
                meta = convert(kind, source, store, progress=print)
            except FileRefused as refused:
                assert all(line.startswith(f"{source}:") for line in refused.lines)
                assert 1 <= len(refused.lines) <= 20
            else:
                assert meta


def test_there_is_no_other_kind(tmp_path):
    with pytest.raises(ValueError, match="no kind pickle: use one of vectors"):
        convert("pickle", tmp_path, tmp_path, progress=print)


def test_a_file_of_many_blocks_is_one_store(tmp_path):
    """Words that come again in a later block are passed over, and the header fits the rows."""
    values = np.random.default_rng(1).normal(size=(20_000, 2))
    lines = [f"w{at} {a} {b}" for at, (a, b) in enumerate(values.tolist())]
    lines[15_000] = "w7 1 1"
    lines[16_000] = "zero 0 0"
    path = tmp_path / "v.txt"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    told = []
    (tmp_path / "store").mkdir()
    meta = convert("vectors", path, tmp_path / "store", progress=told.append)
    assert meta == {"words": 19_998, "size": 2}
    assert len(told) > 2
    found = load_vectors(str(tmp_path / "store"))
    units = values / np.linalg.norm(values, axis=1, keepdims=True)
    for at in (0, 7, 14_999, 17_000, 19_999):
        np.testing.assert_allclose(found.matrix[found.rows[f"w{at}"]], units[at], atol=1e-6)
    assert "zero" not in found.rows


@pytest.mark.parametrize("kind", READ)
def test_files_and_stores_are_read_once_and_again_after_a_change(kind, stored):
    load, sha256 = READ[kind]
    source, store = map(str, stored(kind))
    assert sha256(store) == sha256(source)
    assert load(store) is load(store)
    first = load(source)
    assert load(source) is first
    Path(source).write_text(GOOD[kind] + "\n", "utf-8")
    assert sha256(source) != sha256(store) and load(source) is not first


APART, AGAIN = "do not belong together", r"is damaged \(.+\); create the store again"


@pytest.mark.parametrize(
    ("kind", "name", "damage", "message"),
    [
        ("nbest", "about.json", "[]", "is not of n-best lists; create the store again"),
        ("nbest", "about.json", "{", "is not a store of n-best lists; create it again"),
        ("nbest", "scores.npy", "x", AGAIN),
        ("nbest", "text.npy", "", AGAIN),
        *(("nbest", f"{name}.npy", SHORTER, APART) for name in ("scores", "offsets", "starts")),
        *(("nbest", f"{name}.npy", SHORTER, APART) for name in ("text", "originals-starts")),
        ("synonyms", "about.json", None, "is not a store of synonyms"),
        ("synonyms", "about.json", "[]", "is incomplete"),
        ("synonyms", "groups.json", None, "is damaged"),
        ("synonyms", "groups.json", "7", "is damaged"),
        ("synonyms", "groups.json", '[["a", "b"]]', APART),
        ("table", "about.json", "[]", "is not that of a table, or incomplete; create the store"),
        ("table", "about.json", '{"sha256": "0"}', "is not that of a table, or incomplete"),
        ("table", "partners.npy", "x", AGAIN),
        ("table", "partners.npy", "", AGAIN),
        ("table", "partners.npy", PICKLE, AGAIN),
        ("table", "partners.npy", np.zeros(4), "is not an array of the expected kind; create the"),
        ("table", "heads-starts.npy", "x", AGAIN),
        *(("table", f"{name}.npy", SHORTER, APART) for name in ("partners", "offsets", "reach")),
        *(("table", f"{name}.npy", SHORTER, APART) for name in ("phrases-text", "heads-hashes")),
        ("translations", "partners.npy", np.zeros(5, np.int64), APART),
        *(("vectors", f"{name}.json", "[]", "again") for name in ("about", "words")),
        *(("vectors", f"{name}.npy", "[]", "again") for name in ("vectors", "lengths")),
        ("vectors", "words.json", '["one"]', APART),
        ("vectors", "lengths.npy", np.ones(1), APART),
        ("vectors", "vectors.npy", PICKLE, "is damaged"),
        ("lm", "about.json", None, "store:0: is not a store of a language model; create it again"),
        ("lm", "2-probability.npy", np.zeros(1, np.float32), f"store:0: .*{APART}"),
        ("lm", "3-keys.npy", None, "3-keys.npy:0: is damaged"),
    ],
)
def test_a_damaged_store_is_refused(kind, name, damage, message, stored):
    _, store = stored(kind)
    put(store / name, damage)
    with pytest.raises(FileRefused, match=message):
        READ[kind][0](str(store))


@pytest.mark.parametrize(
    ("kind", "block", "numbers"),
    [
        ("counts", "counts", {"words": 2, "pairs": 1, "pages": 25_000_000_000}),
        ("counts", "corpus", {"words": 7, "pages": 2}),
        ("nbest", "nbest", {"items": 1, "realisations": 2}),
        ("synonyms", "synonyms", {"groups": 3, "phrases": 7}),
        ("table", "table", {"phrases": 4, "pairs": 2, "skipped": 0}),
    ],
)
def test_the_examples_of_the_documentation_are_read(kind, block, numbers, tmp_path):
    text = (HOME / "docs" / "formats.md").read_text("utf-8")
    (example,) = re.findall(rf"```tsv {block}\n(.*?)```", text, re.DOTALL)
    (tmp_path / "file.tsv").write_text(example, "utf-8")
    assert convert(kind, tmp_path / "file.tsv", tmp_path, progress=quiet) == numbers


# What every store of a file for metrics has: `about.json`, which is written last and makes it
# whole, with the SHA-256 of the file that the store was made from.


TOYS = About(frozenset({"words"}), say("is no store of toys."))


def test_what_was_written_is_read(tmp_path):
    TOYS.write(tmp_path, {"words": 3, "sha256": "abc"})
    assert TOYS.read(tmp_path) == {"words": 3, "sha256": "abc"}
    assert TOYS.sha256(str(tmp_path)) == "abc"


def test_a_plain_file_has_the_hash_of_its_own(tmp_path):
    path = tmp_path / "toys.txt"
    path.write_bytes(b"toys")
    assert TOYS.sha256(str(path)) == hashlib.sha256(b"toys").hexdigest()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "is no store of toys"),
        ("{", "is no store of toys"),
        ("[]", "is incomplete"),
        ('{"words": 3}', "is incomplete"),
        ('{"sha256": "abc"}', "is incomplete"),
    ],
)
def test_a_folder_without_its_whole_is_refused(tmp_path, text, said):
    if text is not None:
        (tmp_path / ABOUT).write_text(text)
    with pytest.raises(FileRefused, match=said):
        TOYS.read(tmp_path)


# Many texts that are found by hash and never loaded: arrays that files are mapped into.


@given(st.lists(st.text(), unique=True, min_size=1), st.lists(st.text()))
def test_every_text_is_found_and_no_other(texts, others):
    index, ids = index_of(texts)
    assert index.find(texts) == ids.tolist()
    assert [index[at] for at in ids] == texts
    assert index.find(others) == [ids[texts.index(o)] if o in texts else -1 for o in others]


def test_texts_of_one_hash_are_told_apart(monkeypatch):
    def length(raw):
        return len(raw).to_bytes(8, "little")

    monkeypatch.setattr("scoring.metrics.resources.stores.raw_hash", length)
    index, ids = index_of(["ab", "cd", "e"])
    assert isinstance(index, TextIndex)
    assert index.find(["cd", "ab", "xy", "e", "\ud800"]) == [ids[1], ids[0], -1, ids[2], -1]


# Models of fastText, beside gensim called plainly.


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    words = [["katze", "hündchen", *one] for one in zipf_sentences(200)]
    trained = FastText(words, vector_size=8, min_count=1, epochs=1, bucket=500, workers=1, seed=1)
    path = tmp_path_factory.mktemp("model") / "model.bin"
    save_facebook_model(trained, str(path))
    return path


@pytest.fixture(scope="module")
def theirs(model):
    return load_facebook_vectors(str(model))


def unit(vector):
    return vector / np.linalg.norm(vector)


@pytest.mark.slow
def test_known_and_unknown_words_have_the_vectors_of_gensim(model, theirs, tmp_path):
    meta = convert("vectors", model, tmp_path / "store", progress=print)
    assert meta == {"words": len(theirs.index_to_key), "size": 8}
    for found in (load_vectors(str(tmp_path / "store")), load_vectors(str(model))):
        for words in (["katze", "hündchen"], ["katzen", "größe", "katze", "日本語の"]):
            mine = found.of(found.rows_of(words))
            assert np.allclose(mine, [unit(theirs[word]) for word in words], atol=1e-6)
        assert found.rows_of(["katze", "x"]) == found.rows_of(["katze", "x"])
    assert not (tmp_path / "store" / "all.npy").exists()


def test_pieces_are_hashed_as_gensim_does(theirs):
    from gensim.models.fasttext_inner import compute_ngrams_bytes, ft_hash_bytes

    cut = Subwords(np.ones((500, 2), np.float32), theirs.min_n, theirs.max_n)
    for word in ("katzen", "größe", "日本語", "a", ""):
        wanted = [
            ft_hash_bytes(one) for one in compute_ngrams_bytes(word, cut.shortest, cut.longest)
        ]
        assert sorted(hashes(word, cut)) == sorted(wanted)


@pytest.mark.slow
def test_an_unknown_word_has_the_neighbours_of_gensim(model, theirs):
    found = load_vectors(str(model))
    row = found.row("katzen")
    assert row is not None
    names = list(found.rows)
    near = [names[at] for at in nearest(found, [row], k=3).rows[0]]
    assert near == [word for word, _cosine in theirs.most_similar("katzen", topn=3)]


@pytest.mark.slow
def test_metrics_score_unknown_words(model):
    cosine = create("embedding_cosine", {"vectors": str(model)})
    score = cosine.score(Pair("katzen", "hündchens"))
    assert score.value is not None
    assert score.detail and score.detail["compared"] == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "damage",
    [
        lambda raw: raw[:6],
        lambda raw: raw[:60],
        lambda raw: raw[:-4000],
        # A number of buckets, after magic, version and eight options, that asks for memory without
        # end.
        lambda raw: raw[:40] + (2**31 - 1).to_bytes(4, "little") + raw[44:],
    ],
)
def test_a_damaged_model_is_refused(model, tmp_path, damage):
    path = tmp_path / "bad.bin"
    path.write_bytes(damage(model.read_bytes()))
    with pytest.raises(FileRefused, match=r"bad.bin:0: cannot be read as a model of fastText"):
        convert("vectors", path, tmp_path / "store", progress=print)


def test_other_kinds_refuse_it(model, tmp_path):
    with pytest.raises(FileRefused, match="fastText model"):
        convert("corpus", model, tmp_path / "store", progress=print)
