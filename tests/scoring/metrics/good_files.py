"""A small file of every kind that metrics and recipes read."""

from tests.scoring.metrics.arpa_files import LINES

GOOD = {
    "vectors": "2 2\ncat 1 0\ndog 0 1\n",
    "table": "cat\tkitten\t0.5\ndog\thound\t0.4\n",
    "synonyms": "cat\tkitten\ndog\thound\tcur\n",
    "nbest": "cat\tkitten\t-1.5\ncat\ttom\t-2\n",
    "counts": "#total\t100\ncat\t10\ndog\t20\ncat\tdog\t5\n",
    "corpus": "the cat sat\nthe dog sat\n",
    "lm": LINES,
    "parses": "(S (NP (D the) (N cat)) (VP (V sat)))\n(NP (D a) (N dog))\n",
    "translations": "Hund ||| dog ||| 0.7 1 0.9\nKatze ||| cat ||| 0.8 1 0.6\n",
    "links": "0-0 1-1\n\n0-1 1-0\n",
    "aligned_pairs": "the cat sat\ta cat sat\t0-0 1-1 2?2\n",
    "texts": "text,label\nA cat sat.,1\nA dog sat.,0\n",
}
