"""The command that starts runs."""

import io

from django.core.management import call_command


def run_metric(*arguments):
    out, told = io.StringIO(), io.StringIO()
    call_command("run_metric", "camp", *arguments, stdout=out, stderr=told)
    return out.getvalue(), told.getvalue()
