"""A tiny model for tests: random weights, fixed by a seed, and a vocabulary of a few words."""

import json

from scoring.metrics import Pair, create

WORDS = (
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "cat", "dog", "sat", "lay", "on", "under"),
    *("mat", "rug", "a", "not", "##s", "##ting", "power", "went", "out", "failed", "."),
)
MOST_TOKENS = 24


def write_model(folder, *, seed=7, layers=2):
    """A BERT of 16 numbers a token, saved as a user would save one."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel

    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=layers,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=MOST_TOKENS,
        initializer_range=0.5,
    )
    BertModel(config).save_pretrained(folder, safe_serialization=True)
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


def token_numbers(text):
    """What the tokenizer of the toy makes of words of its vocabulary, written out by hand."""
    pieces = {"cats": ["cat", "##s"], "sitting": ["[UNK]"], "mats": ["mat", "##s"]}
    cut = [piece for word in text.lower().split() for piece in pieces.get(word, [word])]
    return [2, *(WORDS.index(word) if word in WORDS else 1 for word in cut), 3]


def edit_config(folder, **changes):
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes), encoding="utf-8")


def metric(name, **options):
    """A metric on the toy."""
    return create(name, {"model": "toy", **options})


def value(name, original, paraphrase, *references, **options):
    """What such a metric says of one pair."""
    return metric(name, **options).score(Pair(original, paraphrase, references)).value
