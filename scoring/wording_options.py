"""What metrics refuse in the form of runs, and what they lack. See scoring/wording.py."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

REFUSED = [
    _("%(metric)s: %(option)s=%(value)s is not allowed; use %(allowed)s."),
    _(
        "%(metric)s: %(option)s=%(value)s is not allowed; use a whole number from %(low)s to "
        "%(high)s."
    ),
    _("%(metric)s: %(option)s=%(value)s is not allowed; use a number from %(low)s to %(high)s."),
    _(
        "%(metric)s: %(text)s names no metric; write NAME or NAME{option=value;...}, with + "
        "between the parts."
    ),
    _("%(metric)s: the option %(option)s=METRIC+METRIC is missing."),
    _("%(metric)s: %(text)s should read option=value, each option once."),
    _(
        "%(metric)s: %(option)s=%(value)s is not allowed; write equal, or numbers with + between "
        "them, such as 0.8+-0.2."
    ),
    _("combine: %(n)s weights for %(parts)s parts; give one for each."),
    _("combine: a part cannot be a combination itself; name its parts."),
    _(
        "combine: %(option)s= cannot stand inside the braces of %(name)s; write %(again)s= beside "
        "of=, for all parts."
    ),
    _(
        "combine: %(option)s= cannot stand inside the braces of %(name)s; score %(again)s by "
        "itself and combine its column elsewhere."
    ),
    _("%(metric)s: no part takes %(option)s=; leave it out."),
    _("There is no metric called %(name)s; there are %(names)s."),
    _("counts: the corpus is %(lang)s; give lang=%(again)s."),
    _("counts: a corpus is counted with segmentation=merged."),
    _("%(metric)s: the table %(table)s has no probabilities; take min_probability out."),
    _("%(metric)s: layer=%(layer)s is not allowed; the model %(model)s has %(n)s."),
    _("%(metric)s: there is no model %(name)s on this machine; there are %(names)s."),
    _("%(metric)s: the option %(option)s=NAME is missing; there are %(names)s."),
    _("%(metric)s: the model %(name)s has no %(lack)s; save it with all its files."),
    _(
        "%(metric)s: the weights of the model %(name)s are a Python pickle, which could run "
        "programs; save them as %(file)s."
    ),
    _("The model %(name)s is no encoder: use one such as BERT or RoBERTa."),
    _("The model %(name)s has no weights for %(part)s: get it anew."),
    _("The model %(name)s cannot be read: %(why)s"),
    _(
        "A library of the optional extra `neural` is missing on this machine: run `make "
        "install-neural` and start the application again."
    ),
    _(
        "A model is missing on this machine: put a folder with %(files)s into the folder that "
        "%(variable)s names, or into `models` in the data folder."
    ),
    _(
        "WordNet is not on this machine: install Debian's package wordnet-base, or run `manage.py "
        "stage_wordnet FOLDER`, or name its folder in %(variable)s."
    ),
]
