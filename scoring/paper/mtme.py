"""Export in the layout of mt-metrics-eval (github.com/google-research/mt-metrics-eval, README), so
that its tools read a campaign like a WMT test set.

A segment is an item, a document its phrase, the source the original sentence, and a system's output
the sentence with the system's rank-1 paraphrase substituted. Items of different languages are
different language pairs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from scoring.paper.rows import markdown_table

# The README of the folder of mt-metrics-eval: how to load it, and what its files are.


TOOL = "https://github.com/google-research/mt-metrics-eval"


@dataclass(frozen=True, slots=True)
class MetricFile:
    """A metric in the folder. `gaps`: texts without a score; `corpus`: whether a system's score is
    the metric's own; `whole`: whether every system has one."""

    name: str
    label: str
    signature: str
    higher_is_better: bool
    gaps: int
    corpus: bool
    whole: bool


NamedFiles = tuple[str, tuple[str, ...], Mapping[str, str], Sequence[MetricFile]]


def mtme_readme(
    name: str, pairs: Sequence[NamedFiles], *, lower: Sequence[str], stand_in: str
) -> str:
    """`pairs` has for each language pair its references, human columns (with the name in files) and
    metrics."""
    lines = [
        f"# {name} in the layout of mt-metrics-eval",
        "",
        f"The layout is that of {TOOL} (README, File organization). The pip package of that name "
        "is another author's: install the tool from its repository.",
        "",
        "Source: the original. Output: the original with the system's paraphrase of the best rank "
        "in its place. Document: the phrase. Human scores: the mean over annotators.",
        "",
    ]
    for pair, references, human, metrics in pairs:
        lines += _pair(name, pair, references, human, metrics, stand_in)
        turned = [written for one, written in human.items() if one in lower]
        if turned:
            lines += [f"Lower is better in the human scores {', '.join(turned)}.", ""]
    return "\n".join(lines)


def _pair(
    name: str,
    pair: str,
    references: Sequence[str],
    human: Mapping[str, str],
    metrics: Sequence[MetricFile],
    stand_in: str,
) -> list[str]:
    gold = next(iter(human.values()), "")
    lines = [f"## {pair}", ""]
    if pair.startswith("und-"):
        lines += ["The campaign does not say its language: `und` is undetermined.", ""]
    if stand_in in references:
        lines += [
            f"There is no reference. The tool loads no test set without one, so `{stand_in}` "
            "repeats the sources.",
            "",
        ]
    lines += [
        "```python",
        "from mt_metrics_eval import data, meta_info",
        "",
        f'info = meta_info.MetaInfo("{references[0]}", {{"sys": "{gold}", "seg": "{gold}"}}, '
        "set(), set())",
        f'data.EvalSet("{name}", "{pair}", True, info, path="mt-metrics-eval", strict=True)',
        "```",
        "",
    ]
    if not metrics:
        return lines
    table = markdown_table(
        ["File", "Metric", "Better", "Score of a system", "Left out", "Signature"],
        [
            [
                one.name,
                one.label,
                "higher" if one.higher_is_better else "lower",
                "of the corpus" if one.corpus else "mean of segments",
                _left_out(one),
                one.signature or "unknown",
            ]
            for one in metrics
        ],
        caption="Metrics",
    )
    return [*lines, table]


def _left_out(one: MetricFile) -> str:
    left = [f"segments: {one.gaps} texts have no score"] if one.gaps else []
    left += [] if one.whole else ["systems: one has no score"]
    return "; ".join(left) or "nothing"


Of = TypeVar("Of")
Scores = Mapping[str, Sequence[float | None]]
Corpus = Callable[[str, Sequence[int]], float | None]
File = tuple[str, str]
MISSING = "[No translation supplied]"  # What mt-metrics-eval reads as no text.
# mt-metrics-eval loads no test set without a reference.
STAND_IN = "original"
# ISO 639-2 has a code for "undetermined".
UNDETERMINED = "und"
ALL = 3  # From so many references on, mt-metrics-eval calls a metric that uses each of them "all".


@dataclass(frozen=True, slots=True)
class MetricScores:
    """The scores of one metric.

    segments          system -> one score per segment, None for a missing score
    signature         what reproduces the scores; "" if unknown
    references        names of the sets of references that it read; empty: it read none
    corpus            score of (system, segments) by the metric's own rule; None: the mean
    """

    segments: Scores
    signature: str = ""
    references: tuple[str, ...] = ()
    corpus: Corpus | None = None
    higher_is_better: bool = True


