"""A request for a page: who asks, what a form saves, and what is shown afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser, User
from django.core.paginator import Page as Shown
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render

from annotation.access import campaign_get, get_in
from annotation.errors import Conflict, DomainError, Invalid, NotAllowed, NotFound
from annotation.http.pages import contents_of, rooms_for

if TYPE_CHECKING:
    from django.http.request import _ImmutableQueryDict

Row = TypeVar("Row", bound=Model)
Item = TypeVar("Item")
Kind = TypeVar("Kind", bound="CampaignPage")
P = ParamSpec("P")
Response = TypeVar("Response", HttpResponse, HttpResponseBase)


class Page:
    """A page without a campaign."""

    def __init__(self, request: HttpRequest) -> None:
        self.request = request

    @property
    def user(self) -> User | AnonymousUser:
        return self.request.user

    @property
    def query(self) -> _ImmutableQueryDict:
        return self.request.GET

    @property
    def post(self) -> _ImmutableQueryDict:
        return self.request.POST

    @property
    def sent(self) -> bool:
        """Whether something is sent to the page; else it is only opened."""
        return self.request.method == "POST"

    @property
    def posted(self) -> _ImmutableQueryDict | None:
        """What a form was sent with; None where the page is only opened."""
        return self.post if self.sent else None

    def saved(
        self, form: BaseForm, save: Callable[[], Item], field: str | None = None
    ) -> Item | None:
        """What `save` made of a form that was sent and is valid, else None; where it refused, the
        form says why, at the field."""
        if not self.sent or not form.is_valid():
            return None
        try:
            return save()
        except (Invalid, Conflict) as refusal:
            for name, problems in refusal.data.get("fields", {field: refusal.message}).items():
                form.add_error(name, problems)
            return None

    def saves(self, form: BaseForm, save: Callable[[], object], field: str | None = None) -> bool:
        """Whether the form was saved; see `saved`."""
        return self.saved(form, lambda: (save(),), field) is not None

    def paged(self, rows: Sequence[Item] | QuerySet[Any, Item], size: int) -> Shown[Item]:
        """The part of the rows that `?page=` asks for."""
        return Paginator(rows, size).get_page(self.request.GET.get("page"))

    def says(self, message: str) -> None:
        messages.success(self.request, message)

    def warns(self, message: str) -> None:
        messages.error(self.request, message)

    def done(self, message: str, name: str, *args: Any) -> HttpResponse:
        """Say what was done on the page of this name."""
        self.says(message)
        return self.go(name, *args)

    def act(self, name: str, *args: Any, do: Callable[[], object], done: str = "") -> HttpResponse:
        """Do it, and say on the page of this name what was done, or why it was refused; without
        `done`, what `do` returns is said. What is not there, or not theirs, stays an error."""
        try:
            result = do()
        except (NotFound, NotAllowed):
            raise
        except DomainError as refusal:
            self.warns(refusal.message)
            return self.go(name, *args)
        return self.done(done or str(result), name, *args)

    def go(self, name: str, *args: Any) -> HttpResponse:
        return redirect(name, *args)

    def render(self, template: str, *, status: int | None = None, **context: Any) -> HttpResponse:
        """Render the page; its status is 422 where a form that was sent is not valid."""
        if status is None:
            status = 422 if self.sent and any(form.errors for form in _forms(context)) else 200
        return render(self.request, template, context, status=status)


def _forms(context: dict[str, Any]) -> Iterator[BaseForm]:
    for value in context.values():
        for one in value.values() if isinstance(value, dict) else (value,):
            if isinstance(one, BaseForm):
                yield one


class CampaignPage(Page):
    """A page of a campaign, for members with the right; addresses begin with its slug."""

    def __init__(self, request: HttpRequest, slug: str, right: str) -> None:
        super().__init__(request)
        self.slug = slug
        self.campaign, self.rights = campaign_get(user=request.user, slug=slug, right=right)

    def row(self, model: type[Row], key: UUID, *related: str) -> Row:
        """Return the campaign's row with this key; raises NotFound if it has none."""
        return get_in(self.campaign, model, key, *related)

    def go(self, name: str, *args: Any) -> HttpResponse:
        return redirect(name, self.slug, *args)

    def bare(self, template: str, *, status: int | None = None, **context: Any) -> HttpResponse:
        """Render without the rooms: a page of annotators, or a part of a page."""
        return super().render(template, status=status, campaign=self.campaign, **context)

    def render(
        self,
        template: str,
        *,
        status: int | None = None,
        choice_query: str = "",
        **context: Any,
    ) -> HttpResponse:
        """Render below the campaign's rooms; links within the room keep `choice_query`."""
        here = match.url_name if (match := self.request.resolver_match) else ""
        contents = contents_of(campaign=self.campaign)
        rooms = rooms_for(
            campaign=self.campaign,
            contents=contents,
            rights=self.rights,
            here=str(here),
            query=choice_query,
        )
        room = next((room for room in rooms if room["current"]), None)
        base = {
            "campaign": self.campaign,
            "rights": self.rights,
            # A single page needs no way to it: annotators have only the guidelines.
            "rooms": rooms if sum(len(room["pages"]) for room in rooms) > 1 else [],
            "empty_rooms": [room for room in rooms if room["empty"]],
            "room": room,
            "more_pages": [page for page in room["pages"] if page["more"]] if room else [],
            "in_more": bool(
                room and any(page["more"] and page["current"] for page in room["pages"])
            ),
            "at_overview": here == "campaign",
            "simulated": self.rights.read and contents.simulated,
        }
        return super().render(template, status=status, **{**base, **context})


class PageView(Generic[Kind]):
    """A decorator: the view gets an opened page instead of the request and the slug."""

    def __init__(self, open_page: Callable[[HttpRequest, str], Kind]) -> None:
        self.open_page = open_page

    def __call__(
        self, view: Callable[Concatenate[Kind, P], Response]
    ) -> Callable[Concatenate[HttpRequest, str, P], Response]:
        @wraps(view)
        def opened(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> Response:
            return view(self.open_page(request, slug), *args, **kwargs)

        return opened


def campaign_view(right: str = "see") -> PageView[CampaignPage]:
    """A page of a campaign for members with this right (see `campaign_get`)."""
    return PageView(lambda request, slug: CampaignPage(request, slug, right))
