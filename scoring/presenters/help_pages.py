"""The help of this app's pages, registered at startup (scoring/apps.py)."""

from annotation.presenters.help import add_help

add_help("rooms", "campaign alpha interval run", "overview")
add_help("operations#a-full-disk", "resource run", "disk")
add_help("test-sets#on-the-import-page", "item system reference", "test-set", "test-set-build")
add_help("gold-and-results", "item phrase paraphrase judgment score", "items", "item")
add_help("statistics", "alpha interval cluster counted scale", "agreement", "compare", "influence",
         "ratings")  # fmt: skip
add_help("annotators", "annotator severity interval repeat control", "annotators", "annotator")
add_help("gold-and-results", "system interval group cluster pass look", "results")
add_help("gold-and-results", "gold threshold pass judgment", "gold", "gold-picture")
add_help("runs", "metric run score reference signature", "runs", "run", "scores-import",
         "runs-list", "run-matches")  # fmt: skip
add_help("correlation", "correlation ceiling group interval look", "correlation",
         "correlation-report", "differences")  # fmt: skip
add_help("correlation", "metric gold score pass", "one-metric")
add_help("correlation", "system correlation interval", "correlation-systems")
add_help("correlation", "mix correlation metric", "mixes")
add_help("correlation", "stability correlation", "stability")
add_help("correlation", "ranking metric", "ranking")
add_help("formats", "judgment gold report fingerprint", "exports")
add_help("archives", "campaign log fingerprint", "publish", "archive")
add_help("extrinsic", "paraphrase item resource", "generate", "generate-build")
add_help("extrinsic", "metric correlation interval", "extrinsic", "extrinsic-build")
add_help("metrics", "metric reference resource", "metrics", "metric")
add_help("resources", "resource metric", "resources", "resource", "build")
add_help("extrinsic#on-the-page-resources", "resource phrase paraphrase", "resource-rating")
