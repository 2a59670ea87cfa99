"""Our own metrics beside their plain forms, pair by pair: texts seen once, and four paraphrases of
each original. No database is involved.

Both sides cut texts into the same tokens and must agree on every value. Processor time, of each
block the best of rounds in which the sides take turns, also in going first; before each round
nothing is kept of the texts. Korean is nearly all Kiwi, which both sides ask alike: texts seen once
cannot reach much more than 1.0, and four paraphrases not more than 1.6 (8 texts for 5).
"""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from scoring.metrics.base import Metric
from scoring.metrics.registry import create
from scoring.metrics.texts import content_words, tokenizers
from scoring.metrics.values import Pair
from tools.bench import own_files, plain
from tools.bench.score import pairs
from tools.bench.table import line, note

ORIGINALS = 1_500
ROUNDS = 6
BLOCK = 100  # Pairs: noise lasts longer than a side takes for them.
BETA = math.log(0.5) / math.log(1.5) ** 2
Group = tuple[str, list[str]]
KOREAN = """
    어제 나는 친구와 학교에서 점심을 먹었다 그리고 도서관에 갔다 비가 많이 내려서 우산을 빌렸다
    새로운 영화를 보려고 극장 앞에서 오래 기다렸지만 표가 없었다 정부는 내년 예산을 늘리겠다고
    발표했다 많은 사람들이 거리에서 음악을 들으며 춤을 추고 있다 작은 고양이가 창문 옆에 앉아 있다
"""


def measure(database: str, _seconds: int) -> None:
    """Once: the databases make no difference."""
    if database != "sqlite":
        note("the same on every database, measured above")
        return
    english = pairs(ORIGINALS)
    words = plain.words
    both: tuple[tuple[str, plain.Plain], ...] = (
        ("pinc", plain.pinc),
        ("rouge_1", lambda a, b: plain.rouge(words(a), words(b), 1)),
        ("rouge_2", lambda a, b: plain.rouge(words(a), words(b), 2)),
        ("rouge_l", lambda a, b: plain.rouge_l(words(a), words(b))),
        ("nist", _nist([original for original, _ in english])),
        ("jaccard", plain.jaccard),
        ("edit_similarity", plain.edit_similarity),
        ("length_ratio", lambda a, b: len(words(b)) / len(words(a))),
    )
    for name, loop in both:
        _compare(name, {}, loop, english)
    _compare("apem", {"lang": "en"}, _apem(_english), english)
    _compare("apem", {"lang": "ko"}, _apem(_korean), _korean_groups(ORIGINALS // 5))
    own_files.measure(english)


def _compare(
    name: str, options: dict[str, object], loop: plain.Plain, groups: Sequence[Group]
) -> None:
    what = " ".join([name, *map(str, options.values())])
    once = [Pair(original, group[0]) for original, group in groups]
    each = [Pair(original, text) for original, group in groups for text in group]
    for shape, sample, goal in (("seen once", once, 1.0), ("of four", each, 1.5)):
        state = create(name, options).prepare(sample)
        blocks = [sample[at : at + BLOCK] for at in range(0, len(sample), BLOCK)]
        best = [[math.inf, math.inf] for _ in blocks]
        for turn in range(ROUNDS):
            for cache in (
                tokenizers.reader,
                content_words._cached_words,
                tokenizers._cached_morphemes,
            ):
                cache.cache_clear()
            metric = create(name, options)
            metric.load()
            metric.use(state)
            for times, block in zip(best, blocks, strict=True):
                found: list[list[float | None]] = [[], []]
                for side in (turn % 2, 1 - turn % 2):
                    begin = time.process_time()
                    found[side] = _plain(loop, block) if side else _ours(metric, block)
                    times[side] = min(times[side], time.process_time() - begin)
                if not all(map(_same, *found)):
                    raise RuntimeError(f"{what}: the plain form has other values")
        ours, theirs = (sum(side) / len(sample) * 1e6 for side in zip(*best, strict=True))
        line(
            f"{what}, {shape}, times its plain form",
            theirs / ours,
            "x",
            goal=goal,
            more_is_better=True,
            rivals=f"{ours:.1f} us a pair, plain {theirs:.1f}",
        )


def _ours(metric: Metric[Any], block: Sequence[Pair]) -> list[float | None]:
    return [score.value for score in metric.score_and_statistics(block)[0]]


def _plain(loop: plain.Plain, block: Sequence[Pair]) -> list[float | None]:
    return [loop(pair.original, pair.paraphrase) for pair in block]


def _same(one: float | None, two: float | None) -> bool:
    return one is not None and two is not None and abs(one - two) <= 1e-9


def _nist(originals: Sequence[str]) -> plain.Plain:
    """With the information of all originals, as in mteval."""
    counts: Counter[tuple[str, ...]] = Counter()
    for cut in map(plain.words, originals):
        counts[()] += len(cut)
        for n in range(1, 6):
            counts.update(plain.ngrams(cut, n))
    worth = {gram: math.log2(counts[gram[:-1]] / n) for gram, n in counts.items() if gram}

    def nist(a: str, b: str) -> float:
        left, right = plain.words(a), plain.words(b)
        score = 0.0
        for n in range(1, 6):
            mine = Counter(plain.ngrams(right, n))
            shared = mine & Counter(plain.ngrams(left, n))
            gained = sum(worth[gram] * times for gram, times in shared.items())
            score += gained / max(1, sum(mine.values()))
        return score * math.exp(BETA * math.log(min(len(right) / len(left), 1)) ** 2)

    return nist


def _apem(cut: Callable[[str], list[str]]) -> plain.Plain:
    def apem(a: str, b: str) -> float:
        left, right = Counter(cut(a)), Counter(cut(b))
        return sum((left & right).values()) / sum(left.values())

    return apem


def _english(text: str) -> list[str]:
    from simplemma import lemmatize

    function = content_words.FUNCTION_WORDS
    content = [word for word in plain.words(text) if word not in function]
    lemmas = [content_words.CORRECTIONS.get(word) or lemmatize(word, "en") for word in content]
    return [lemma.lower() for lemma in lemmas if lemma.lower() not in function]


def _korean(text: str) -> list[str]:
    """Of texts without letters of other scripts: nouns go with their verb suffix."""
    found: list[str] = []
    kept, end = False, -1
    for token in tokenizers._analyser().tokenize(text):
        if token.tag[0] in "EJS":
            kept = False
        elif kept and token.start == end and token.tag.startswith(("XSV", "XSA")):
            found[-1] += token.form
        else:
            found.append(token.form.replace(" ", ""))
            kept = True
        end = token.start + token.len
    return found


def _korean_groups(originals: int) -> list[Group]:
    dice = random.Random(1)
    vocabulary = KOREAN.split()
    made = []
    for _ in range(originals):
        words = dice.choices(vocabulary, k=10)
        texts_of = [
            " ".join(dice.choice(vocabulary) if dice.random() < 0.25 else word for word in words)
            for _ in range(4)
        ]
        made.append((" ".join(words), texts_of))
    return made
