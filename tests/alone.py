"""Settings of a site that collects and does not analyse: `annotation` without `scoring`."""

import sys

from paraanno import settings
from paraanno.settings import *  # noqa: F403

# Whoever imports it all the same gets an ImportError.
sys.modules["scoring"] = None

INSTALLED_APPS = [app for app in settings.INSTALLED_APPS if app.partition(".")[0] != "scoring"]
