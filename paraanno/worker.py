"""A worker, as `python -m paraanno.worker` with the options of `celery worker`.

It is that command without the others of Celery: one of them loads a shell for a terminal, which
takes 9 MB and is of no use to a worker.
"""

from celery.bin.base import CLIContext
from celery.bin.worker import worker

from paraanno.celery import app

if __name__ == "__main__":
    worker.main(prog_name="worker", obj=CLIContext(app=app, no_color=False, workdir=None))
