"""A thin client of a site's REST API: judgments and reports as frames."""

from __future__ import annotations

import json
import random
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urljoin, urlsplit

import pandas as pd

from paraanno.lab.frames import (
    ESTIMATE,
    OwnNames,
    Statistics,
    estimate_row,
    letters_by_mean,
    mean_row,
    statistics,
)

TRIES = 6
PATIENCE = 60  # seconds
PAGE = 1000
LATER = {429, 502, 503, 504}


class SiteRefused(Exception, metaclass=OwnNames):
    """The site's refusal: `status` of HTTP, `code`, and the whole answer in `answer`."""

    def __init__(self, status: int, answer: Any) -> None:
        self.status, self.answer = status, answer
        self.code = answer.get("code", "") if isinstance(answer, dict) else ""
        detail = answer.get("detail", answer) if isinstance(answer, dict) else answer
        super().__init__(f"{status}: {detail}")


class Client:
    """One login of a site.

    url     such as https://study.example.org
    token   of the page *API tokens*, or of `POST /api/v1/token`
    wait    seconds that a report, a run or an import by a worker may take

    Requests are repeated where the site asks to come back later, and where a connection breaks:
    every request of this class may be sent twice without harm. Refusals raise SiteRefused.
    """

    def __init__(self, url: str, token: str, *, wait: float = 3600) -> None:
        if urlsplit(url).scheme not in ("http", "https"):
            raise ValueError(f"{url!r} is no address: write https://... or http://...")
        self._base = f"{url.rstrip('/')}/api/v1/"
        self._token, self._wait = token, wait

    def campaigns(self) -> pd.DataFrame:
        """A row for each campaign that this login sees."""
        return pd.DataFrame(self._pages("campaigns"))

    def create(self, slug: str, **settings: Any) -> dict[str, Any]:
        """Make a campaign, with the settings of `POST campaigns` (`template`, `scales` ...)."""
        return self._json("POST", "campaigns", {"slug": slug, **settings})

    def open(self, slug: str) -> dict[str, Any]:
        """Open a draft to annotators."""
        return self._json("POST", f"{_of(slug)}/open", {})

    def invite(self, slug: str, **settings: Any) -> dict[str, Any]:
        """Make an invitation; the answer has its link, which is not shown again."""
        return self._json("POST", f"{_of(slug)}/invitations", settings)

    def progress(self, slug: str) -> dict[str, Any]:
        """How much is judged."""
        return self._json("GET", f"{_of(slug)}/progress")

    def import_items(self, slug: str, file: Path | str, **fields: str) -> dict[str, Any]:
        """Import a file of texts; return the report. Importing it again changes nothing."""
        return self._import(slug, "items", Path(file), fields)

    def import_judgments(self, slug: str, file: Path | str, **fields: str) -> dict[str, Any]:
        """Import judgments made elsewhere; return the report."""
        return self._import(slug, "judgments", Path(file), fields)

    def items(self, slug: str) -> pd.DataFrame:
        """A row for each item."""
        return pd.DataFrame(self._pages(f"{_of(slug)}/items"))

    def judgments(self, slug: str, *, only_counted: bool = True, **parameters: str) -> pd.DataFrame:
        """A row for each rating behind the numbers; `parameters` are those of the route.

        With `only_counted=False` a row for each judgment, of which `counts` is true for these; the
        others are excluded, on controls or copies, repeats, drafts, surplus, or without a value.
        """
        judgments = pd.DataFrame(self._pages(f"{_of(slug)}/judgments", parameters))
        if only_counted and len(judgments):
            judgments = judgments[judgments["counts"]].reset_index(drop=True)
        return judgments

    def report(self, slug: str, name: str, **parameters: Any) -> dict[str, Any]:
        """A report as its command prints it: `agreement`, `results`, `correlation` ..."""
        return dict(self._done("GET", f"{_of(slug)}/reports/{quote(name)}", parameters)["result"])

    def agreement(self, slug: str) -> Statistics:
        """Every coefficient of every scale."""
        scales = self.report(slug, "agreement")["scales"]
        return statistics(
            {
                (scale, name): estimate_row(one)
                for scale, block in scales.items()
                for name, one in block.items()
                if isinstance(one, dict) and set(ESTIMATE) <= set(one)
            },
            ["scale", "statistic"],
        )

    def results(self, slug: str) -> Statistics:
        """The mean of every system on every scale, with letters as of `lab.results`."""
        report = self.report(slug, "results")
        return statistics(
            {
                (scale, system): mean_row(part, letters_by_mean(report, scale).get(system, ""))
                for system, one in report["systems"].items()
                for scale, part in one["scales"].items()
            },
            ["scale", "system"],
        )

    def correlation(self, slug: str) -> Statistics:
        """How far every metric agrees with people on every scale and, in the rows `leave_one_out`
        and `split_half`, how far people do."""
        report = self.report(slug, "correlation")
        return statistics(
            {
                (scale, metric, name): estimate_row(one)
                for scale, part in report["human"].items()
                for metric, estimates in chain(
                    part["metrics"].items(), report["ceiling"].get(scale, {}).items()
                )
                for name, one in estimates.items()
            },
            ["scale", "metric", "statistic"],
        )

    def run(self, slug: str, metric: str) -> dict[str, Any]:
        """Score every text by a metric, wait for the end, and return the run."""
        made = self._json("POST", f"{_of(slug)}/runs", {"metric": metric})
        return self._until_done(f"{_of(slug)}/runs/{made['key']}", made)

    def scores(self, slug: str, run: str) -> pd.DataFrame:
        """The scores of a run by its key."""
        return pd.DataFrame(self._pages(f"{_of(slug)}/runs/{quote(run)}/scores"))

    def _import(
        self, slug: str, what: str, file: Path, fields: Mapping[str, str]
    ) -> dict[str, Any]:
        path = f"{_of(slug)}/imports/{what}"
        boundary = uuid.uuid4().hex
        parts = [_part(boundary, f'name="{name}"', text.encode()) for name, text in fields.items()]
        named = f'name="file"; filename="{quote(file.name)}"'
        body = b"".join([*parts, _part(boundary, named, file.read_bytes())])
        made = self._send(
            "POST",
            path,
            body + f"--{boundary}--\r\n".encode(),
            f"multipart/form-data; boundary={boundary}",
        )
        if "status" not in made:
            return dict(made)
        return dict(self._until_done(f"{_of(slug)}/imports/{made['key']}", made)["report"])

    def _until_done(self, path: str, job: dict[str, Any]) -> dict[str, Any]:
        """Ask again until a worker has ended."""
        end, pause = time.monotonic() + self._wait, 0.2
        while job["status"] in ("queued", "running"):
            if time.monotonic() > end:
                raise TimeoutError(f"{path} is still {job['status']} after {self._wait:g} s")
            time.sleep(pause)
            pause = min(pause * 1.5, 5)
            job = self._json("GET", path)
        if job["status"] != "done":
            raise SiteRefused(200, {**job, "detail": job.get("error") or job["status"]})
        return job

    def _done(self, method: str, path: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Ask again while the answer is that a worker is making it."""
        end = time.monotonic() + self._wait
        while True:
            answer = self._json(method, path, None, parameters)
            if answer.get("result") is not None:  # It is null while a worker makes the first one.
                return answer
            if time.monotonic() > end:
                raise TimeoutError(f"{path} is not ready after {self._wait:g} s")
            time.sleep(1)

    def _pages(self, path: str, parameters: Mapping[str, Any] | None = None) -> list[Any]:
        return [row for page in self._lists(path, parameters or {}) for row in page]

    def _lists(self, path: str, parameters: Mapping[str, Any]) -> Iterator[list[Any]]:
        page = self._json("GET", path, None, {"page_size": PAGE, **parameters})
        while True:
            yield page["results"]
            if not page.get("next"):
                return
            page = self._json("GET", page["next"])

    def _json(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        query = f"?{urlencode(parameters)}" if parameters else ""
        data = None if body is None else json.dumps(body).encode()
        return dict(self._send(method, path + query, data, "application/json"))

    def _send(self, method: str, path: str, body: bytes | None, kind: str) -> Any:
        url = urljoin(self._base, path)
        if urlsplit(url).netloc != urlsplit(self._base).netloc:
            raise ValueError(f"{url} is on another site: the token is not sent there")
        request = urllib.request.Request(  # noqa: S310 (http or https, checked above)
            url,
            data=body,
            method=method,
            headers={
                "Authorization": f"Token {self._token}",
                "Content-Type": kind,
                "Accept": "application/json",
                "X-Paraanno-Patience": str(PATIENCE * 1000),
            },
        )
        for left in reversed(range(TRIES)):
            try:
                with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
                    return json.loads(answer.read())
            except json.JSONDecodeError:
                answered = f"{url} answered no JSON: is it the site's address?"
                raise SiteRefused(200, answered) from None
            except urllib.error.HTTPError as error:
                with error:
                    text = error.read().decode("utf-8", "replace")
                if error.code not in LATER or not left:
                    raise SiteRefused(error.code, _read(text)) from None
                delay = error.headers.get("Retry-After", "")
                # Not before the time that the site gives, and not all clients together.
                pause = float(delay) if delay.isdigit() else 0.8 * 2.0 ** (TRIES - left - 1)
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                if not left:
                    raise
                pause = 0.8 * 2.0 ** (TRIES - left - 1)
            time.sleep(pause * random.uniform(1, 1.5))  # noqa: S311 (no secret)
        raise AssertionError("unreachable")


def _of(slug: str) -> str:
    return f"campaigns/{quote(slug)}"


def _part(boundary: str, named: str, content: bytes) -> bytes:
    head = f"--{boundary}\r\nContent-Disposition: form-data; {named}\r\n\r\n"
    return head.encode() + content + b"\r\n"


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text[:500]