@dataclass(frozen=True, slots=True)
class Segments:
    """Segments in order, those of one document adjacent.

    documents, sources   one text per segment
    references           name -> one text per segment, None for a missing reference
    outputs              system -> one text per segment, None for a missing output
    human                name -> system -> one score per segment, None for a missing score
    metrics              name -> its scores
    languages            BCP 47, one per segment, "" where it is unknown; () if all are
    lower                the human columns for which lower is better
    """

    documents: Sequence[str]
    sources: Sequence[str]
    references: Mapping[str, Sequence[str | None]]
    outputs: Mapping[str, Sequence[str | None]]
    human: Mapping[str, Scores]
    metrics: Mapping[str, MetricScores] = field(default_factory=dict)
    languages: Sequence[str] = ()
    lower: tuple[str, ...] = ()

    def by_language(self) -> Iterator[tuple[str, Segments]]:
        """Yield (language, its segments), in order of the language."""
        languages = self.languages or [""] * len(self.sources)
        for language in sorted(set(languages)):
            part = self._part([at for at, one in enumerate(languages) if one == language])
            yield language, part._without_silent_systems()

    def _part(self, places: Sequence[int]) -> Segments:
        human = {name: _taken(scores, places) for name, scores in self.human.items()}
        metrics = {
            name: replace(
                one,
                segments=_taken(one.segments, places),
                corpus=_moved(one.corpus, places) if one.corpus else None,
            )
            for name, one in self.metrics.items()
        }
        return replace(
            self,
            documents=[self.documents[at] for at in places],
            sources=[self.sources[at] for at in places],
            references=_taken(self.references, places),
            outputs=_taken(self.outputs, places),
            human=human,
            metrics=metrics,
            languages=[self.languages[at] for at in places] if self.languages else (),
        )

    def _without_silent_systems(self) -> Segments:
        made = [label for label, texts in self.outputs.items() if any(texts)]

        def restrict(scores: Scores) -> Scores:
            return {label: scores[label] for label in made}

        return replace(
            self,
            outputs={label: self.outputs[label] for label in made},
            human={name: restrict(scores) for name, scores in self.human.items()},
            metrics={
                name: replace(one, segments=restrict(one.segments))
                for name, one in self.metrics.items()
            },
        )


def _taken(columns: Mapping[str, Sequence[Of]], places: Sequence[int]) -> dict[str, Sequence[Of]]:
    return {name: [column[at] for at in places] for name, column in columns.items()}


def _moved(corpus: Corpus, places: Sequence[int]) -> Corpus:
    return lambda system, chosen: corpus(system, [places[at] for at in chosen])


def mtme_files(segments: Segments, *, name: str) -> Iterator[File]:
    """Yield (name, content) of every file of the test set `name`, and a README beside it.

    The layout allows no gaps in metric scores: a metric without a score for some text has no
    segment file, and one without a score for some system no system file. The README lists both.
    The score of a system is the metric's own over the texts of the folder (BLEU of a corpus is no
    mean of sentences), else the mean over its segments.
    """
    names = Names.of(segments)
    pairs = []
    for language, part in segments.by_language():
        pair = language_pair(language)
        available = {one: texts for one, texts in part.references.items() if any(texts)}
        references = available or {STAND_IN: part.sources}
        for file, text in _texts(part, references, names, pair):
            yield f"{name}/{file}", text
        listed = []
        for entry, files in _metrics(replace(part, references=available), names, pair):
            listed.append(entry)
            yield from ((f"{name}/{file}", text) for file, text in files)
        pairs.append((pair, tuple(references), names.human, listed))
    yield "README.md", mtme_readme(name, pairs, lower=segments.lower, stand_in=STAND_IN)


@dataclass(frozen=True, slots=True)
class Names:
    """What the files call systems, human columns and metrics, the same in every pair."""

    systems: Mapping[str, str]
    human: Mapping[str, str]
    metrics: Mapping[str, str]

    @classmethod
    def of(cls, segments: Segments) -> Names:
        taken = (*segments.references, STAND_IN)  # A system of that name would be taken for it.
        return cls(
            _names(segments.outputs, taken=taken),
            _names(segments.human, _plain),
            _names(segments.metrics, _plain),
        )


