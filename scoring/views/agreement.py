"""Agreement between annotators."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from annotation.models import Annotator, Scale
from annotation.selectors.access import campaign_get
from annotation.views.pages import campaign_page
from scoring.services.reports import report_get
from scoring.views.bars import bars

# (key of the report, what the page calls it, what it says)
STATISTICS = [
    (
        "percent_agreement",
        _("Percent agreement"),
        _("share of agreeing pairs of ratings, mean over texts"),
    ),
    ("within_one", _("Within one point"), _("share of pairs of ratings at most one point apart")),
    ("alpha_nominal", _("Krippendorff’s α, nominal"), _("every difference counts alike")),
    ("alpha_ordinal", _("Krippendorff’s α, ordinal"), _("differences by rank")),
    ("alpha_interval", _("Krippendorff’s α, interval"), _("differences squared")),
    ("cohen_kappa", _("Cohen’s κ"), _("mean over pairs of annotators, on texts both judged")),
    ("cohen_kappa_linear", _("Cohen’s κ, linear weights"), _("as above, by distance")),
    ("cohen_kappa_quadratic", _("Cohen’s κ, quadratic weights"), _("by squared distance")),
    ("fleiss_kappa", _("Fleiss’ κ"), _("chance agreement from the whole group")),
    ("gwet_ac1", _("Gwet’s AC1"), _("stays high where one value dominates")),
    ("gwet_ac2", _("Gwet’s AC2, quadratic"), _("AC1 for ordered values")),
    ("kendall_w", _("Kendall’s W"), _("agreement of rankings; complete texts only")),
    ("icc_1_1", _("ICC(1,1)"), _("one rating, annotators interchangeable")),
    ("icc_2_1", _("ICC(2,1)"), _("one rating, absolute agreement")),
    ("icc_3_1", _("ICC(3,1)"), _("one rating, consistency")),
    ("icc_1_k", _("ICC(1,k)"), _("the mean of k ratings")),
    ("icc_2_k", _("ICC(2,k)"), _("the mean of k ratings, absolute agreement")),
    ("icc_3_k", _("ICC(3,k)"), _("the mean of k ratings, consistency")),
]
FEW = 20  # A coefficient of a pair on fewer shared texts is shown in grey.
MOST_VOICES = 30  # A larger square is no table that anybody reads: the pairs are listed instead.


@require_GET
def agreement(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, rights = campaign_get(user=request.user, slug=slug, right="read")
    view = report_get(campaign=campaign, kind="agreement", actor=request.user)
    found = view.result or {"scales": {}, "voices": []}
    levels = dict(campaign.scales.values_list("name", "level"))
    scales = [
        {
            "name": name,
            "numbers": numbers,
            "rows": statistics(numbers),
            "bars": bars(numbers["distribution"]),
            **_pairs(numbers, levels.get(name)),
        }
        for name, numbers in found["scales"].items()
    ]
    passes = [
        {"name": name, "numbers": numbers, "rows": statistics(numbers)}
        for name, numbers in found.get("passes", {}).items()
    ]
    simulated = [
        voice["code"] for voice in found["voices"] if voice["origin"] == Annotator.Origin.SIMULATED
    ]
    return campaign_page(
        request, "scoring/agreement.html", campaign=campaign, rights=rights, view=view,
        scales=scales, passes=passes, simulated_codes=simulated,
        cannot_judge=campaign.judgments.filter(status="counted", value=None).count(),
    )  # fmt: skip


def statistics(numbers: dict[str, Any]) -> list[dict[str, Any]]:
    """The coefficients of a block of the report, in the order of the page."""
    return [
        {"key": key, "label": label, "text": text, **numbers[key]}
        for key, label, text in STATISTICS
        if key in numbers
    ]


def _pairs(numbers: dict[str, Any], level: str | None) -> dict[str, Any]:
    """Kappas of pairs of annotators: a square table, or a list where there are many."""
    weighted = level != Scale.Level.NOMINAL
    entry = numbers["cohen_kappa_quadratic" if weighted else "cohen_kappa"]
    pairs = [{**pair, "few": pair["n"] < FEW} for pair in entry.get("pairs", [])]
    names = list(dict.fromkeys(name for pair in pairs for name in (pair["a"], pair["b"])))
    square = pair_square(names, pairs) if len(names) <= MOST_VOICES else []
    return {"weighted": weighted, "names": names, "square": square, "pairs": pairs}


def pair_square(names: list[str], pairs: list[dict[str, Any]]) -> list[Any]:
    """(name, cells) per row; a cell is None on the diagonal and {} where nothing is shared."""
    cells = {(pair["a"], pair["b"]): pair for pair in pairs}
    cells |= {(pair["b"], pair["a"]): pair for pair in pairs}
    return [
        (one, [None if one == other else cells.get((one, other), {}) for other in names])
        for one in names
    ]
