"""The files that metrics need, made from the demo's own text: for trying, not for research.

All are made when the demo is scored, but for the synonyms, which are written by hand
(examples/demo/resources). Vectors, paraphrase table and language model are builds (resources.py) of
the texts that are cut here.
"""

from __future__ import annotations

import json
import logging
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from csv import DictReader
from itertools import pairwise, permutations
from math import log2
from pathlib import Path
from string import Formatter

from filelock import FileLock, Timeout

from annotation.access import place_of
from annotation.campaigns.demo import FOLDER
from annotation.errors import DomainError, Invalid
from annotation.models import Campaign
from paraanno.common.on_disk import put_in_place
from scoring.builds.services import build_start
from scoring.metrics.texts.tokenizers import tokens, words
from scoring.models import Build, Resource, Run
from scoring.resources.services import resource_add
from scoring.runs.start import run_read, runs_start
from scoring.work.workers import demo_mark, demo_pending

RESOURCES = FOLDER / "resources"
# The system that the demo's "generator" does not know, so that its lists lack some texts.
UNKNOWN = "baseline"
START, END = "<s>", "</s>"
Row = Mapping[str, str]


def demo_rows() -> list[dict[str, str]]:
    """The rows of the demo's items, one for each output."""
    with (FOLDER / "items.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def whole(row: Mapping[str, object], paraphrase: str) -> str:
    """The sentence of a row with a paraphrase in place of its phrase."""
    sentence, start, end = str(row["sentence"]), row["start"], row["end"]
    assert isinstance(start, int) and isinstance(end, int)  # noqa: S101 as the file has them
    return f"{sentence[:start]}{paraphrase}{sentence[end:]}"


def demo_texts(rows: Sequence[Row]) -> list[str]:
    """The distinct sentences, paraphrases in their sentence, and references."""
    texts: dict[str, None] = {}
    for row in rows:
        given = (row["reference"], row.get("reference_2", ""))
        outputs = [whole(row, row["paraphrase"])] if row["paraphrase"] else []
        texts |= dict.fromkeys(filter(None, [row["sentence"], *outputs, *given]))
    return list(texts)


def page_counts(rows: Sequence[Row]) -> str:
    """A file of page counts: each sentence with its references is a page."""
    pages = {
        row["item"]: " ".join([row["sentence"], row["reference"], row.get("reference_2", "")])
        for row in rows
    }
    return "\n".join(["#corpus\ten", *(page.strip() for page in pages.values())]) + "\n"


def nbest_lists(rows: Sequence[Row]) -> str:
    """A file of n-best lists: in each sentence every paraphrase that its phrase has anywhere.

    The score is the mean log probability (base 2) of a word, by a model of pairs of words
    (counts of the demo's originals and references, interpolated with single words).
    """
    paraphrases: dict[str, dict[str, None]] = defaultdict(dict)
    for row in rows:
        if row["system"] != UNKNOWN and row["paraphrase"]:
            paraphrases[row["phrase"]][row["paraphrase"]] = None
    model = _WordPairs(_given(rows))
    items = {row["item"]: row for row in rows}
    lines = [
        f"{row['sentence']}\t{text}\t{model.score(text):.4f}"
        for row in items.values()
        for text in (whole(row, paraphrase) for paraphrase in paraphrases[row["phrase"]])
    ]
    return "\n".join(lines) + "\n"


def model_text(rows: Sequence[Row]) -> str:
    """A text to train a language model on: the sentences and references, one a line, tokenized as
    13a does and in lower case."""
    return _lines(_given(rows))


def vectors_text(rows: Sequence[Row]) -> str:
    """A text to train word vectors on: the same with the systems' texts, cut as metrics do."""
    return "".join(" ".join(words(text.lower())) + "\n" for text in demo_texts(rows))


def gold_texts(rows: Sequence[Row]) -> str:
    """A table to train a regression on: each output in its sentence, with MEANING as the author of
    the demo judges it."""
    with (FOLDER / "truth.csv").open(encoding="utf-8", newline="") as stream:
        truth = {(one["item"], one["paraphrase"]): one["meaning"] for one in DictReader(stream)}
    examples = {
        (row["item"], row["paraphrase"]): {
            "sentence": row["sentence"],
            "paraphrase": whole(row, row["paraphrase"]),
            "MEANING": truth[row["item"], row["paraphrase"]],
        }
        for row in rows
        if row["paraphrase"]
    }
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in examples.values())


def parallel_texts(rows: Sequence[Row]) -> tuple[str, str]:
    """Two parallel texts: each sentence and each of its references beside
    each other one. Their phrases are paraphrases in one language, as in two translations of a book
    (Barzilay and McKeown 2001)."""
    pairs: dict[tuple[str, str], None] = {}
    for row in rows:
        same = (row["sentence"], row["reference"], row.get("reference_2", ""))
        pairs |= dict.fromkeys(permutations(dict.fromkeys(filter(None, same)), 2))
    return _lines(one for one, _other in pairs), _lines(other for _one, other in pairs)


def _lines(texts: Iterable[str]) -> str:
    return "".join(" ".join(tokens(text, "13a", lowercase=True)) + "\n" for text in texts)