def language_pair(language: str) -> str:
    """The pair in the names of files: a hyphen parts it, so `pt-BR` is written `pt_BR`."""
    plain = re.sub(r"[^0-9A-Za-z]+", "_", language) or UNDETERMINED
    return f"{plain}-{plain}"


def _texts(
    segments: Segments,
    references: Mapping[str, Sequence[str | None]],
    names: Names,
    pair: str,
) -> Iterator[File]:
    documents = _names(dict.fromkeys(segments.documents))
    yield f"sources/{pair}.txt", _lines(map(_line, segments.sources))
    yield (
        f"documents/{pair}.docs",
        _lines(f"phrase {documents[one]}" for one in segments.documents),
    )
    for name, texts in references.items():
        yield f"references/{pair}.{name}.txt", _lines(map(_line, texts))
    for label, made in segments.outputs.items():
        yield f"system-outputs/{pair}/{names.systems[label]}.txt", _lines(map(_line, made))
    for name, scores in segments.human.items():
        where = f"human-scores/{pair}.{names.human[name]}"
        yield f"{where}.seg.score", _single(scores, names.systems)
        means = {label: _mean(column) for label, column in scores.items()}
        yield f"{where}.sys.score", _whole(means, names.systems)


def _metrics(
    segments: Segments, names: Names, pair: str
) -> Iterator[tuple[MetricFile, list[File]]]:
    for label, one in segments.metrics.items():
        used = [name for name in segments.references if name in one.references]
        every = len(used) == len(segments.references) and len(used) >= ALL
        name = f"{names.metrics[label]}-{'all' if every else '.'.join(used) or 'src'}"
        where = f"metric-scores/{pair}/{name}"
        written: list[File] = []
        gaps = sum(score is None for column in one.segments.values() for score in column)
        if not gaps:
            written.append((f"{where}.seg.score", _single(one.segments, names.systems)))
        whole = {system: _of_system(one, system) for system in one.segments}
        if None not in whole.values():
            written.append((f"{where}.sys.score", _whole(whole, names.systems)))
        yield (
            MetricFile(
                name,
                label,
                one.signature,
                one.higher_is_better,
                gaps,
                corpus=one.corpus is not None,
                whole=None not in whole.values(),
            ),
            written,
        )


def _of_system(metric: MetricScores, system: str) -> float | None:
    if metric.corpus is None:
        return _mean(metric.segments[system])
    return metric.corpus(system, range(len(metric.segments[system])))


def _single(scores: Scores, systems: Mapping[str, str]) -> str:
    return _lines(
        f"{systems[label]}\t{_number(value)}"
        for label, column in scores.items()
        for value in column
    )


def _whole(scores: Mapping[str, float | None], systems: Mapping[str, str]) -> str:
    return _lines(f"{systems[label]}\t{_number(value)}" for label, value in scores.items())


def _mean(column: Sequence[float | None]) -> float | None:
    there = [value for value in column if value is not None]
    return sum(there) / len(there) if there else None


def _number(value: float | None) -> str:
    return "None" if value is None else f"{value:.10g}"


def _line(text: str | None) -> str:
    """Return a text on one line: line breaks become spaces."""
    return MISSING if text is None else " ".join(text.splitlines())


def _lines(lines: Iterator[str] | Sequence[str] | map[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _plain(name: str) -> str:
    """Return a name of letters, digits, _ and +: dots, hyphens and slashes are the layout's own,
    and not every disk takes the signs of options."""
    return re.sub(r"[^\w+]+", "_", name).strip("_") or "_"


def _solid(name: str) -> str:
    """Return a name without spaces and slashes."""
    return re.sub(r"[\s/\\]+", "_", name).strip("_.") or "_"


def _names(
    labels: Mapping[str, object],
    written: Callable[[str], str] = _solid,
    taken: Sequence[str] = (),
) -> dict[str, str]:
    """Map each label to a unique name that is valid in the layout, and not one of `taken`."""
    names: dict[str, str] = {}
    for label in labels:
        name = written(label)
        while name in names.values() or name in taken:
            name += "_"
        names[label] = name
    return names
