"""Download of the ratings behind the agreement page."""

from __future__ import annotations

from tempfile import TemporaryFile

from django.conf import settings
from django.http import FileResponse, HttpRequest
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from annotation.errors import Invalid
from annotation.exporters import write_rows
from annotation.selectors.access import campaign_get
from scoring.forms.choice import ChoiceForm
from scoring.selectors.exports.paper import RATING_COLUMNS, rating_rows
from scoring.selectors.ratings.tables import ratings_get


@require_GET
def ratings(request: HttpRequest, slug: str) -> FileResponse:
    """CSV that `manage.py agreement` reads; the query string selects judgments as on the page."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="read")
    form = ChoiceForm(request.GET, campaign=campaign, kind="agreement")
    if not form.is_valid():  # A page can fall back to all judgments and say so; a file must not.
        raise Invalid(_("This choice of judgments is not valid: choose again on the page."))
    found = ratings_get(campaign=campaign, choice=form.choice())
    stream = TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR)  # noqa: SIM115 the answer closes it
    write_rows(rating_rows(ratings=found), stream, RATING_COLUMNS, format="csv")
    stream.seek(0)
    return FileResponse(
        stream, as_attachment=True, filename=f"{slug}-ratings.csv",
        content_type="text/csv; charset=utf-8",
    )  # fmt: skip
