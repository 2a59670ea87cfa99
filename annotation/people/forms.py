"""Forms for signing up, inviting and excluding people, and for groups and quotas."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import BaseUserCreationForm
from django.contrib.auth.models import User
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext_lazy as _

from annotation.models import (
    Annotator,
    BackgroundQuestion,
    Campaign,
    Membership,
    WorkGroup,
    WorkRule,
)
from annotation.people.background import Question

BYTES = 1_000_000
INVITED_ROLES = [
    (role.value, role.label)
    for role in (Membership.Role.ANNOTATOR, Membership.Role.RESEARCHER, Membership.Role.VIEWER)
]
NAME_ONLY, ACCOUNT = "name", "account"


class EntryField(forms.ChoiceField):
    """An account where nothing is chosen: what asks for less is always somebody's choice."""

    def clean(self, value: Any) -> Any:
        return super().clean(value or ACCOUNT)


def entry_field(initial: str) -> EntryField:
    """What an annotator gives who opens an invitation."""
    return EntryField(
        label=_("To take part"),
        choices=[
            (NAME_ONLY, _("a name is enough")),
            (ACCOUNT, _("an account with a password")),
        ],
        initial=initial,
    )


class InviteForm(forms.Form):
    """An invitation link."""

    role = forms.ChoiceField(label=_("Role"), choices=INVITED_ROLES)
    days = forms.IntegerField(label=_("Valid for (days)"), min_value=1, max_value=365, initial=14)
    max_uses = forms.IntegerField(
        label=_("How many people may use it"), min_value=1, max_value=1000, initial=1
    )
    entry = entry_field(ACCOUNT)
    note = forms.CharField(label=_("Note for yourself"), required=False, max_length=200)

    def clean(self) -> dict[str, Any]:
        given = dict(self.cleaned_data)
        by_name = given.get("entry") == NAME_ONLY
        if by_name and given.get("role") != Membership.Role.ANNOTATOR and "role" in given:
            self.add_error("entry", _("A name alone is enough for annotators only."))
        return given


class ExcludeForm(forms.Form):
    """Exclude an annotator from the statistics."""

    annotator: forms.ModelChoiceField[Annotator] = forms.ModelChoiceField(
        queryset=None, label=_("Annotator"), to_field_name="key"
    )
    reason = forms.CharField(label=_("Reason"), max_length=300)
    free_slots = forms.BooleanField(
        label=_("Open their assignments to others"), required=False, initial=True
    )

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["annotator"]
        field.queryset = campaign.annotators.all()


class SignUpForm(BaseUserCreationForm):
    """The fields of a new login; the service creates it, if the name is free."""

    class Meta:
        model = User
        fields = ("username",)

    def validate_unique(self) -> None:
        """Say nothing about other people's names: the view takes a known one for a login."""


