"""Texts of the agreement page: the verdict of each scale, and the labels of coefficients."""

from __future__ import annotations

from django.utils.translation import gettext as _

from paraanno.minus import minus
from paraanno.translated import translated
from scoring.stats.agreement.catalogue import coefficients
from scoring.stats.agreement.json_types import ScaleBlock, estimates_of


def label(key: str) -> str:
    """The label of a coefficient; its key if its package is no longer installed."""
    known = coefficients().get(key)
    return translated(known.label) if known else key


def sentence(block: ScaleBlock) -> str:
    """The verdict of the agreement page: "can I trust these judgments?" in one sentence."""
    answer = block["answer"]
    alpha = estimates_of(block)[answer["coefficient"]]
    named = {"alpha": label(answer["coefficient"])}
    if alpha["value"] is not None:
        named["value"] = minus(f"{alpha['value']:.3f}")
    if alpha["ci_low"] is not None:
        named["interval"] = minus(f"{alpha['ci_low']:.3f} – {alpha['ci_high']:.3f}")
    if answer.get("agreed") is not None:
        named["share"] = f"{100 * (answer['agreed'] or 0):.0f}"
    sentences = {
        "yes": _(
            "Yes: annotators agree well enough to rely on their judgments (%(alpha)s %(value)s, "
            "and its entire interval %(interval)s is at least .800)."
        ),
        "tentative": _(
            "For tentative conclusions only: annotators agree fairly well (%(alpha)s %(value)s, "
            "and its entire interval %(interval)s is at least .667, but not .800)."
        ),
        "no": _(
            "No: annotators agree too little to rely on single judgments (%(alpha)s %(value)s, "
            "and its entire interval %(interval)s is below .667)."
        ),
        "unsure": _(
            "Undecided: %(alpha)s is %(value)s, but its interval %(interval)s extends from below "
            ".667 to above it; more texts are needed."
        ),
        "no interval": _(
            "Undecided: %(alpha)s is %(value)s, but there are too few texts for an interval."
        ),
        "all agree": _(
            "Undecided: annotators agree on every text, so that %(alpha)s %(value)s has no "
            "interval. All that can be said: they agree on at least %(share)s %% of new texts."
        ),
        "no width": _(
            "Undecided: %(alpha)s is %(value)s whichever texts are drawn, so that it has no "
            "interval; more texts are needed."
        ),
        "undefined": _("Undecided: %(alpha)s is undefined here."),
    }
    return sentences[answer["verdict"]] % named


def mean_sentence(block: ScaleBlock) -> str:
    """The reliability of gold in one sentence, by the intraclass correlation that fits the design,
    or ""."""
    answer = block["answer"]
    if answer["bands"] is None:
        return ""
    bands = {
        "poor": _("poor"),
        "moderate": _("moderate"),
        "good": _("good"),
        "excellent": _("excellent"),
    }
    low, high = (bands[one] for one in answer["bands"])
    named = {
        "icc": label(answer["icc"]),
        "value": minus(f"{estimates_of(block)[answer['icc']]['value']:.2f}"),
        "band": low if low == high else _("%(low)s to %(high)s") % {"low": low, "high": high},
    }
    first = _("Gold, the mean of a text’s ratings, has %(band)s reliability: %(icc)s %(value)s.")
    gold = answer.get("gold")
    if gold is None:
        return first % named  # A report of the version before does not say whom it speaks of.
    named["ends"] = minus(f"{gold['ci_low']:.2f} – {gold['ci_high']:.2f}")
    more = _("Interval for new texts and new annotators: %(ends)s.")
    if not gold["new_annotators"]:
        more = _(
            "Interval for new texts and these annotators: %(ends)s. What other annotators would "
            "give cannot be said here."
        )
    return f"{first % named} {more % named}"


def extra_sentence(block: ScaleBlock) -> str:
    """That texts on which annotators disagree have more ratings, and what that does; or ""."""
    found = block.get("extra_ratings")
    if found is None or not found["notice"]:
        return ""
    return _(
        "Annotators disagree more on texts with more ratings: %(more)s of the pairs of ratings "
        "differ there, %(fewer)s where there are fewer ratings. If more ratings were requested "
        "where annotators disagreed, every coefficient is biased, percent agreement upwards: "
        "compute agreement on the first ratings alone."
    ) % {"more": f"{found['more']:.2f}", "fewer": f"{found['fewer']:.2f}"}


def why_form(code: str) -> str:
    """The reason why this intraclass correlation fits the design (Koo and Li 2016)."""
    reasons = {
        "crossed": _(
            "fits the design: annotators are a sample of possible annotators, and gold is the "
            "mean of their ratings"
        ),
        "anonymous": _(
            "fits the design: it is unknown which annotator gave which rating, so severity "
            "cannot be separated from noise"
        ),
        "not crossed": _(
            "the only form possible: annotators share too few texts to separate their severity "
            "from the texts"
        ),
    }
    return reasons[code]
