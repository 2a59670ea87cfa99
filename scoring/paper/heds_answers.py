"""What a campaign answers to the questions of HEDS 3.0; the rest is for the authors.

Answers about a criterion are about one scale. Of judgments that were imported the product knows
neither interface nor conditions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scoring.paper.facts import Facts, ScaleFacts
from scoring.paper.heds import OTHER, SheetAnswer, place_of
from scoring.paper.methods import checks, contexts, counted, joined, languages

Report = Mapping[str, Any]
MOST_CHOSEN = 9  # Values of a scale that are chosen; those of a larger one are typed.
PHRASE, SENTENCE, PARAPHRASING, NONE_OF_THEM, OTHER_FEEDBACK = 4, 5, 13, 5, 4
AUTOMATIC, EXCLUDES, SOME_EXCLUDED = 2, 4, 5
SUBJECTIVE, ABSOLUTE, RELATIVE, INTRINSIC = 2, 1, 2, 1
CHOICES, OTHER_SCALE, ESTIMATION, LABELLING = 1, 5, 2, 7
NOT_ASSESSED = "IntraAA not assessed"
TOLD = (
    "percent_agreement",
    "within_one",
    "cohen_kappa_pooled_quadratic",
    "alpha_nominal",
    "alpha_ordinal",
    "alpha_interval",
    "gwet_ac2",
    "icc_2_1",
    "icc_2_k",
)
TESTS = (
    "Means and shares with intervals by leaving out whole phrases (jackknife; of shares Wilson's "
    "with the effective sample size); differences between systems by permutation tests that swap "
    "systems in whole phrases, adjusted over all pairs (max-T)"
)


def answers_of(facts: Facts, signature: str) -> dict[str, SheetAnswer]:
    """Answers by number of the question, without those about criteria."""
    found = {
        "1.1.2": _experiment(facts),
        **_systems(facts),
        "3.1.1": _outputs(facts),
        **_evaluators(facts),
        **_quality(facts),
    }
    if facts.in_browser:
        found |= _interface(facts, signature)
    return {number: one for number, one in found.items() if one.text or one.ticked}


def _experiment(facts: Facts) -> SheetAnswer:
    scales = joined([scale.name for scale in facts.scales]) if facts.scales else "no scale"
    systems = f" of {counted(len(facts.systems), 'system')}" if facts.systems else ""
    return SheetAnswer(
        f"{facts.name} ({facts.slug}): ratings of {scales} for "
        f"{counted(facts.texts, 'paraphrase')}{systems}, for {contexts(facts)}"
    )


def _systems(facts: Facts) -> dict[str, SheetAnswer]:
    kinds = [PHRASE] if facts.items > facts.design.whole or not facts.design.whole else []
    units = (*kinds, *([SENTENCE] if facts.design.whole else []))
    known = [name for name in facts.design.languages if name]
    places = sorted({place_of(name) for name in known})
    told = joined(languages(facts)) if OTHER in places else ""
    spoken = SheetAnswer(told, tuple(places))
    return {
        "2.1": SheetAnswer("", units),
        "2.2": SheetAnswer("", units),
        "2.3": SheetAnswer("", (PARAPHRASING,)),
        "2.4": spoken,
        "2.5": spoken,
    }


def _outputs(facts: Facts) -> SheetAnswer:
    made = facts.design.outputs
    if not made:
        return SheetAnswer(f"{counted(facts.texts, 'text')} without system labels")
    if len(set(made.values())) == 1:
        return SheetAnswer(str(next(iter(made.values()))))
    each = "; ".join(f"{label} {n:,}" for label, n in sorted(made.items()))
    return SheetAnswer(
        f"{each} (distinct texts; equal texts of several systems are judged once, and not every "
        "system gave a text for every item)"
    )


def _evaluators(facts: Facts) -> dict[str, SheetAnswer]:
    people = facts.n_annotators - facts.simulated
    known = not facts.annotators.get("anonymous")
    told = list(facts.design.told)
    if facts.simulated:
        what = f"{facts.simulated} of {facts.n_annotators} SIMULATED by a program"
        only = ": this is not a human evaluation"
        told.insert(0, what if people else f"all {what}{only}")
    elif known and not told and facts.in_browser:
        told = ["not asked"]
    return {
        "3.2.1": SheetAnswer(str(people) if known else ""),
        "3.2.4": _training(facts) if facts.in_browser else SheetAnswer(),
        "3.2.5": SheetAnswer("; ".join(told)),
    }


def _training(facts: Facts) -> SheetAnswer:
    told = []
    if facts.guideline_version:
        told.append(f"guidelines (version {facts.guideline_version}), at hand while rating")
    if facts.practice_required and facts.practice_share is not None:
        told.append(
            "practice with feedback on each answer, then a test; "
            f"pass mark {facts.practice_share:.0%} correct"
        )
    return SheetAnswer("; ".join(told) or "none")


def _quality(facts: Facts) -> dict[str, SheetAnswer]:
    hidden, ruled = checks(facts), [one for one in facts.design.exclusions if one.rule]
    tested = facts.practice_required
    ticked = [AUTOMATIC] if hidden or facts.rules else []
    ticked += [EXCLUDES] if tested or any("exclude who" in one for one in facts.rules) else []
    ticked += [SOME_EXCLUDED] if ruled else []
    told = [f"hidden among the sheets: {joined(hidden)}"] if hidden else []
    told += [f"rules: {'; '.join(facts.rules)}"] if facts.rules else []
    told += ["a test before the first sheet"] if tested else []
    told += [f"excluded: {one}" for one in excluded(facts)]
    if not told and facts.in_browser:
        told = ["no checks, rules or test in the software"]
    return {
        "3.3.3.1": SheetAnswer("", tuple(ticked)),
        "3.3.3.2": SheetAnswer(". ".join(one[:1].upper() + one[1:] for one in told)),
    }


def excluded(facts: Facts) -> Iterator[str]:
    """Every exclusion in force with its reason."""
    for one in facts.design.exclusions:
        by = "own wish" if one.withdrawal else f'rule "{one.rule}"' if one.rule else "researchers"
        yield f"{one.kind} {one.name} since {one.since} ({by}: {one.reason})"


def _interface(facts: Facts, signature: str) -> dict[str, SheetAnswer]:
    shown = "one paraphrase at a time" if facts.layout == "single" else "its paraphrases"
    most = f", at most {facts.max_per_sheet} on a sheet" if facts.max_per_sheet else ""
    guided = "the guidelines, " if facts.guideline_version else ""
    return {
        "3.3.2": SheetAnswer(f"{signature}, in a browser"),
        "3.3.4.2": SheetAnswer(
            f"the original and, below, {shown}{most}, with the scales, their labels and anchors; "
            f'{guided}and a button for "cannot judge". System names, metric '
            "scores and other evaluators' judgments are hidden; the order of presentation is "
            "random for each evaluator"
        ),
        "3.3.5": SheetAnswer(
            "The software sets no time limit; a sheet that is not finished is given to others "
            "after a while",
            (NONE_OF_THEM,),
        ),
        "3.3.6": SheetAnswer(
            "Evaluators can flag a text and comment on it at any time", (OTHER_FEEDBACK,)
        ),
    }


def criterion_of(
    facts: Facts, scale: ScaleFacts, agreement: Report, names: Mapping[str, str]
) -> dict[str, SheetAnswer]:
    """Answers about one scale by number of the question."""
    chosen = scale.size <= MOST_CHOSEN
    many = facts.texts > facts.items and facts.layout != "single"
    labelled = scale.level == "nominal"
    values = [_point(*point) for point in scale.points]
    found = {
        "4.2.1": SheetAnswer("", (SUBJECTIVE,)),
        "4.2.3": SheetAnswer("", (INTRINSIC,)),
        "4.3.1.1": SheetAnswer(scale.name),
        "4.3.2": SheetAnswer(
            "; ".join([scale.question, *values]).strip("; ") or "no definition given"
        ),
        "4.3.3": SheetAnswer(str(scale.size)),
        "4.3.4": SheetAnswer(_values(scale)),
        "4.3.6": SheetAnswer("N/A"),
        "4.3.7": SheetAnswer(scale.question or scale.name),
        "4.3.8": SheetAnswer("", (LABELLING if labelled else ESTIMATION,)),
        "4.3.9": SheetAnswer(_aggregated(scale, labelled=labelled)),
        "4.3.10": SheetAnswer(TESTS),
        **_agreement(scale, agreement["scales"].get(scale.name, {}), names),
        **_again(facts, scale, labelled=labelled),
    }
    if facts.in_browser:
        found["4.2.2"] = SheetAnswer("", (RELATIVE if many else ABSOLUTE,))
        found["4.3.5"] = (
            SheetAnswer("", (CHOICES,))
            if chosen
            else SheetAnswer("A number is typed", (OTHER_SCALE,))
        )
    return {number: one for number, one in found.items() if one.text or one.ticked}


def _point(value: float, label: str, definition: str) -> str:
    return f"{value:g} = " + (": ".join(part for part in (label, definition) if part) or "–")


def _values(scale: ScaleFacts) -> str:
    better = "higher" if scale.higher_is_better else "lower"
    direction = "" if scale.level == "nominal" else f", {better} is better"
    return (
        f"{scale.minimum:g} to {scale.maximum:g} in steps of {scale.step:g} ({scale.level}"
        f"{direction})"
    )


def _aggregated(scale: ScaleFacts, *, labelled: bool) -> str:
    passes = f"; share of judgments that pass ({scale.passes})" if scale.passes else ""
    return f"{'share of each value' if labelled else 'mean over evaluators'}{passes}"


def _agreement(
    scale: ScaleFacts, block: Report, names: Mapping[str, str]
) -> dict[str, SheetAnswer]:
    keys = block["leads"] if "specific" in block else TOLD
    found = {names[key]: block[key] for key in keys if key in names and key in block}
    each = block.get("specific", {})
    found |= {f"Agreement on {scale.called(value)}": one for value, one in each.items()}
    return {
        "4.3.11.1": SheetAnswer("; ".join(found)),
        "4.3.11.2": SheetAnswer(
            "; ".join(f"{name}: {value_of(one)}" for name, one in found.items())
        ),
    }


def value_of(found: Report) -> str:
    """A coefficient with its interval, or why it is undefined."""
    if found["value"] is None:
        return str(found["reason"])
    if found.get("ci_low") is None:
        return f"{found['value']:.3f} (n = {found['n']})"
    return (
        f"{found['value']:.3f} [{found['ci_low']:.3f}, {found['ci_high']:.3f}], "
        f"for {found['generalises_to']} (n = {found['n']})"
    )


def _again(facts: Facts, scale: ScaleFacts, *, labelled: bool) -> dict[str, SheetAnswer]:
    one = facts.design.repeats.get(scale.name)
    if one is None:
        return {"4.3.12.1": SheetAnswer(NOT_ASSESSED), "4.3.12.2": SheetAnswer(NOT_ASSESSED)}
    asked = f"{counted(one.n, 'judgment')} repeated by the same evaluator, unannounced"
    if labelled:
        return {
            "4.3.12.1": SheetAnswer(f"{asked}: share with the same value"),
            "4.3.12.2": SheetAnswer(f"{one.equal:.3f} the same"),
        }
    return {
        "4.3.12.1": SheetAnswer(
            f"{asked}: shares with the same value, and at most one point from it"
        ),
        "4.3.12.2": SheetAnswer(f"{one.equal:.3f} the same, {one.within:.3f} within one point"),
    }
