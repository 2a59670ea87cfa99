"""What reading may write, and why that changes nothing for anybody."""

SESSION = {"django_session", "annotation_signedin"}
BOARD = {"annotation_boardfigures"}  # Computed once a minute, by whoever looks first.
# A computed result is kept, with the numbers that the overview draws over time,
REPORT = {"scoring_report", "scoring_trendpoint"}
LOOKED = REPORT | {"scoring_look"}  # and that comparisons were looked at in this state.
WRITES_ON_GET = {
    **dict.fromkeys(("board", "board-live", "api-board"), BOARD),
    "readyz": {"annotation_webhost"},  # It tries whether something can be written.
    **dict.fromkeys(
        (
            "card-agreement",
            "gold-picture",
            "metric-beside",
            "agreement",
            "compare",
            "influence",
            "annotators",
            "annotator",
            "annotator-multiples",
            "correlation-systems",
            "one-metric",
            "metric-texts",
            "figure",
            "mixes",
            "stability",
            "ranking",
        ),
        REPORT,
    ),
    **dict.fromkeys(
        (
            "results",
            "correlation",
            "differences",
            "correlation-table",
            "correlation-report",
            "api-report",
        ),
        LOOKED,
    ),
}
