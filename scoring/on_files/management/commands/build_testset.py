"""`build_testset SENTENCES --phrases STORE|TSV ... --n N -o items.csv|eval.ccb`: phrases of test
sentences with the paraphrases of several conditions, without a database."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from annotation.exporters.columns import Column
from annotation.exporters.texts import CcbRow, ccb_obstacle, write_ccb
from annotation.exporters.writers import write_rows
from scoring.building.corpora import Corpus, open_corpus
from scoring.building.labels import SentenceLabels, read_labels
from scoring.building.test_sets.building import (
    CONSTITUENT,
    FLUENCY,
    LABEL,
    MARKS,
    MIN_LABELLED,
    PROBABILITY,
    RANKS,
    SECOND,
    TEST_COUNT,
    TRAIN_COUNT,
    BuiltItem,
    Chooser,
    item_rows,
    make_items,
    open_source,
    select,
)
from scoring.building.test_sets.drawing import (
    GRAMMAR_WORDS,
    MOST_OCCURRENCES,
    SEED,
    STEPS,
    Candidates,
    Cuts,
    Place,
    enumerate_phrases,
    read_grammar_words,
    read_sentences,
    train_counts,
    train_warnings,
)
from scoring.management.command_files import atomic_file
from scoring.metrics.files import sha256
from scoring.metrics.resources.arpa import LanguageModel, load_model
from scoring.metrics.resources.stores import ABOUT
from scoring.on_files.file_command import FileCommand, beside

FORMATS = {".ccb": "ccb", ".tsv": "tsv", ".jsonl": "jsonl"}  # By the end of the name, else CSV.


class Command(FileCommand):
    help = "Phrases of test sentences with the paraphrases of several conditions; no database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "sentences", type=Path, metavar="SENTENCES", help="a sentence a line, tokenised"
        )
        parser.add_argument(
            "--phrases",
            nargs="+",
            action="extend",
            type=Path,
            required=True,
            metavar="STORE|TSV",
            help="paraphrases: a store of `pivot --store`, phrase TAB paraphrase TAB probability, "
            "or a table of PPDB or Moses; of several the systems are called NAME:CONDITION",
        )
        parser.add_argument("--lm", metavar="MODEL", help="ARPA: adds conditions 1, 3, 5, 7")
        parser.add_argument(
            "--parses",
            type=Path,
            metavar="FILE",
            help="of the sentences: trees in brackets, a line each, or CoNLL-U",
        )
        parser.add_argument("--train", type=Path, metavar="STORE", help="of `index_corpus`")
        parser.add_argument("--n", type=int, default=100, help="phrases (100)")
        parser.add_argument("--seed", type=int, default=SEED)
        parser.add_argument("--min-words", type=int, default=1)
        parser.add_argument("--max-words", type=int, default=3)
        parser.add_argument(
            "--test-count",
            type=int,
            nargs=2,
            metavar=("LEAST", "MOST"),
            help=f"occurrences in the sentences ({STEPS[0][0]} {MOST_OCCURRENCES}; the minimum is "
            "lowered if too few phrases pass)",
        )
        parser.add_argument(
            "--train-count",
            type=int,
            metavar="LEAST",
            help=f"occurrences in the training text ({STEPS[0][1]}; lowered likewise)",
        )
        parser.add_argument(
            "--constituents",
            type=float,
            metavar="SHARE",
            help="of the phrases, with --parses (0.5)",
        )
        parser.add_argument("--contexts", type=int, default=4, help="sentences of a phrase (4)")
        parser.add_argument("--lm-weight", type=float, default=1.0, metavar="W")
        parser.add_argument(
            "--lm-per-word",
            action="store_true",
            help="divide the log probability of a sentence by its words",
        )
        parser.add_argument(
            "--min-labelled",
            type=int,
            default=MIN_LABELLED,
            metavar="N",
            help="phrase pairs with a label that conditions 2 and 6 need (5)",
        )
        parser.add_argument(
            "--marks",
            choices=MARKS,
            default=MARKS[0],
            help="keep all paraphrases (default); words: leave out those of marks alone; "
            "other_words: also those that differ from their phrase in marks alone",
        )
        parser.add_argument(
            "--ranks",
            type=int,
            choices=range(1, RANKS + 1),
            default=1,
            help="2: also the second paraphrase of each condition (8-15 in a .ccb)",
        )
        parser.add_argument(
            "--grammar-words",
            type=Path,
            metavar="FILE",
            help="function words in place of the English ones; phrases of these are left out",
        )
        parser.add_argument(
            "-o",
            "--output",
            type=Path,
            required=True,
            metavar="FILE",
            help="items.csv (.tsv, .jsonl), or eval.ccb, the evaluation file of the guide; what "
            "it was made from is written beside it as JSON",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        problems = _problems(options)
        if problems:
            self.refuse(*problems)
        with self.refusing():
            self._build(options)

    def _build(self, options: dict[str, Any]) -> None:
        path: Path = options["sentences"]
        file = read_sentences(path)
        sentences = file.sentences
        if file.repeated:
            self._warn(path, f"{file.repeated} sentences are there twice; they are used once.")
        test = options["test_count"] or (STEPS[0][0], MOST_OCCURRENCES)
        cuts = Cuts(
            min_words=options["min_words"],
            max_words=options["max_words"],
            test_least=test[0],
            test_most=test[1],
            train_least=STEPS[0][1] if options["train_count"] is None else options["train_count"],
        )
        phrases = enumerate_phrases(sentences, cuts)
        labels = None
        if options["parses"]:
            every = list(read_labels(options["parses"], file.every, longest=cuts.max_words))
            labels = [every[line] for line in file.used]
        corpus = open_corpus(options["train"]) if options["train"] else None
        train = None
        if corpus is not None:
            train = train_counts(corpus, phrases)
            for warning in train_warnings(corpus, sentences):
                self._warn(path, str(warning))
        model = load_model(options["lm"]) if options["lm"] else None
        choosers = self._choosers(options, phrases, labels, model)
        words = options["grammar_words"]
        candidates, used = select(
            phrases,
            cuts,
            options["n"],
            grammar_words=read_grammar_words(words) if words else GRAMMAR_WORDS,
            train=train,
            choosers=choosers,
            lower_test=options["test_count"] is None,
            lower_train=options["train_count"] is None,
        )
        items = make_items(
            candidates,
            options["n"],
            sentences=sentences,
            choosers=choosers,
            seed=options["seed"],
            contexts=options["contexts"],
            labels=labels,
            share=0.5 if options["constituents"] is None else options["constituents"],
            ranks=options["ranks"],
        )
        self._tell(options["n"], len(phrases), candidates, cuts, used, items)
        if not items:
            self.refuse(f"{path}:0: no phrase passes the cut-offs; see above which to lower.")
        self._write(options, items, labels, corpus, model, _about(options, used, candidates))

    def _choosers(
        self,
        options: dict[str, Any],
        phrases: dict[str, list[Place]],
        labels: Sequence[SentenceLabels] | None,
        model: LanguageModel | None,
    ) -> dict[str, Chooser]:
        choosers = {}
        for place in options["phrases"]:
            source = open_source(place, phrases, marks=options["marks"])
            choosers[place.stem] = Chooser(
                source,
                model=model,
                parsed=labels is not None,
                weight=options["lm_weight"],
                per_word=options["lm_per_word"],
                min_labelled=options["min_labelled"],
            )
            if labels is not None and not source.labels:
                self._warn(place, "has no labels, so there are no conditions 2 to 7 of it.")
        return choosers

    def _tell(
        self,
        n: int,
        every: int,
        candidates: Candidates,
        cuts: Cuts,
        used: Cuts,
        items: list[BuiltItem],
    ) -> None:
        lowered = [
            f"{name} from {before} to {now}"
            for name, before, now in (
                ("test count", cuts.test_least, used.test_least),
                ("train count", cuts.train_least, used.train_least),
            )
            if before != now
        ]
        if lowered:
            self.stderr.write(
                f"Fewer than {n} phrases pass the default cut-offs, so these are lowered: "
                f"{', '.join(lowered)}."
            )
        self.stderr.write(f"{every} phrases in the sentences; removed:")
        for name, count in candidates.removed.items():
            self.stderr.write(f"  {name}: {count}")
        drawn = {item.drawn.phrase: item.drawn for item in items}
        if len(drawn) < n:
            self.stderr.write(f"There are only {len(drawn)} phrases of the {n} asked for.")
        if any(one.constituent is not None for one in drawn.values()):
            whole = sum(one.constituent is True for one in drawn.values())
            self.stderr.write(f"{whole} of {len(drawn)} phrases are constituents.")
        texts = sum(len(item.by_text()) for item in items)
        self.stderr.write(
            f"{len(drawn)} phrases, {len(items)} items, {texts} paraphrases to judge."
        )
        for system in dict.fromkeys(one.system for item in items for one in item.outputs):
            gives = sum(
                any(one.system == system and one.choice is not None for one in item.outputs)
                for item in items
            )
            self.stderr.write(f"  {system}: for {gives} items ({gives / len(items):.2f})")

    def _write(
        self,
        options: dict[str, Any],
        items: list[BuiltItem],
        labels: Sequence[SentenceLabels] | None,
        corpus: Corpus | None,
        model: LanguageModel | None,
        about: dict[str, Any],
    ) -> None:
        output: Path = options["output"]
        kind = FORMATS.get(output.suffix.lower(), "csv")
        if kind == "ccb" and len(writable_items := writable(items)) < len(items):
            lost = len(items) - len(writable_items)
            self._warn(output, f"{lost} items cannot be written in this format; use .csv.")
            items = writable_items
        with self.refusing(output):
            with atomic_file(output) as stream:
                if kind == "ccb":
                    write_ccb(ccb_rows(items), stream)
                else:
                    shown = columns(
                        parses=labels is not None, train=corpus is not None, model=model is not None
                    )
                    write_rows(item_rows(items), stream, shown, format=kind)
            if (place := beside(output)) is not None:
                with atomic_file(place) as stream:
                    stream.write((json.dumps(about, indent=1) + "\n").encode())

    def _warn(self, place: Path, message: str) -> None:
        self.stderr.write(f"{place}:0: warning: {message}")


def _problems(options: dict[str, Any]) -> list[str]:
    problems = []
    if options["n"] < 1 or options["contexts"] < 1:
        problems.append("--n and --contexts are 1 or more.")
    if not 1 <= options["min_words"] <= options["max_words"] <= 8:
        problems.append("--min-words and --max-words: from 1 to 8, the least first.")
    if (test := options["test_count"]) and not 1 <= test[0] <= test[1]:
        problems.append("--test-count: LEAST and MOST, from 1.")
    share = options["constituents"]
    if share is not None and not options["parses"]:
        problems.append("--constituents needs --parses.")
    if share is not None and not 0 <= share <= 1:
        problems.append("--constituents: a share is from 0 to 1.")
    if not isfinite(options["lm_weight"]):
        problems.append("--lm-weight: a number.")
    stems = [place.stem for place in options["phrases"]]
    if len(set(stems)) < len(stems):
        problems.append("--phrases: two have the same name, which systems are called by.")
    read = [options["sentences"], *options["phrases"], options["parses"], options["lm"]]
    if options["output"].resolve() in {Path(one).resolve() for one in read if one}:
        problems.append(f"{options['output']}:0: -o names a file to be read; use another name.")
    return problems


def _about(options: dict[str, Any], used: Cuts, candidates: Candidates) -> dict[str, Any]:
    """What the test set was made of: inputs with their SHA-256, options, cut-offs and what they
    removed."""
    inputs = {
        "sentences": [options["sentences"]],
        "phrases": options["phrases"],
        "lm": [options["lm"]],
        "parses": [options["parses"]],
        "train": [options["train"]],
        "grammar_words": [options["grammar_words"]],
    }
    named = (
        "n",
        "seed",
        "min_words",
        "max_words",
        "constituents",
        "contexts",
        "lm_weight",
        "lm_per_word",
        "min_labelled",
        "marks",
        "ranks",
    )
    return {
        "made_by": "build_testset",
        "inputs": {
            role: [{"name": Path(one).name, "sha256": _digest(Path(one))} for one in places if one]
            for role, places in inputs.items()
        },
        "options": {name: options[name] for name in named},
        "cut_offs": {
            "test_count": [used.test_least, used.test_most],
            "train_count": used.train_least if options["train"] else None,
        },
        "removed": candidates.removed,
    }


def _digest(place: Path) -> str:
    """The SHA-256 of a file, or of what a store was made from."""
    if not place.is_dir():
        return sha256(place)
    return str(json.loads((place / ABOUT).read_text(encoding="utf-8"))["sha256"])


# The rows of a test set: an items file, or the evaluation file of the guide.


COLUMNS = (
    Column("item"),
    Column("phrase"),
    Column("sentence"),
    Column("start", "integer"),
    Column("end", "integer"),
    Column("paraphrase"),
    Column("system"),
    Column("rank", "integer"),
)
_LABEL = Column(LABEL)
_TEST_COUNT = Column(TEST_COUNT, "integer")
_TRAIN_COUNT = Column(TRAIN_COUNT, "integer")
_CONSTITUENT = Column(CONSTITUENT)
_PROBABILITY = Column(PROBABILITY, "number")
_FLUENCY = Column(FLUENCY, "number")


def columns(*, parses: bool, train: bool, model: bool) -> tuple[Column, ...]:
    """The columns of the items file: attributes only of the parts that are there."""
    return (
        *COLUMNS,
        *((_LABEL, _CONSTITUENT) if parses else ()),
        _TEST_COUNT,
        *((_TRAIN_COUNT,) if train else ()),
        _PROBABILITY,
        *((_FLUENCY,) if model else ()),
    )


def ccb_rows(items: Iterable[BuiltItem]) -> Iterator[CcbRow]:
    """A row for each text, with all systems that gave it; second paraphrases of condition k have
    the number k + 8, as in the guide."""
    for item in items:
        for text, outputs in item.by_text().items():
            systems = []
            for output in outputs:
                source, _, condition = output.system.rpartition(":")
                place = int(condition) + SECOND * (output.rank - 1)
                systems.append(f"{source}:{place}" if source else str(place))
            yield CcbRow(item.drawn.phrase, item.sentence, item.start, item.end, text, systems)


def writable(items: Sequence[BuiltItem]) -> list[BuiltItem]:
    """The items that the guide's format can represent."""
    return [item for item in items if all(ccb_obstacle(row) is None for row in ccb_rows([item]))]
