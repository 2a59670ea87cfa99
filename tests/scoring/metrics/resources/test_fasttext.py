"""Models of fastText, beside gensim called plainly."""

import numpy as np
import pytest
from gensim.models import FastText
from gensim.models.fasttext import load_facebook_vectors, save_facebook_model

from scoring.building.vectors import nearest
from scoring.metrics import Pair, create
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.fasttext import Subwords, hashes
from scoring.metrics.resources.kinds import convert
from scoring.metrics.resources.vectors import load_vectors
from tests.scoring.building.zipf import zipf_sentences


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
    meta = convert("vectors", model, tmp_path / "store", progress=lambda share: None)
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
        convert("vectors", path, tmp_path / "store", progress=lambda share: None)


def test_other_kinds_refuse_it(model, tmp_path):
    with pytest.raises(FileRefused, match="fastText model"):
        convert("corpus", model, tmp_path / "store", progress=lambda share: None)
