"""A page of a report."""

from __future__ import annotations

from collections.abc import Mapping

from annotation.http.campaign_page import CampaignPage, PageView
from annotation.http.pages import opens_page
from scoring.ratings.choice import Choice
from scoring.reports.compute import ReportView, report_get


class ReportPage(CampaignPage):
    """A campaign's page that shows a report and its age, and asks again where none is there."""

    frame = True  # A file waits for its report instead.

    def report(
        self,
        kind: str,
        choice: Choice = Choice(),
        *,
        after_runs: bool = False,
        parameters: Mapping[str, str] | None = None,
    ) -> ReportView:
        """Return the report for the current data; see `report_get`."""
        return report_get(
            campaign=self.campaign,
            kind=kind,
            actor=self.user,
            choice=choice,
            after_runs=after_runs,
            parameters=parameters,
            frame=self.frame and opens_page(self.request),
        )


def report_view(right: str = "read") -> PageView[ReportPage]:
    """A page of a report for members with this right."""
    return PageView(lambda request, slug: ReportPage(request, slug, right))
