"""manage.py run_metric CAMPAIGN --metric NAME[:option=value,...] ..."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.errors import Conflict, Invalid, NotFound
from annotation.management.site_command import SiteCommand
from annotation.models import Campaign
from scoring.models import Run
from scoring.runs.queries import RunProgress, newest_done_runs, runs_progress
from scoring.runs.start import run_read, run_update, runs_start
from scoring.runs.work import run_work
from scoring.work.lanes import sweep
from scoring.work.workers import processes_for

POLL_SECONDS = 0.5
BREATH_SECONDS = 0.02
TELL_SECONDS = 2.0


class Command(SiteCommand):
    help = (
        "Start metrics over the outputs of a campaign, as the page of runs does; workers score "
        "them. With --wait this command works itself on runs that no worker takes."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name (slug)")
        parser.add_argument(
            "--metric",
            action="append",
            required=True,
            metavar="NAME[:option=value,...]",
            help="as the command score takes it; files are given by the key of their resource",
        )
        parser.add_argument(
            "--scope",
            choices=Run.Scope.values,
            default=Run.Scope.SENTENCE.value,
            help="compare whole sentences (default) or phrases alone",
        )
        parser.add_argument(
            "--update",
            action="store_true",
            help="bring the newest run of the metric up to date instead, where there is one",
        )
        parser.add_argument("--wait", action="store_true", help="until the runs are over")

    def work(self, options: dict[str, Any]) -> None:
        campaign = self.campaign(options["campaign"], writes=True)
        problems = [_wrong(campaign, spec, options["scope"]) for spec in options["metric"]]
        if any(problems):
            self.refuse("\n".join([*filter(None, problems), "Nothing was started."]))
        scope = options["scope"]
        newest = {spec: _newest(campaign, spec, scope) for spec in options["metric"]}
        old = {spec: run for spec, run in newest.items() if run and options["update"]}
        new = [spec for spec in newest if spec not in old]
        runs = []
        try:
            if new:
                runs = runs_start(campaign=campaign, specs=new, scope=scope, actor=None)
        except Invalid as refusal:
            self.refuse(f"{refusal.message} Nothing was started.")
        for run in runs:
            self._tell(run)
        for spec, run in old.items():
            try:
                runs.append(run_update(run=run, actor=None))
            except Conflict as refusal:
                self.refuse(f"--metric {spec}: {refusal.message}")
            self._tell(runs[-1])
        if options["wait"] and not self._wait(campaign, {run.pk for run in runs}):
            raise CommandError("Not all runs are done.", returncode=1)

    def _tell(self, run: Run) -> None:
        self.stdout.write(f"{run.key} {run.label}: {run.get_status_display()}")

    def _wait(self, campaign: Campaign, runs: set[int]) -> bool:
        """Wait for the runs and score those that no worker takes; return whether all are done."""
        reported_at = 0.0
        while True:
            progress = [one for one in runs_progress(campaign=campaign) if one.run.pk in runs]
            active = [one for one in progress if one.active]
            if time.monotonic() - reported_at > TELL_SECONDS or not active:
                reported_at = time.monotonic()
                for one in reversed(progress):
                    self.stderr.write(_line(one))
            if not active:
                return all(one.run.status == Run.Status.DONE for one in progress)
            alone = [one.run for one in active if not processes_for(one.run.queue)]
            # All runs are prepared before any is scored, so that they share one pass over the
            # texts.
            alone.sort(key=lambda run: (run.status != Run.Status.QUEUED, run.pk))
            if alone:
                sweep(idle=False, queues=())  # Resume what a killed worker left.
                run_work(run_pk=alone[0].pk)
            time.sleep(BREATH_SECONDS if alone else POLL_SECONDS)


def _wrong(campaign: Campaign, spec: str, scope: str) -> str:
    """The error of a metric spec; empty if it is valid."""
    try:
        run_read(spec, scope, campaign)
    except (Invalid, NotFound) as refusal:
        return f"--metric {spec}: {refusal.message}"
    return ""


def _newest(campaign: Campaign, spec: str, scope: str) -> Run | None:
    digest = run_read(spec, scope, campaign).options_hash
    return next((r for r in newest_done_runs(campaign=campaign) if r.options_hash == digest), None)


def _line(one: RunProgress) -> str:
    run = one.run
    parts = [f"{run.label}: {run.get_status_display()}", f"{run.done} of {run.total}"]
    if run.reused:
        parts.append(f"{run.reused} taken from earlier runs")
    if one.rate:
        parts.append(f"{one.rate:.0f} texts/s")
    if one.seconds_left is not None:
        parts.append(f"{one.seconds_left:.0f} s left")
    return ", ".join(parts) + (f". {run.error}" if run.error else "")
