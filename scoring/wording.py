"""What statistics and metrics say in English, in the language of the page.

They import no translator, and stored reports hold what they said, so the English sentence is the
key. A new sentence needs one line here; tests/scoring_pages/test_wording.py says which is missing.
"""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

from annotation.wording import Wording
from scoring.wording_correlation import CORRELATION
from scoring.wording_files import FILES
from scoring.wording_metrics import METRICS
from scoring.wording_options import REFUSED

REASONS = [
    _("undefined: annotators are anonymous"),
    _("undefined: no ratings"),
    _("undefined: no rating"),
    _("undefined: no row"),
    _("undefined: needs two annotators"),
    _("undefined: needs %(n)s annotators"),
    _("undefined: needs %(n)s annotators, so that two are left"),
    _("undefined: more than %(n)s annotators"),
    _("undefined: needs two judgments"),
    _("undefined: needs 3 repeats"),
    _("undefined: needs 3 units that others rated too"),
    _("undefined: needs 3 units, has %(n)s"),
    _("undefined: needs %(least)s units with two ratings, has %(n)s"),
    _("undefined: needs 4 units"),
    _("undefined: needs two clusters to swap"),
    _("undefined: needs two units with two or more ratings"),
    _("undefined: no unit has two ratings"),
    _("undefined: no unit has two decisions"),
    _("undefined: only one unit has two ratings"),
    _("undefined: no annotator rated %(n)s units that others rated too"),
    _("undefined: %(n)s of the units were rated by all %(raters)s annotators, needs 2"),
    _("undefined: the scale has a single level"),
    _("undefined: no variation, all ratings are equal"),
    _("undefined: no variation, all values of one side are equal"),
    _("undefined: no variation, the annotators of every pair gave the same single value"),
    _("undefined: both gave the same single value"),
    _("undefined: every annotator gave one value only"),
    _("undefined: all decisions are the same"),
    _("undefined: all %(clusters)s have the same mean"),
    _("undefined: the variances it divides by add up to nothing"),
    _("undefined: too few shared ratings to tell units, annotators and noise apart"),
    _("undefined: the annotators fall into %(n)s groups that share no unit"),
    _(
        "undefined: the annotators fall into %(n)s groups that share no unit, so severity cannot "
        "be told from quality"
    ),
    _("undefined: the human values are all equal"),
    _("undefined: the metric's values are all equal"),
    _("undefined: the annotator's values are all equal"),
    _("undefined: the others' values are all equal"),
    _("undefined: the values of the second time are all equal"),
    _("undefined: by one of the two all texts have the same value"),
    _("undefined: fewer than three texts have a value by both"),
    _("undefined: nothing was judged twice"),
    _("undefined: nobody else rated the same units"),
    _("undefined: no control was judged"),
    _("undefined: no times are known"),
    _("undefined: the order of judging is not known"),
    _("undefined: humans tell no pair apart"),
    _("undefined: too many pairs; name the clusters"),
    _("undefined: over %(n)s pairs; name the column of the clusters"),
    _("undefined: the two metrics order everything alike"),
    _("undefined: two values are equally frequent"),
    _("undefined: two decisions are equally probable"),
    _("undefined: none of its annotators varies, so none has a z-score"),
    _("undefined: no scale has a threshold"),
    _("undefined: a scale with a threshold has no value"),
    _("undefined: z-scores are not on the scale, thresholds do not apply"),
    _("undefined: this method decides what passes and gives no value on a scale"),
    _("undefined: no decision on both systems"),
    _("undefined: pairs are compared for 2 to %(most)s systems, there are %(n)s"),
    _("undefined: fewer than %(least)s %(clusters)s to draw"),
    _("undefined: over 10 %% of the draws have no value"),
    _("fewer than %(least)s %(clusters)s to draw"),
    _("fewer than %(n)s clusters or units"),
    _("fewer than 6 sheets"),
    _("over 10 %% of the replicates are undefined"),
    _("no bootstrap was asked for"),
    _("no error can be estimated"),
    _("a maximum has no interval: compare it with the range by chance"),
]
# What units and clusters are, and what an interval speaks of.
NOUNS = [
    _("units"),
    _("clusters"),
    _("items"),
    _("phrases"),
    _("new units"),
    _("new clusters"),
    _("new repeats"),
    _("new controls"),
    _("new sheets"),
    _("new %(clusters)s"),
    _("new %(units)s, new annotators"),
    _("new %(units)s, these annotators"),
    _("decisions of one annotator on one item"),
]
METHODS = [
    _("%(method)s, %(n)s levels"),
    _("%(method)s, ANOVA, single rating"),
    _("%(method)s, REML on all ratings, single rating"),
    _("%(method)s, ANOVA, mean of k = %(k)s ratings"),
    _("%(method)s, REML on all ratings, mean of k = %(k)s ratings"),
    _("%(method)s, %(clusters)s taken as independent"),
    _("one-way random effects"),
    _("two-way random effects, absolute agreement (A)"),
    _("two-way, consistency (C)"),
    _("classical (Fleiss 1971)"),
    _("Gwet's generalisation to unequal numbers of ratings (2014)"),
    _("Krippendorff 2011, %(level)s difference"),
    _("AC1 (Gwet 2008)"),
    _("AC2, quadratic weights (Gwet 2014)"),
    _("Brennan and Prediger 1981"),
    _("tie-corrected, units rated by every annotator"),
    _("mean of Cohen's kappa (1960) over pairs of annotators on their shared units"),
    _(
        "mean of Cohen's weighted kappa (1968), weights |x - y| on scale values, over pairs of "
        "annotators on their shared units"
    ),
    _(
        "mean of Cohen's weighted kappa (1968), weights (x - y)^2 on scale values, over pairs of "
        "annotators on their shared units"
    ),
    _("mean of Scott's pi (1955) over pairs of annotators on their shared units"),
    _("%(label)s of an annotator with the mean of the rest, mean over annotators"),
    _("%(label)s of two random halves of each unit's annotators, mean over halvings"),
    _("Spearman on mid-ranks"),
    _("Kendall tau-b, p %(how)s (two-sided)"),
    _("exact"),
    _("by normal approximation"),
    _("%(pairs)s that humans tell apart, half credit for a tie of the metric"),
    _("all pairs of units"),
    _("pairs within a cluster"),
    _("difference of Pearson, a - b"),
    _("Williams 1959, Pearson, units taken as independent"),
    _("McNemar, exact binomial"),
    _("McNemar, exact binomial, over pairs that humans tell apart, taken as independent"),
    _("swap of standardised metrics by cluster, Pearson, %(n)s permutations"),
    _("swap of whole clusters, two-sided, %(n)s clusters, %(way)s"),
    _("swap of whole clusters, two-sided, %(n)s clusters"),
    _("%(n)s random swaps"),
    _("95 %%, Wilson 1927, rows taken as independent"),
    _("95 %%, percentiles of %(n)s bootstrap draws of %(clusters)s"),
    _("95 %% delete-a-group jackknife, %(n)s groups, t"),
    _("95 %% percentile"),
    _("95 %%, F distribution, units independent (McGraw and Wong 1996)"),
    _("95 %%, F distribution, units independent (Shrout and Fleiss 1979)"),
    _(
        "95 %%, variance of drawing units plus jackknife over annotators (Gwet 2014, chapter 5), t "
        "with Satterthwaite's degrees of freedom"
    ),
    _("permutation test, each annotator's ratings in another order over the units rated"),
    _("mean over units of the agreeing share of pairs"),
    _("pooled pairs at most one point apart"),
]
GOLD = [
    _("mean of the ratings"),
    _("median of the ratings"),
    _("most frequent rating"),
    _("mean without the lowest and highest %(share)s of the ratings"),
    _("mean of the ratings standardised within each annotator (Graham et al. 2013)"),
    _("least squares of the additive model unit + annotator, effects adding up to 0"),
    _("Dawid and Skene 1979, maximum likelihood by EM from the shares of the labels"),
    _("%(method)s; stopped after %(n)s steps"),
    _("MACE (Hovy et al. 2013), variational Bayes, best of %(starts)s starts of %(steps)s steps"),
    _("gold of every scale against its threshold"),
    _("share of the ratings that gave the value"),
    _("probability of the decision under the model"),
    _(
        "95 %%, Student's t on the spread pooled over units (one-way analysis of variance), "
        "annotators of a unit taken as a sample of annotators"
    ),
    _("95 %% or more, order statistics of the sign test, from six ratings on"),
    _("95 %%, Student's t on the winsorised spread (Tukey and McLaughlin 1963)"),
    _("95 %%, Student's t of the model, annotators fixed"),
]
ANNOTATORS = [
    _(
        "least squares of the additive model unit + annotator, effects adding up to 0 (Searle "
        "1971); error with clusters (Liang and Zeger 1986), Student's t"
    ),
    _(
        "mean over own units of the share of the others who give the same value; Wilson 1927 with "
        "the effective sample size (Korn and Graubard 1998)"
    ),
    _(
        "mean over own units of the share of the others who are within one point; Wilson 1927 with "
        "the effective sample size (Korn and Graubard 1998)"
    ),
    _(
        "share of repeats equal; Wilson 1927 with the effective sample size (Korn and Graubard "
        "1998)"
    ),
    _(
        "share of repeats at most one point apart; Wilson 1927 with the effective sample size "
        "(Korn and Graubard 1998)"
    ),
    _(
        "Pearson with the mean of the others; Fisher's z, error by linearisation with clusters, "
        "Student's t"
    ),
    _(
        "Pearson of first and second values; Fisher's z, error by linearisation with clusters, "
        "Student's t"
    ),
    _(
        "standard deviation of own values / of the others' on the same units; log scale, error by "
        "linearisation with clusters, Student's t"
    ),
    _(
        "least squares of own value - mean of the others on the place in the order of judging, per "
        "100 judgments; error by linearisation with clusters, Student's t"
    ),
    _(
        "equal neighbours / all neighbours in the order of judging; Wilson 1927 with the effective "
        "sample size (Korn and Graubard 1998); p: number of runs (Mood 1940)"
    ),
    _(
        "longest run of one value in the order of judging; the range by chance from the own values "
        "in random order (Feller 1968, XIII.7)"
    ),
    _("share inside the band; Wilson 1927"),
    _("share of sheets below %(n)s seconds for each judgment; Wilson 1927"),
    _("mean of second - first value; error with clusters, Student's t"),
    _(
        "median over sheets of the seconds for each judgment; interval by order statistics "
        "(Thompson 1936)"
    ),
]
worded = Wording(
    [*REASONS, *NOUNS, *METHODS, *GOLD, *METRICS, *REFUSED, *ANNOTATORS, *CORRELATION, *FILES]
)
