"""What tests of resources share: clients, uploads, a full disk, what lies in the data folder."""

import resource as limits
from contextlib import contextmanager

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings

from paraanno.jobs.engine import job_work
from scoring.models import Resource
from tests.annotation.screen import HASHER
from tests.factories import PASSWORD, make_campaign

VECTORS = b"2 2\ncat 1 0\ndog 0 1\n"
LARGE = b"20000 2\n" + b"".join(b"w%d 1 2\n" % at for at in range(20_000))


def upload(client, content=VECTORS, name="v.txt", **fields):
    file = SimpleUploadedFile(name, content)
    return client.post("/resources/", {"kind": "vectors", **fields, "file": file}, follow=True)


def converted():
    """The one resource of the site, after a worker has read its file."""
    job_work("resource", Resource.objects.get().pk)
    return Resource.objects.get()


def files(data_dir):
    """Every file, and every folder that a conversion could have left half done."""
    return sorted(
        str(path.relative_to(data_dir))
        for path in data_dir.rglob("*")
        if path.is_file() or path.name.startswith("half-")
    )


@contextmanager
def full_disk():
    """No file of this process may grow past some kilobytes."""
    soft, hard = limits.getrlimit(limits.RLIMIT_FSIZE)
    limits.setrlimit(limits.RLIMIT_FSIZE, (20_000, hard))
    try:
        yield
    finally:
        limits.setrlimit(limits.RLIMIT_FSIZE, (soft, hard))


def resources_page(site, new_page):
    """The page of resources in a browser, where Alice has logged in; and a worker."""
    with site.database(), override_settings(PASSWORD_HASHERS=HASHER):
        make_campaign("lab", items=2, open_it=False)
    site.start("web")
    site.start("worker")
    page = new_page()
    page.goto(f"{site.url}/accounts/login/?next=/resources/")
    page.fill("[name=username]", "alice")
    page.fill("[name=password]", PASSWORD)
    page.click("main button")
    page.wait_for_url(f"{site.url}/resources/")
    return page