class InviteManyForm(forms.Form):
    """People, one per line, pasted or as a file."""

    people = forms.CharField(
        label=_("People"),
        required=False,
        max_length=BYTES,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_(
            "One per line: name, e-mail, role, group. Only one of the first two is needed; the "
            "role is annotator unless it says researcher or viewer."
        ),
    )
    file = forms.FileField(
        label=_("Or a file"), required=False, help_text=_("CSV or TSV, UTF-8, the same columns.")
    )
    days = forms.IntegerField(label=_("Valid for (days)"), min_value=1, max_value=365, initial=14)
    entry = entry_field(ACCOUNT)
    by_mail = forms.BooleanField(label=_("Send each link by e-mail"), required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        file = data.get("file")
        data["text"], data["source"] = data.get("people") or "", "people"
        if file is not None and file.size > BYTES:
            self.add_error("file", _("The file is larger than %(most)s MB.") % {"most": 1})
        elif file is not None:
            try:
                data["text"], data["source"] = file.read().decode("utf-8-sig"), file.name
            except UnicodeDecodeError:
                self.add_error("file", _("The file is not UTF-8."))
        if not data["text"].strip() and not self.errors:
            self.add_error("people", _("Name at least one person."))
        return data


class NewUsersForm(InviteManyForm):
    """People who get an account, or an invitation to a campaign."""

    entry = None  # type: ignore[assignment]  # It is about invitations by links alone.
    campaign: forms.ModelChoiceField[Campaign] = forms.ModelChoiceField(
        queryset=None,
        label=_("Campaign"),
        to_field_name="slug",
        required=False,
        empty_label=_("(none: only an account)"),
        help_text=_(
            "With a campaign, everybody gets an invitation to it and chooses a name; without "
            "one, everybody gets an account with this name and a link to set its password."
        ),
    )
    creates = forms.BooleanField(label=_("May create campaigns (accounts only)"), required=False)
    field_order = ["people", "file", "campaign", "creates", "days", "by_mail"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        fields["campaign"].queryset = Campaign.objects.order_by("name")
        fields["days"].help_text = _(
            "For an invitation to a campaign. The link of an account is valid for %(n)s hours."
        ) % {"n": settings.PASSWORD_RESET_TIMEOUT // 3600}


class RemindersForm(forms.Form):
    """When people are reminded without anybody pressing a button."""

    days = forms.IntegerField(
        label=_("Remind automatically after (days)"),
        required=False,
        min_value=1,
        max_value=90,
        help_text=_("Days with neither work nor an e-mail. Empty: only by the button."),
    )
    at_most = forms.IntegerField(label=_("How often at most"), min_value=1, max_value=10, initial=2)


class WorkRuleForm(forms.Form):
    """How much one annotator judges."""

    sheets_at_least = forms.IntegerField(
        label=_("Sheets per person at least"), required=False, min_value=0, max_value=1_000_000
    )
    sheets_at_most = forms.IntegerField(
        label=_("Sheets per person at most"), required=False, min_value=0, max_value=1_000_000
    )
    largest_share = forms.FloatField(
        label=_("Largest share of the sheets that one person may judge"),
        required=False,
        min_value=0,
        max_value=1,
        help_text=_("From 0 to 1; empty: all."),
    )


class WorkGroupForm(forms.Form):
    """A group, and its numbers of sheets, per person and in total."""

    name = forms.CharField(label=_("Group"), max_length=60)
    sheets_at_least = forms.IntegerField(
        label=_("Sheets per person at least"), required=False, min_value=0, max_value=1_000_000
    )
    sheets_at_most = forms.IntegerField(
        label=_("Sheets per person at most"), required=False, min_value=0, max_value=1_000_000
    )
    total_at_least = forms.IntegerField(
        label=_("Sheets of the whole group at least"),
        required=False,
        min_value=0,
        max_value=1_000_000,
    )
    total_at_most = forms.IntegerField(
        label=_("Sheets of the whole group at most"),
        required=False,
        min_value=0,
        max_value=1_000_000,
    )


class ListsForm(forms.Form):
    """Whether sheets come from the pool or from fixed lists."""

    lists = forms.ChoiceField(
        label=_("Where sheets come from"),
        required=False,
        choices=WorkRule.Lists.choices,
        help_text=_("Lists can be chosen until the campaign is opened."),
    )


class ListsFileForm(forms.Form):
    """A file of lists, or its text."""

    text = forms.CharField(
        label=_("Lists"),
        required=False,
        max_length=BYTES,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_(
            "The first line names the columns: annotator (or list), and item (or phrase, sentence "
            "and start); then one item a line."
        ),
    )
    file = forms.FileField(
        label=_("Or a file"), required=False, help_text=_("CSV, TSV or JSON Lines, UTF-8.")
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("file") is None and not (data.get("text") or "").strip():
            self.add_error("text", _("Give the lists, or a file."))
        return data


class HandOnForm(forms.Form):
    """Whom a list is handed on to."""

    to: forms.ModelChoiceField[Annotator] = forms.ModelChoiceField(
        queryset=None,
        label=_("Hand on to"),
        to_field_name="key",
        required=False,
        empty_label=_("(whoever comes next)"),
    )

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        fields["to"].queryset = campaign.annotators.all()


class GroupOfForm(forms.Form):
    """Which group an annotator is in."""

    annotator: forms.ModelChoiceField[Annotator] = forms.ModelChoiceField(
        queryset=None, label=_("Annotator"), to_field_name="key"
    )
    group: forms.ModelChoiceField[WorkGroup] = forms.ModelChoiceField(
        queryset=None,
        label=_("Group"),
        to_field_name="key",
        required=False,
        empty_label=_("(none)"),
    )

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        fields["annotator"].queryset = campaign.annotators.all()
        fields["group"].queryset = campaign.work_groups.all()


# Forms of the page on consent and background questions.


class ConsentTextForm(forms.Form):
    """A new version of the consent text."""

    text = forms.CharField(
        label=_("Text (Markdown)"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 14}),
        help_text=_(
            "Who runs this study, what is asked, what is stored and for how long, whom to ask. "
            "Empty: nothing has to be agreed to."
        ),
    )


class QuestionForm(forms.Form):
    """A background question."""

    wording = forms.CharField(label=_("Question"), max_length=300)
    kind = forms.ChoiceField(label=_("Answer"), choices=BackgroundQuestion.Kind.choices)
    options = forms.CharField(
        label=_("Options"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("For choices: one per line."),
    )
    accepted = forms.CharField(
        label=_("Who may take part"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_(
            "Options, one per line: whoever chooses none of them is thanked and gets no sheets. "
            "Empty: everybody may take part."
        ),
    )
    required = forms.BooleanField(
        label=_("Must be answered"),
        required=False,
        help_text=_("“I would rather not say” is always an answer."),
    )
    name = forms.SlugField(
        label=_("Short name"),
        max_length=40,
        required=False,
        help_text=_("The column in exports: letters, digits, - and _. Empty: q1, q2 …"),
    )

    @classmethod
    def showing(cls, row: BackgroundQuestion) -> QuestionForm:
        """Return the form filled in with a stored question."""
        initial = {name: getattr(row, name) for name in ("wording", "kind", "required", "name")}
        lists = {"options": row.options, "accepted": row.accepted or []}
        return cls(initial={**initial, **{name: "\n".join(one) for name, one in lists.items()}})

    def as_question(self) -> Question:
        """Return the question in the form the service expects."""
        data: dict[str, Any] = dict(self.cleaned_data)
        accepted = tuple(data["accepted"].splitlines())
        return Question(**{**data, "options": data["options"].splitlines(), "accepted": accepted})


class WithdrawalForm(forms.ModelForm):
    """The choices of an annotator who withdraws, and what erasing a person does here."""

    class Meta:
        model = Campaign
        fields = ["allow_removal", "allow_erasure", "erasure_removes"]
        labels = {
            "allow_removal": _("have their judgments left out of every statistic"),
            "allow_erasure": _("have their login and background answers erased"),
            "erasure_removes": _("If an account is deleted, delete its judgments too"),
        }
        help_texts = {
            "allow_removal": _("Their assignments go to others then."),
            "allow_erasure": _("Their code and judgments stay."),
            "erasure_removes": _(
                "Otherwise judgments keep their code, and nothing links it to a person."
            ),
        }


class DeleteAccountForm(forms.Form):
    """The name as it is typed."""

    typed = forms.CharField(
        label=gettext_lazy("Name of the account"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, user: User, **options: Any) -> None:
        super().__init__(*args, **options)
        self.user = user

    def clean_typed(self) -> str:
        typed = str(self.cleaned_data["typed"]).strip()
        if typed != self.user.username:
            raise forms.ValidationError(
                gettext("Type the name %(name)s to delete the account.")
                % {"name": self.user.username}
            )
        return typed
