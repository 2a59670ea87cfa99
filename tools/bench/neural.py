"""Neural metrics on one processor with a model of yours, beside a plain loop over transformers.

No model comes with the application: PARAANNO_TEST_MODEL names the folder of one, as
docs/metrics.md describes it. Texts are drawn from the words of the demo, since a model cuts
made-up words into many tokens. Both sides must agree on every value. No database is involved.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from scoring.metrics import Pair, create
from scoring.metrics.neural import encoder as neural_encoder
from scoring.metrics.neural.encoder import load_encoder
from scoring.metrics.resources.neural_models import VARIABLE
from tests import needs
from tools.bench.apart import apart
from tools.bench.score import pairs
from tools.bench.table import line, note, peak_memory

MODEL = "PARAANNO_TEST_MODEL"
DEMO = Path(__file__).parents[2] / "examples" / "demo" / "items.jsonl"
NEW = "sentence_cosine, new texts"  # Almost all of it is the model's work, whatever the metric.
NAMES = ("sentence_cosine", "embedding_f1", "parascore", "bert_ibleu")
SHAPES = ("seen once", "of four")
PAIRS = 500
PLAIN = 50
ROUNDS = 3


def measure(database: str, _seconds: int) -> None:
    """Once: the databases make no difference."""
    if database != "sqlite":
        note("the same on every database, measured above")
        return
    if reason := needs.missing("neural"):
        note(f"not run, {reason}")
        return
    if not os.environ.get(MODEL):
        note(f"not run, {MODEL} names no folder of a model")
        return
    found = apart("tools.bench.neural")
    note(f"{Path(os.environ[MODEL]).name}, {found['tokens']:.0f} tokens a text")
    for shape in SHAPES:
        plain = ", ".join(f"{name} {found[f'plain {name}, {shape}']:.0f}" for name in NAMES[:2])
        line(f"{NEW}, {shape}", found[f"{NEW}, {shape}"], "pairs/s", rivals=f"plain: {plain}")
    for name in NAMES:
        line(f"{name}, the vectors are there", found[f"{name}, {SHAPES[0]}"], "pairs/s")
    line("loading torch and the model", found["load"], "s")
    line("memory of the process, greatest", found["memory"], "MB RSS")


def figures() -> dict[str, float]:
    """Pairs a second of processor time, the best of rounds; each round begins without vectors."""
    folder = Path(os.environ[MODEL]).resolve()
    os.environ[VARIABLE] = str(folder.parent)
    texts = [json.loads(row)["sentence"] for row in DEMO.read_text(encoding="utf-8").splitlines()]
    vocabulary = sorted({word for text in texts for word in re.findall(r"[a-z]+", text)})
    groups = pairs(PAIRS, vocabulary)
    best: dict[str, float] = {}
    values: dict[str, list[float | None]] = {}
    for _ in range(ROUNDS):
        for shape, sample in zip(SHAPES, _samples(groups), strict=True):
            load, spent, scores = _round(folder.name, sample)
            best.setdefault("load", load)  # The first imports torch.
            for name, seconds in spent.items():
                key = f"{name}, {shape}"
                best[key] = max(best.get(key, 0.0), len(sample) / seconds)
                values[key] = scores[name]
    best["memory"] = peak_memory()  # Before the plain loop loads the model again.
    encoded = load_encoder(folder).encode([pair.paraphrase for pair in sample])
    best["tokens"] = sum(one.length for one in encoded.values()) / len(encoded)
    for shape, sample in zip(SHAPES, _samples(groups), strict=True):
        for name, loop in _plain(folder).items():
            begin = time.process_time()
            expected = [loop(pair.original, pair.paraphrase) for pair in sample[:PLAIN]]
            best[f"plain {name}, {shape}"] = PLAIN / (time.process_time() - begin)
            for one, two in zip(values[f"{name}, {shape}"], expected, strict=False):
                if one is None or abs(one - two) > 2e-6:
                    raise RuntimeError(f"{name}: the plain form has {two}, not {one}")
    return best


def _round(
    model: str, sample: Sequence[Pair]
) -> tuple[float, dict[str, float], dict[str, list[float | None]]]:
    """Seconds of loading, seconds of each metric, and its values; nothing is kept from before."""
    neural_encoder._loaded.cache_clear()
    metrics = {name: create(name, {"model": model}) for name in NAMES}
    first = metrics[NAMES[0]]
    begin = time.perf_counter()
    first.load()
    load = time.perf_counter() - begin
    first.score(Pair("warm", "up"))
    spent = dict.fromkeys((NEW, *NAMES), 0.0)
    values: dict[str, list[float | None]] = {name: [] for name in spent}
    for at in range(0, len(sample), first.chunk_size):
        chunk = sample[at : at + first.chunk_size]
        for name, metric in ((NEW, first), *metrics.items()):
            begin = time.process_time()
            scores = metric.score_many(chunk)
            spent[name] += time.process_time() - begin
            values[name] += [score.value for score in scores]
    return load, spent, values


def _samples(groups: Sequence[tuple[str, list[str]]]) -> tuple[list[Pair], list[Pair]]:
    once = [Pair(original, group[0]) for original, group in groups]
    each = [Pair(original, text) for original, group in groups for text in group]
    return once, each[: len(once)]


def _plain(folder: Path) -> dict[str, Callable[[str, str], float]]:
    """Text by text with the classes of transformers, as their descriptions have it."""
    import torch
    from transformers import AutoModel, PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))
    model = AutoModel.from_pretrained(folder, local_files_only=True).eval()

    def rows(text: str) -> Any:
        with torch.no_grad():
            ids = torch.tensor([tokenizer(text)["input_ids"]])
            return model(ids).last_hidden_state[0].double()

    def cosine(a: str, b: str) -> float:
        return float(torch.cosine_similarity(rows(a).mean(0), rows(b).mean(0), dim=0))

    def f1(a: str, b: str) -> float:
        one, other = (rows(text)[1:-1] for text in (a, b))
        table = torch.cosine_similarity(one[:, None], other[None], dim=2)
        recall, precision = (float(table.max(dim=dim).values.mean()) for dim in (1, 0))
        return 2 * precision * recall / (precision + recall)

    return {"sentence_cosine": cosine, "embedding_f1": f1}


if __name__ == "__main__":
    print(json.dumps(figures()))
