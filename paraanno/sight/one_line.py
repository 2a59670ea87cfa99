"""One line for a request that met a database that is away: not its traceback, which says the same
170 lines for each of them."""

from __future__ import annotations

import logging


class OneLine(logging.Filter):
    """Puts the error behind the message in place of the traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        from paraanno.answers.unavailable import is_unavailable

        error = record.exc_info[1] if record.exc_info else None
        if is_unavailable(error):
            about = (str(error).strip() or "no answer").splitlines()[0]
            record.msg = f"{record.getMessage()} ({type(error).__name__}: {about})"
            record.args, record.exc_info, record.exc_text = (), None, None
        return True
