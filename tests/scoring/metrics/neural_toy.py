"""A tiny model for tests: random weights, fixed by a seed, and a vocabulary of a few words."""

import json

import numpy as np

from scoring.metrics import Pair, create
from scoring.metrics.resources.neural_models import write_tensors

WORDS = (
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "cat", "dog", "sat", "lay", "on", "under"),
    *("mat", "rug", "a", "not", "##s", "##ting", "power", "went", "out", "failed", "."),
)
MOST_TOKENS = 24


def write_model(folder, *, seed=7, layers=2):
    """A BERT of 16 numbers a token, saved as transformers would save one."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    folder.mkdir(parents=True, exist_ok=True)
    config = {
        "model_type": "bert",
        "architectures": ["BertModel"],
        "vocab_size": len(WORDS),
        "hidden_size": 16,
        "num_hidden_layers": layers,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "max_position_embeddings": MOST_TOKENS,
        "type_vocab_size": 2,
        "layer_norm_eps": 1e-12,
        "hidden_act": "gelu",
        "pad_token_id": 0,
    }
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    write_tensors(folder / "model.safetensors", dict(weights(config, np.random.default_rng(seed))))
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    # Published files hold these; they must not cut texts off.
    tokenizer.enable_truncation(8)
    tokenizer.enable_padding(length=8)
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def weights(config, draw):
    """Random weights by the names that transformers gives them."""
    size, wide = config["hidden_size"], config["intermediate_size"]
    shapes = {
        "embeddings.word_embeddings.weight": (config["vocab_size"], size),
        "embeddings.position_embeddings.weight": (config["max_position_embeddings"], size),
        "embeddings.token_type_embeddings.weight": (config["type_vocab_size"], size),
    }
    norms = ["embeddings.LayerNorm"]
    for number in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{number}."
        linear = {
            **{f"attention.self.{one}": (size, size) for one in ("query", "key", "value")},
            "attention.output.dense": (size, size),
            "intermediate.dense": (wide, size),
            "output.dense": (size, wide),
        }
        for name, shape in linear.items():
            shapes |= {f"{layer}{name}.weight": shape, f"{layer}{name}.bias": shape[:1]}
        norms += [f"{layer}attention.output.LayerNorm", f"{layer}output.LayerNorm"]
    for name, shape in shapes.items():
        yield name, draw.normal(0, 0.5, shape).astype(np.float32)
    for name in norms:
        yield f"{name}.weight", draw.normal(1, 0.1, size).astype(np.float32)
        yield f"{name}.bias", draw.normal(0, 0.1, size).astype(np.float32)


def token_numbers(text):
    """What the tokenizer of the toy makes of words of its vocabulary, written out by hand."""
    pieces = {"cats": ["cat", "##s"], "sitting": ["[UNK]"], "mats": ["mat", "##s"]}
    cut = [piece for word in text.lower().split() for piece in pieces.get(word, [word])]
    return [2, *(WORDS.index(word) if word in WORDS else 1 for word in cut), 3]


def edit_config(folder, **changes):
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes), "utf-8")


def metric(name, **options):
    """A metric on the toy."""
    return create(name, {"model": "toy", **options})


def value(name, original, paraphrase, *references, **options):
    """What such a metric says of one pair."""
    return metric(name, **options).score(Pair(original, paraphrase, references)).value
