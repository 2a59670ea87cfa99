"""The README of the folder of mt-metrics-eval: how to load it, and what its files are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.paper.markdown import markdown_table

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


Told = tuple[str, tuple[str, ...], Mapping[str, str], Sequence[MetricFile]]


def mtme_readme(name: str, told: Sequence[Told], *, lower: Sequence[str], stand_in: str) -> str:
    """`told` has for each language pair its references, human columns (with the name in files) and
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
    for pair, references, human, metrics in told:
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
