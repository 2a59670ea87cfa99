"""What the statistics of metrics against people say in English. See scoring/wording.py."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

CORRELATION = [
    # Reasons
    _("undefined: over %(n)s pairs within originals"),
    _("undefined: over %(n)s pairs"),
    _("undefined: over %(n)s pairs; name the column of the clusters"),
    _("undefined: no pair of units"),
    _("undefined: needs two folds with pairs"),
    _("undefined: needs two originals"),
    _("undefined: needs %(n)s originals"),
    _("undefined: needs the column of the originals"),
    _("undefined: needs two systems"),
    _("undefined: no pair of systems shares an original with values"),
    _("undefined: a corpus-level score has no values by original"),
    _("undefined: needs units that pass and units that do not"),
    _("undefined: no original has 3 units that vary"),
    _("undefined: a column does not vary"),
    _("undefined: needs 3 units with two ratings each and a value of the metric"),
    _("undefined: the reliability of the human values is unknown or not above 0"),
    _("undefined: no correlation above 0 of single annotators with the others"),
    _("a perfect order, or too few clusters"),
    # Coefficients
    _("Pearson"),
    _("Spearman"),
    _("Kendall tau-b"),
    _("Kendall tau-c"),
    _("Pearson, p by t distribution (two-sided)"),
    _("Spearman, p by t approximation (two-sided)"),
    _("Kendall tau-%(variant)s, p %(how)s (two-sided)"),
    _("95 %% linearised by cluster (Hoeffding 1948), Fisher's z, normal"),
    _("95 %% linearised by cluster, normal"),
    _("accuracy with ties"),
    _("%(pairs)s, accuracy with credit for ties of both"),
    _("%(method)s, epsilon calibrated on the same pairs"),
    _("%(method)s, epsilon calibrated on other folds"),
    _("area under the ROC curve: chance that what passes has the greater value, ties half"),
    _("%(label)s, mean over originals with 3 units or more that vary"),
    _("Kendall tau-b, pairs within an original pooled"),
    _("%(method)s, systems' means over the units with both values"),
    _("%(method)s, systems' corpus-level scores against the mean human value"),
    _("pairs of systems that humans tell apart, half credit for a tie, %(what)s"),
    _("systems' means over the units with both values"),
    _("systems' corpus-level scores against the mean human value"),
    _(
        "1 - mean over pairs of systems of |p of the humans - p of the metric|, one-sided mid-p of "
        "a paired swap by original"
    ),
    _(
        "r / sqrt(reliability of the mean human value, split-half with Spearman-Brown), the "
        "interval as if the reliability were known exactly"
    ),
    _("r / r of one annotator with the mean of the others"),
    # Differences between metrics
    _("difference of %(coefficient)s, a - b"),
    _("difference of pairwise accuracy, a - b, a tie of a metric counts half"),
    _("difference of pairwise accuracy within originals, a - b"),
    _("Steiger 1980, pooled, Pearson, units taken as independent"),
    _("Meng, Rosenthal and Rubin 1992, Pearson, units taken as independent"),
    _("95 %% interval of the difference of Pearson, Zou 2007, units taken as independent"),
    _("swap of standardised metrics by cluster, Pearson"),
    _("swap of standardised metrics by cluster, Pearson, all %(n)s swaps"),
    _("swap of mid-ranks by cluster, Spearman"),
    _("swap of mid-ranks by cluster, Spearman, %(n)s permutations"),
    _("swap of mid-ranks by cluster, Spearman, all %(n)s swaps"),
    _("swap of whole clusters"),
    _(
        "units of one original are alike: a test at .05 that takes them for independent would find "
        "a difference where there is none in about %(share)s of 100 data sets like this one"
    ),
    _("percentile of the metric's mid-rank less that of the human value, over the same units"),
    _(
        "White 2012: one mark for p < .1, two for p < .05, three for p < .01 (elsewhere these "
        "marks often mean .05, .01 and .001). * against the metric alone, † against the model in "
        "the previous row; McNemar's test"
    ),
]
