"""What the page of agreement says of each coefficient, and the sentence that it begins with."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from paraanno.numbers import minus

# (key of the report, what the page calls it, what it says)
STATISTICS = [
    (
        "percent_agreement",
        gettext_lazy("Percent agreement"),
        gettext_lazy("share of agreeing pairs of ratings, mean over texts"),
    ),
    (
        "within_one",
        gettext_lazy("Within one point"),
        gettext_lazy("share of pairs of ratings at most one point apart"),
    ),
    (
        "alpha_nominal",
        gettext_lazy("Krippendorff’s α, nominal"),
        gettext_lazy("every difference counts alike"),
    ),
    (
        "alpha_ordinal",
        gettext_lazy("Krippendorff’s α, ordinal"),
        gettext_lazy("differences by rank"),
    ),
    (
        "alpha_interval",
        gettext_lazy("Krippendorff’s α, interval"),
        gettext_lazy("differences squared"),
    ),
    (
        "gwet_ac1",
        gettext_lazy("Gwet’s AC1"),
        gettext_lazy("stays high where one value dominates"),
    ),
    ("gwet_ac2", gettext_lazy("Gwet’s AC2, quadratic"), gettext_lazy("AC1 for ordered values")),
    (
        "brennan_prediger",
        gettext_lazy("Brennan–Prediger"),
        gettext_lazy("chance is one value of the scale in as many as it has"),
    ),
    (
        "fleiss_kappa",
        gettext_lazy("Fleiss’ κ"),
        gettext_lazy("chance agreement from the whole group"),
    ),
    (
        "cohen_kappa",
        gettext_lazy("Cohen’s κ"),
        gettext_lazy("mean over pairs of annotators, on texts both judged"),
    ),
    (
        "cohen_kappa_linear",
        gettext_lazy("Cohen’s κ, linear weights"),
        gettext_lazy("as above, by distance"),
    ),
    (
        "cohen_kappa_quadratic",
        gettext_lazy("Cohen’s κ, quadratic weights"),
        gettext_lazy("by squared distance"),
    ),
    (
        "scott_pi",
        gettext_lazy("Scott’s π"),
        gettext_lazy("as Cohen’s κ, chance from both annotators together"),
    ),
    (
        "kendall_w",
        gettext_lazy("Kendall’s W"),
        gettext_lazy("agreement of rankings; complete texts only"),
    ),
    (
        "icc_1_1",
        gettext_lazy("ICC(1,1)"),
        gettext_lazy("one rating, annotators interchangeable"),
    ),
    ("icc_2_1", gettext_lazy("ICC(2,1)"), gettext_lazy("one rating, absolute agreement")),
    ("icc_3_1", gettext_lazy("ICC(3,1)"), gettext_lazy("one rating, consistency")),
    ("icc_1_k", gettext_lazy("ICC(1,k)"), gettext_lazy("the mean of k ratings")),
    (
        "icc_2_k",
        gettext_lazy("ICC(2,k)"),
        gettext_lazy("the mean of k ratings, absolute agreement"),
    ),
    (
        "icc_3_k",
        gettext_lazy("ICC(3,k)"),
        gettext_lazy("the mean of k ratings, consistency"),
    ),
]
LABELS = {key: label for key, label, _text in STATISTICS}
# On two values these say what their unweighted forms say, or nothing.
NOT_OF_PASSES = {
    "within_one", "alpha_ordinal", "alpha_interval", "gwet_ac2", "cohen_kappa_linear",
    "cohen_kappa_quadratic",
}  # fmt: skip

PAIRED = gettext_lazy("Texts with one rating are left out; otherwise every rating counts.")
MARGINS = gettext_lazy(
    "Texts with one rating count for how often values are used, not for agreement."
)
SHARED = gettext_lazy("Each pair of annotators on the texts that both rated.")
COMPLETE = gettext_lazy("Only texts that every annotator rated.")
MODEL = gettext_lazy(
    "Every rating counts; missing ones are taken as missing at random. k is the harmonic mean of "
    "the ratings per text."
)
# key: (formula, source, what happens to missing ratings)
FACTS: dict[str, tuple[str, str, Any]] = {
    "percent_agreement": ("mean over texts of Σ n(n−1) / m(m−1)", "Gwet 2014, pₐ", PAIRED),
    "within_one": ("pairs with |x − y| ≤ 1 / pairs", "van der Lee et al. 2021", PAIRED),
    "alpha_nominal": ("1 − Dₒ/Dₑ, δ² = [x ≠ y]", "Krippendorff 2011", PAIRED),
    "alpha_ordinal": ("1 − Dₒ/Dₑ, δ² = (mid-rank x − mid-rank y)²", "Krippendorff 2011", PAIRED),
    "alpha_interval": ("1 − Dₒ/Dₑ, δ² = (x − y)²", "Krippendorff 2011", PAIRED),
    "gwet_ac1": ("(p − e) / (1 − e), e = Σ π(1 − π) / (q − 1)", "Gwet 2008", MARGINS),
    "gwet_ac2": ("AC1 with weights 1 − (x − y)² / range²", "Gwet 2014", MARGINS),
    "brennan_prediger": ("(p − 1/q) / (1 − 1/q)", "Brennan & Prediger 1981", PAIRED),
    "fleiss_kappa": ("(p − e) / (1 − e), e = Σ π²", "Fleiss 1971; Gwet 2014", MARGINS),
    "cohen_kappa": ("(p − e) / (1 − e), e = Σ π₁π₂", "Cohen 1960; Light 1971", SHARED),
    "cohen_kappa_linear": ("1 − Σ|x − y| / E|x − y|", "Cohen 1968", SHARED),
    "cohen_kappa_quadratic": ("1 − Σ(x − y)² / E(x − y)²", "Cohen 1968", SHARED),
    "scott_pi": ("(p − e) / (1 − e), e = Σ ((π₁ + π₂)/2)²", "Scott 1955", SHARED),
    "kendall_w": ("12 S / (k²(n³ − n) − k Σ(t³ − t))", "Kendall & Gibbons 1990", COMPLETE),
    "icc_1_1": ("σ²ᵤ / (σ²ᵤ + σ²ₑ)", "Shrout & Fleiss 1979", MODEL),
    "icc_2_1": ("σ²ᵤ / (σ²ᵤ + σ²ₐ + σ²ₑ)", "Shrout & Fleiss 1979; McGraw & Wong 1996", MODEL),
    "icc_3_1": ("σ²ᵤ / (σ²ᵤ + σ²ₑ)", "Shrout & Fleiss 1979; McGraw & Wong 1996", MODEL),
    "icc_1_k": ("σ²ᵤ / (σ²ᵤ + σ²ₑ/k)", "Shrout & Fleiss 1979", MODEL),
    "icc_2_k": ("σ²ᵤ / (σ²ᵤ + (σ²ₐ + σ²ₑ)/k)", "Shrout & Fleiss 1979; Koo & Li 2016", MODEL),
    "icc_3_k": ("σ²ᵤ / (σ²ᵤ + σ²ₑ/k)", "Shrout & Fleiss 1979; McGraw & Wong 1996", MODEL),
}


def sentence(block: dict[str, Any]) -> str:
    """The answer to "can I trust these judgments?" in one sentence."""
    answer = block["answer"]
    alpha = block[answer["coefficient"]]
    named = {"alpha": str(LABELS[answer["coefficient"]])}
    if alpha["value"] is not None:
        named["value"] = minus(f"{alpha['value']:.3f}")
    if alpha["ci_low"] is not None:
        named["interval"] = minus(f"{alpha['ci_low']:.3f} – {alpha['ci_high']:.3f}")
    sentences = {
        "yes": _(
            "Yes: annotators agree well enough to rely on their judgments (%(alpha)s %(value)s, "
            "and its whole interval %(interval)s reaches .800)."
        ),
        "tentative": _(
            "For tentative conclusions: annotators agree fairly well (%(alpha)s %(value)s, and its "
            "whole interval %(interval)s reaches .667, but not .800)."
        ),
        "no": _(
            "No: annotators agree too little to rely on single judgments (%(alpha)s %(value)s, "
            "and its whole interval %(interval)s lies below .667)."
        ),
        "unsure": _(
            "That cannot be said yet: %(alpha)s is %(value)s, but its interval %(interval)s "
            "reaches from below .667 to above it; more texts would tell."
        ),
        "no interval": _(
            "That cannot be said yet: %(alpha)s is %(value)s, but there are too few texts to know "
            "how far chance moves it."
        ),
        "undefined": _("That cannot be said: %(alpha)s is undefined here."),
    }
    return sentences[answer["verdict"]] % named


def mean_sentence(block: dict[str, Any]) -> str:
    """What the intraclass correlation that the design calls for says of gold, or ""."""
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
        "icc": str(LABELS[answer["icc"]]),
        "value": minus(f"{block[answer['icc']]['value']:.2f}"),
        "band": low if low == high else _("%(low)s to %(high)s") % {"low": low, "high": high},
    }
    return (
        _(
            "The mean of a text’s ratings, which gold is, has %(band)s reliability: "
            "%(icc)s %(value)s."
        )
        % named
    )


def why_form(code: str) -> str:
    """Why an intraclass correlation is the one that the design calls for (Koo and Li 2016)."""
    reasons = {
        "crossed": _(
            "called for by the design: annotators are a sample of those who might judge, and gold "
            "is the mean of their ratings"
        ),
        "anonymous": _(
            "called for by the design: nobody knows which annotator gave which rating, so their "
            "severity cannot be told from noise"
        ),
        "not crossed": _(
            "the form that is left: annotators share too few texts to tell their severity from "
            "the texts"
        ),
    }
    return reasons[code]
