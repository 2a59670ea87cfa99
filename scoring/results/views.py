"""Results per system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import NamedTuple, TypeAlias, TypedDict
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from annotation.http.charts import DotChart, DotRow
from paraanno.template_filters import minus, translated
from scoring.chart_files import ChartFile, Value, chart_asked
from scoring.gold.report import asked_method, method_choices
from scoring.ratings.choice_form import ChoiceForm
from scoring.reports.compute import ReportPage, report_view
from scoring.stats.gold.compare import GoldMethod
from scoring.stats.intervals import TWO_SYSTEMS, cannot_tell
from scoring.stats.significance.swaps import letters_in
from scoring.stats.systems.catalogue import CATALOGUE, COUNTS_LAST, PLAIN_OF_SCALES
from scoring.stats.systems.values import (
    Cluster,
    IntervalJson,
    ResultsReport,
    ScaleShares,
    SystemPair,
    SystemShares,
)
from scoring.stats.terminal.results_text import shares_table

# Results of systems as pictures: dots with intervals, ranks, groups, and shares of points.


NEIGHBOURS_OF = range(2, 13)  # More systems are no list that anybody reads.


@dataclass(frozen=True, slots=True)
class SystemRow:
    """One system by one outcome. `letters`: it shares one with exactly those that no test tells
    apart from it. `cut`: every system up to it is better than every one below."""

    dot: DotRow
    rank: str
    letters: str
    shares: tuple[float, ...]
    cut: bool


@dataclass(frozen=True, slots=True)
class OutcomePicture:
    """The systems by one outcome, the best first.

    scale       None for the share that passes all
    points      the values of the scale whose shares the rows have
    neighbours  differences of systems next to each other; hollow where no test tells them apart
    method      how the intervals were made
    cannot      that there are too few phrases to tell two systems apart, or ""
    """

    scale: str | None
    title: str
    chart: DotChart
    rows: tuple[SystemRow, ...]
    points: tuple[str, ...]
    neighbours: DotChart | None
    method: str = ""
    cannot: str = ""

    @property
    def has_intervals(self) -> bool:
        return any(row.low is not None for row in self.chart.rows)

    @property
    def answer(self) -> str:
        """Which system is best, as far as the tests tell; empty where nothing was tested."""
        tested = [row for row in self.rows if row.letters]
        if len(tested) < 2:
            return ""
        best, *others = tested
        own = set(letters_in(best.letters))
        beside = [row.dot for row in others if own & set(letters_in(row.letters))]
        equal = [dot.name for dot in beside if dot.value == best.dot.value]
        rest = [dot.name for dot in beside if dot.name not in equal]
        if not beside:
            return _("%(best)s is best, and told apart from all others.") % {"best": best.dot.name}
        words = {"best": ", ".join([best.dot.name, *equal]), "others": ", ".join(rest)}
        all_alike = len(beside) == len(others)
        first = _("First, with equal values: %(best)s.") if equal else _("First: %(best)s.")
        if all_alike and self.cannot:
            last = self.cannot
        elif all_alike and rest:
            last = _("No test tells any other apart from the first.")
        else:
            last = _("Not told apart from the first: %(others)s.") % words if rest else ""
        return f"{first % words} {last}".strip()

    @property
    def told_apart(self) -> str:
        """How many pairs are told apart, in one sentence; empty where nothing was tested."""
        tested = [set(letters_in(row.letters)) for row in self.rows if row.letters]
        pairs = [a & b for a, b in combinations(tested, 2)]
        apart = sum(not shared for shared in pairs)
        if not apart and self.cannot:
            # Once: the answer says so where there is one.
            return self.cannot if len(self.rows) > 1 and not self.answer else ""
        if not apart:
            return _("No test tells any two of them apart.") if len(self.rows) > 1 else ""
        return _("Pairs told apart: %(n)s of %(all)s.") % {"n": apart, "all": len(pairs)}


def outcome_pictures(report: ResultsReport, up: Mapping[str, bool]) -> list[OutcomePicture]:
    """A picture for each scale, and one for passing all thresholds where there are any. `up` says
    of which scales higher is better."""
    systems = report["systems"]
    if not systems:
        return []
    pictures = [
        _picture(
            report,
            scale,
            {name: one["scales"][scale] for name, one in systems.items()},
            up.get(scale, True),
        )
        for scale in next(iter(systems.values()))["scales"]
    ]
    if any(one["pass_all"] is not None for one in systems.values()):
        pictures.append(_passing(report, systems))
    return [one for one in pictures if any(row.dot.value is not None for row in one.rows)]


def system_files(picture: OutcomePicture) -> dict[str, ChartFile]:
    """The picture, and the differences of neighbours, as files."""
    beside: list[dict[str, Value]] = [
        {
            "rank_interval": row.rank,
            "letters": row.letters,
            **{
                f"share_{point}": share
                for point, share in zip(picture.points, row.shares, strict=True)
            },
        }
        for row in picture.rows
    ]
    files = {"systems": ChartFile(picture.title, [("", picture.chart)], beside)}
    if picture.neighbours is not None:
        title = _("Differences: %(title)s") % {"title": picture.title}
        files["neighbours"] = ChartFile(title, [("", picture.neighbours)])
    return files


def mean_of(distribution: Mapping[str, float]) -> float | None:
    """The mean, computed for stored results that lack it."""
    if not any(distribution.values()):
        return None
    return sum(float(value) * share for value, share in distribution.items())


def _picture(
    report: ResultsReport, scale: str, of: Mapping[str, ScaleShares], higher: bool
) -> OutcomePicture:
    dots = [
        _dot(name, one.get("mean", mean_of(one["distribution"])), one.get("mean_bootstrap"))
        for name, one in of.items()
    ]
    points = sorted({value for one in of.values() for value in one["distribution"]}, key=float)
    shares = {
        name: tuple(one["distribution"].get(value, 0.0) for value in points)
        for name, one in of.items()
    }
    title = _("Mean of %(scale)s") % {"scale": scale}
    method = _method(one.get("mean_bootstrap") for one in of.values())
    return replace(_of(report, scale, title, dots, higher, points, shares), method=method)


def _passing(report: ResultsReport, systems: Mapping[str, SystemShares]) -> OutcomePicture:
    dots = [
        _dot(name, one["pass_all"], one.get("pass_all_bootstrap")) for name, one in systems.items()
    ]
    method = _method(one.get("pass_all_bootstrap") for one in systems.values())
    title = _("Share that passes all thresholds")
    return replace(_of(report, None, title, dots, True, [], {}), method=method)


def _method(intervals: Iterable[IntervalJson | None]) -> str:
    """How the first of them was made, or why there is none."""
    for one in intervals:
        if one is not None:
            return translated(one["method"] if one["low"] is not None else one["reason"] or "")
    return ""


def _dot(name: str, value: float | None, ends: IntervalJson | None) -> DotRow:
    return DotRow(name, value, ends and ends["low"], ends and ends["high"])


def _of(
    report: ResultsReport,
    scale: str | None,
    title: str,
    dots: list[DotRow],
    higher: bool,
    points: Sequence[str],
    shares: Mapping[str, tuple[float, ...]],
) -> OutcomePicture:
    dots.sort(key=lambda dot: (dot.value is None, -(dot.value or 0) if higher else dot.value or 0))
    cluster: Cluster | None = next(
        (one for one in report.get("clusters", []) if one["scale"] == scale), None
    )
    groups = tuple(tuple(group) for group in cluster["groups"]) if cluster else ()
    letters = cluster.get("letters", {}) if cluster else {}
    ranks = cluster.get("ranks", {}) if cluster else {}
    last = {group[-1] for group in _in_order(groups, dots)[:-1]}
    rows = tuple(
        SystemRow(
            dot,
            "–".join(str(end) for end in dict.fromkeys(ranks.get(dot.name, []))),
            letters.get(dot.name, ""),
            shares.get(dot.name, ()),
            dot.name in last,
        )
        for dot in dots
    )
    return OutcomePicture(
        scale,
        title,
        _chart(dots, points),
        rows,
        tuple(str(minus(point)) for point in points),
        _neighbours(report, scale, dots),
        cannot=translated(cannot_tell(report.get("phrases", 0), TWO_SYSTEMS) or ""),
    )


def _chart(dots: Sequence[DotRow], points: Sequence[str]) -> DotChart:
    """On an axis that ends where the scale does; of shares, which have no points, at 0 and 1."""
    ends = [float(point) for point in points] or [0.0, 1.0]
    ends += [end for dot in dots for end in (dot.low, dot.high) if end is not None]
    return DotChart.of(dots, least=min(ends), most=max(ends))


def _in_order(groups: Sequence[tuple[str, ...]], dots: Sequence[DotRow]) -> list[list[str]]:
    """The groups, each in the order of the rows."""
    return [[dot.name for dot in dots if dot.name in group] for group in groups]


def _neighbours(
    report: ResultsReport, scale: str | None, dots: Sequence[DotRow]
) -> DotChart | None:
    if len(dots) not in NEIGHBOURS_OF:
        return None
    pairs: dict[tuple[str, str], SystemPair] = {
        (row["a"], row["b"]): row for row in report.get("pairs", []) if row["scale"] == scale
    }
    rows = [
        _gap(one.name, other.name, pairs, report.get("alpha", 0.05))
        for one, other in pairwise(dots)
    ]
    defined = [row for row in rows if row is not None]
    return DotChart.of(defined, refs=(0.0,)) if defined else None


def _gap(
    a: str, b: str, pairs: Mapping[tuple[str, str], SystemPair], alpha: float
) -> DotRow | None:
    """The first minus the second."""
    turned = (a, b) not in pairs
    row = pairs.get((b, a) if turned else (a, b))
    if row is None or row["difference"] is None:
        return None
    low, high = row["interval"]["low"], row["interval"]["high"]
    value = row["difference"]
    if turned:
        value, low, high = -value, None if high is None else -high, None if low is None else -low
    p = row.get("p_max_t")
    if p is None:
        p = row.get("p_holm")
    clear = p is not None and p < alpha
    return DotRow(
        f"{a} {minus('-')} {b}",
        value + 0.0,
        low,
        high,
        hollow=not clear,
        sign=True,
        reason=_("told apart") if clear else _("not told apart"),
    )


OWN = (
    "unit",
    "method",
    "adjudicated",
    "outcome",
)  # Query parameters other than the choice of judgments.
PASSES = "passes all"  # Of the outcome in the query string; a scale may not be called so.
SQUARE = range(3, 13)  # Two systems need only one line, and a larger square is unreadable.


Words: TypeAlias = "dict[str, str]"  # A label, and a text that says more.
# A number and its interval: the words and the cells of each; no words if it has no interval.
ValueRows: TypeAlias = "tuple[Words, list[object], Words | None, list[object]]"


class ScaleShareTable(TypedDict):
    """One scale; lists go by system."""

    name: str
    rows: list[tuple[str, list[float]]]
    values: list[ValueRows]
    threshold: float | None
    sign: str
    n: list[int]


class Ends(TypedDict):
    low: float | None
    high: float | None


class ShareRow(TypedDict):
    """A system: what passes, its interval by cluster, that of independent rows, and the ends of the
    first to draw."""

    label: str
    one: SystemShares
    passes: list[float | None]
    own: IntervalJson | None
    independent: IntervalJson | None
    plain: list[tuple[object, str]]
    drawn: Ends


class ShownPair(SystemPair):
    """Two systems; `clear` where the test tells them apart."""

    clear: bool


class SystemGap(NamedTuple):
    """A cell of the square: the row's system minus the column's."""

    gap: float | None
    clear: bool
    ties: int
    n: int


SquareRow: TypeAlias = "tuple[str, list[SystemGap | None]]"


class ClusterTable(Cluster):
    """An outcome with its pairs, the square of differences in the order of the groups, and what
    adjusted its p-values."""

    names: list[str]
    by: str
    pairs: list[ShownPair]
    square: list[SquareRow]


@require_GET
@report_view()
def results(page: ReportPage) -> HttpResponse:
    """The results table of the Callison-Burch guide, by judgment or by gold, with intervals, pairs
    and clusters."""
    unit = "gold" if page.query.get("unit") == "gold" else "judgment"
    kind = "results-gold" if unit == "gold" else "results"
    form = ChoiceForm(page.query, campaign=page.campaign, kind=kind)
    choice = form.choice(**({"method": asked_method(page.query)} if unit == "gold" else {}))
    view = page.report(kind, choice)
    none: ResultsReport = {"systems": {}, "thresholds": {}}
    report: ResultsReport = view.result or none
    up = dict(page.campaign.scales.values_list("name", "higher_is_better"))
    pictures = outcome_pictures(report, up)
    shown = _shown_picture(page.request, pictures)
    response = chart_asked(page.request, page.slug, system_files(shown) if shown else {})
    if response is not None:
        return response
    parameters = [(name, page.query[name]) for name in OWN if name in page.query]
    return page.render(
        "scoring/results.html",
        view=view,
        unit=unit,
        pictures=_chosen(page.request, parameters, form, pictures),
        found=report,
        tables=_tables(report, up, (called := _called())["scale"]),
        systems=list(report["systems"].items()),
        shares=_shares(report),
        comparisons=_comparisons(report),
        called=called,
        plain=[called["system"][number.key] for number in COUNTS_LAST],
        choice_form=form,
        outcome=f"&{urlencode({'outcome': shown.scale or PASSES})}" if shown else "",
        methods=method_choices(),
        method=GoldMethod.parse(choice.method),
        kept=parameters,
    )


def _shown_picture(request: HttpRequest, pictures: list[OutcomePicture]) -> OutcomePicture | None:
    """The picture of the query string, else the first."""
    by_name = {picture.scale or PASSES: picture for picture in pictures}
    return by_name.get(request.GET.get("outcome", ""), next(iter(pictures), None))


def _chosen(
    request: HttpRequest,
    parameters: list[tuple[str, str]],
    form: ChoiceForm,
    pictures: list[OutcomePicture],
) -> list[tuple[OutcomePicture, str, bool]]:
    """The pictures with their links, and which of them is shown."""
    names = [picture.scale or PASSES for picture in pictures]
    one = _shown_picture(request, pictures)
    rest = [*((name, value) for name, value in parameters if name != "outcome"), *form.pairs]
    return [
        (picture, urlencode([*rest, ("outcome", name)]), picture is one)
        for picture, name in zip(pictures, names, strict=True)
    ]


def _called() -> dict[str, dict[str, Words]]:
    """What the catalogue calls the numbers and says about them: {of: {key: {label, text}}}."""
    called: dict[str, dict[str, Words]] = {}
    for one in CATALOGUE:
        words = {"label": translated(one.label), "text": translated(one.says)}
        called.setdefault(one.of, {})[one.key] = words
    return called


def _tables(
    report: ResultsReport, up: dict[str, bool], called: dict[str, Words]
) -> list[ScaleShareTable]:
    """called: what the catalogue calls the numbers of a scale."""
    systems = report["systems"]
    scales = list(next(iter(systems.values()))["scales"]) if systems else []
    tables: list[ScaleShareTable] = []
    for scale in scales:
        of = [one["scales"][scale] for one in systems.values()]
        tables.append(
            {
                "name": scale,
                "rows": shares_table([one["distribution"] for one in of]),
                "values": [_values(of, number.key, called) for number in PLAIN_OF_SCALES],
                "threshold": report["thresholds"].get(scale),
                "sign": "≥" if up.get(scale, True) else "≤",
                "n": [one["n"] for one in of],
            }
        )
    return tables


def _values(of: list[ScaleShares], key: str, called: dict[str, Words]) -> ValueRows:
    drawn = f"{key}_bootstrap"
    blocks: list[dict[str, object]] = [{"mean": mean_of(one["distribution"]), **one} for one in of]
    values = [block.get(key) for block in blocks]
    return called[key], values, called.get(drawn), [block.get(drawn) for block in blocks]


def _shares(report: ResultsReport) -> list[ShareRow]:
    """A row per system: the share that passes and its intervals."""
    rows: list[ShareRow] = []
    for label, one in report["systems"].items():
        own = one.get("pass_all_bootstrap")
        rows.append(
            {
                "label": label,
                "one": one,
                "passes": [
                    part["pass"]
                    for name, part in one["scales"].items()
                    if name in report["thresholds"]
                ],
                "own": own,
                "independent": one.get("pass_all_interval"),
                "plain": [(one.get(number.key), number.plain) for number in COUNTS_LAST],
                "drawn": {"low": own and own["low"], "high": own and own["high"]},
            }
        )
    return rows


def _comparisons(report: ResultsReport) -> list[ClusterTable]:
    """For each outcome its clusters, pairs, and a square of differences in the order of the
    clusters."""
    made: list[ClusterTable] = []
    for entry in report.get("clusters", []):
        # Reports of the version before are adjusted by Holm alone.
        by = "p_max_t" if "ranks" in entry else "p_holm"
        rows: list[ShownPair] = [
            {**row, "clear": _below(row.get(by), report["alpha"])}
            for row in report["pairs"]
            if (row["outcome"], row["scale"]) == (entry["outcome"], entry["scale"])
        ]
        names = [label for group in entry["groups"] for label in group] + entry["without"]
        made.append(
            {
                **entry,
                "names": names,
                "by": by,
                "pairs": rows,
                "square": _square(names, rows) if len(names) in SQUARE else [],
            }
        )
    return made


def _below(p: object, alpha: float) -> bool:
    return isinstance(p, float | int) and p < alpha


def _square(names: list[str], rows: list[ShownPair]) -> list[SquareRow]:
    """Rows of (name, cells): the row's system minus the column's; None on the diagonal."""
    cells: dict[tuple[str, str], SystemGap] = {}
    for row in rows:
        gap = row["difference"]
        there = SystemGap(gap, row["clear"], row["ties"], row["n"])
        cells[row["a"], row["b"]] = there
        cells[row["b"], row["a"]] = there._replace(gap=None if gap is None else -gap)
    return [(one, [cells.get((one, other)) for other in names]) for one in names]
