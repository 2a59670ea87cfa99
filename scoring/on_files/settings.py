"""The settings of commands on plain files: nothing but those commands."""

INSTALLED_APPS = ["scoring.on_files"]
USE_TZ = True
LOGGING_CONFIG = None  # Its import takes as long as the numbers of a small file.
