"""Many threads that begin at once."""

import threading

from django.db import connection

from annotation.errors import DomainError

THREADS = 16


def together(work):
    """Run every piece of work in a thread of its own, all starting at the same moment."""
    barrier = threading.Barrier(len(work))
    results = [None] * len(work)

    def run(number):
        barrier.wait()
        try:
            results[number] = work[number]()
        except Exception as error:  # the test looks at it
            results[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(work))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def unforeseen(results):
    return [
        one for one in results if isinstance(one, Exception) and not isinstance(one, DomainError)
    ]
