"""Runs of a site with workers of its own: they move on, and end with every score there once."""

from django.db.models import Sum

from scoring.models import Run
from tests.factories import make_campaign
from tests.scoring.factories import started


def begin(site, *specs, items=1500):
    """Runs over a campaign of the site. This process has another broker, so no message reaches the
    worker: it has to find the work by itself."""
    with site.database():
        campaign = make_campaign(items=items, open_it=False)
        return [started(campaign, spec) for spec in specs]


def done(site):
    with site.database():
        return Run.objects.aggregate(done=Sum("done"))["done"]


def over(site):
    with site.database():
        return not Run.objects.filter(status__in=Run.ACTIVE).exists()


def move_on(site):
    before = done(site)
    site.until(lambda: done(site) > before or over(site), "the runs move on")


def end_whole(site):
    site.until(lambda: over(site), "the runs end", patience=240)
    with site.database():
        for run in Run.objects.all():
            assert (run.status, run.failed, run.error) == ("done", 0, "")
            assert run.done == run.total == run.scores.count()