def _given(rows: Sequence[Row]) -> list[str]:
    """The distinct sentences and references, which no system made."""
    texts = (
        text
        for row in rows
        for text in (row["sentence"], row["reference"], row.get("reference_2", ""))
    )
    return list(dict.fromkeys(filter(None, texts)))


class _WordPairs:
    """A language model of pairs of words: 0.6 pair, 0.3 word, 0.1 any of as many unseen words."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._words: Counter[str] = Counter()
        self._pairs: Counter[tuple[str, str]] = Counter()
        self._before: Counter[str] = Counter()
        for text in texts:
            cut = self._cut(text)
            self._words.update(cut[1:])
            self._before.update(cut[:-1])
            self._pairs.update(pairwise(cut))
        self._total = self._words.total()

    def score(self, text: str) -> float:
        """The mean over words of log2 of their probability after the word before."""
        cut = self._cut(text)
        probabilities = [
            0.6 * self._pairs[a, b] / max(self._before[a], 1)
            + 0.3 * self._words[b] / self._total
            + 0.1 / len(self._words)
            for a, b in pairwise(cut)
        ]
        return sum(map(log2, probabilities)) / len(probabilities)

    @staticmethod
    def _cut(text: str) -> list[str]:
        return [START, *words(text.lower()), END]


# The resources of the demo: files, and builds of its own texts, each made once.


logger = logging.getLogger(__name__)
# What people see wherever a file is chosen: nobody should take these for real ones.
NAMES = {
    "model_text": "DEMO ONLY: originals and references",
    "vectors_text": "DEMO ONLY: all texts",
    "english": "DEMO ONLY: originals and references, in pairs",
    "foreign": "DEMO ONLY: the other of each pair",
    "texts": "DEMO ONLY: outputs with MEANING as the demo’s author judges it",
    "vectors": "DEMO ONLY: word vectors of the demo’s own texts",
    "table": "DEMO ONLY: paraphrases of the demo’s own originals and references",
    "synonyms": "DEMO ONLY: synonyms written for the demo",
    "counts": "DEMO ONLY: page counts of the demo’s own texts",
    "nbest": "DEMO ONLY: n-best lists of the demo’s own outputs",
    "lm": "DEMO ONLY: language model of the demo’s own texts",
    "translations": "DEMO ONLY: phrases of the demo’s own texts in other words",
    "regressor": "DEMO ONLY: regression on the demo’s own texts",
}
CORPORA = {"model_text", "vectors_text", "english", "foreign"}
# By kind: the recipe, its inputs by role (texts, or what an earlier build makes), and options that
# suit a few hundred sentences.
BUILDS: dict[str, tuple[str, dict[str, str], dict[str, object]]] = {
    "lm": ("lm", {"text": "model_text"}, {"order": 3}),
    "vectors": (
        "vectors",
        {"text": "vectors_text"},
        {"size": 24, "epochs": 60, "min_count": 1, "skip_gram": "yes", "seed": 2008},
    ),
    "table": (
        "paraphrases",
        {"english": "english", "foreign": "foreign"},
        {"min_count": 1, "least": 0.05},
    ),
    "translations": ("translations", {"english": "english", "foreign": "foreign"}, {}),
    "regressor": (
        "pem_style",
        {"texts": "texts", "translations": "translations", "lm": "lm"},
        {"tokenize": "13a", "lowercase": "yes"},
    ),
}


def demo_resources(*, campaign: Campaign) -> tuple[dict[str, str], set[str]]:
    """The keys of the resources that are ready, by kind, and the kinds that are being built; those
    that are missing are added or asked for. A build that failed is not asked for again."""
    texts = _added(campaign)
    made = {name: str(one.key) for name, one in texts.items()}
    keys = {kind: key for kind, key in made.items() if kind not in {*CORPORA, "texts"}}
    awaited: set[str] = set()
    for kind, (recipe, roles, options) in BUILDS.items():
        if set(roles.values()) - made.keys():
            if set(roles.values()) & awaited:
                awaited.add(kind)
            continue
        builds = Build.objects.filter(campaign=campaign, recipe=recipe, name=NAMES[kind])
        build = builds.first()
        if build is None or (build.status == Build.Status.DONE and build.resource is None):
            build, _new = build_start(
                recipe=recipe,
                options=options,
                name=NAMES[kind],
                actor=campaign.created_by,
                campaign=campaign,
                inputs={role: made[name] for role, name in roles.items()},
            )
        if build.status in Build.ACTIVE:
            awaited.add(kind)
        elif build.resource is None:
            logger.warning("The demo goes without %s: %s", kind, build.error)
        else:
            keys[kind] = made[kind] = str(build.resource.key)
    return keys, awaited


def _added(campaign: Campaign) -> dict[str, Resource]:
    """The resources of files, by kind, and those of texts, by name."""
    rows = demo_rows()
    english, foreign = parallel_texts(rows)
    made = {
        "counts": page_counts(rows),
        "nbest": nbest_lists(rows),
        "model_text": model_text(rows),
        "vectors_text": vectors_text(rows),
        "english": english,
        "foreign": foreign,
        "texts": gold_texts(rows),
    }
    with tempfile.TemporaryDirectory() as folder:
        files = {"synonyms": RESOURCES / "synonyms.tsv"}
        for name, text in made.items():
            files[name] = Path(folder, f"demo-{name}.txt")
            files[name].write_text(text, encoding="utf-8")
        return {
            name: resource_add(
                kind="corpus" if name in CORPORA else name,
                path=path,
                name=NAMES[name],
                actor=campaign.created_by,
                place=place_of(campaign.created_by, campaign),
            )
            for name, path in files.items()
        }


# The metric runs of the demo: every metric. Without an encoder those of meaning are left out.


MARK = "(demo file)"
# {vectors} stands for the key of that resource.
SPECS = (
    "sentence_cosine",
    "bertscore",
    "embedding_f1",
    "parascore",
    "bert_ibleu",
    "sari",
    "fkgl",
    "compression",
    "additions",
    "rouge_lsum",
    "bleu",
    "self_bleu",
    "ibleu",
    "p_bleu",
    "bleu_1max",
    "nist",
    "cider",
    "cider_d",
    "chrf",
    "chrfpp",
    "rouge_1",
    "rouge_2",
    "rouge_l",
    "ter",
    "meteor",
    "pinc",
    "jaccard",
    "edit_similarity",
    "length_ratio",
    f"embedding_cosine:vectors={{vectors}},as=embedding_cosine {MARK}",
    f"wmd:vectors={{vectors}},as=wmd {MARK}",
    f"weem4pg:vectors={{vectors}},as=weem4pg {MARK}",
    "apem",
    f"apem_sd:synonyms={{synonyms}},as=apem_sd {MARK}",
    "apem_sdgd:synonyms={synonyms},counts={counts},keep_if=distance_at_most,"
    f"as=apem_sdgd {MARK}",
    f"paraeval:table={{table}},as=paraeval {MARK}",
    "bleu_apem",
    "combine:of=bleu+pinc,scale=z,as=combine bleu+pinc",
    f"model_metric:nbest={{nbest}},as=model_metric {MARK}",
    f"approx_hter:nbest={{nbest}},as=approx_hter {MARK}",
    f"lm_fluency:lm={{lm}},tokenize=13a,lowercase=yes,as=lm_fluency {MARK}",
    f"pivot_f1:translations={{translations}},as=pivot_f1 {MARK}",
    "pem_style:regressor={regressor},translations={translations},lm={lm},"
    f"as=pem_style {MARK}",
)


# In their sentence, two paraphrases of a phrase are nearly the same text; alone, they are not.
ALONE = ("sentence_cosine", "bertscore", "chrf", "edit_similarity", "pinc")
DEMO_RUNS = (
    *((spec, Run.Scope.SENTENCE) for spec in SPECS),
    *((f"{name}:against=original,as={name} (phrase alone)", Run.Scope.PHRASE) for name in ALONE),
)


def demo_runs_make(*, campaign_pk: int) -> None:
    """Add the demo's resources and start the runs that are asked for; nothing is made twice.

    Runs that need a resource that is being built are left to a later call: the mark stays, and the
    next sweep of an idle worker finds it. So does one after a process was killed. Without a mark,
    or while another process is at it, this is a no-op. What the domain refuses is logged and not
    tried again: `manage.py load_demo --runs` asks anew.
    """
    mark = demo_mark()
    try:
        with FileLock(f"{mark}.lock").acquire(blocking=False):
            if demo_pending() != campaign_pk:
                return
            campaign = Campaign.objects.filter(pk=campaign_pk).first()
            if campaign is None or _start(campaign):
                mark.unlink()
    except Timeout:
        return
    except DomainError as refusal:
        logger.warning("The runs of the demo were not started: %s", refusal.message)
        mark.unlink(missing_ok=True)


def _start(campaign: Campaign) -> bool:
    """Start the runs whose resources are there; return whether none is still waited for."""
    keys, awaited = demo_resources(campaign=campaign)
    specs: dict[str, list[str]] = defaultdict(list)
    for spec, scope in DEMO_RUNS:
        needed = {name for _text, name, *_rest in Formatter().parse(spec) if name}
        if needed - keys.keys():
            continue
        filled = spec.format(**keys)
        try:
            request = run_read(filled, scope, campaign)
        except Invalid as refusal:  # There is no analyser or encoder.
            logger.info("The demo goes without %s: %s", filled, refusal.message)
            continue
        if not campaign.runs.filter(options_hash=request.options_hash).exists():
            specs[scope].append(filled)
    for kind, some in specs.items():
        runs_start(campaign=campaign, specs=some, actor=campaign.created_by, scope=kind)
    return not awaited


# Asking for the metric runs of the demo. A worker starts them, so that no page waits for them.


def demo_runs_ask(*, campaign: Campaign) -> None:
    """Leave a mark in the data folder, which the next sweep of an idle worker finds."""
    mark = demo_mark()
    half = mark.with_name(f"{mark.name}.half")
    half.write_text(str(campaign.pk), encoding="ascii")
    put_in_place(half, mark)
