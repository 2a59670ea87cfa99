"""Forms of the page on consent and background questions."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import BackgroundQuestion, Campaign
from annotation.services.people.background import Question


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
            "allow_removal": _("Their places go to others then."),
            "allow_erasure": _("Their code and judgments stay."),
            "erasure_removes": _(
                "Otherwise judgments keep their code, and nothing links it to a person."
            ),
        }
