"""How many annotators a site bears: items with the next one, for ever more clients, by one web
server and, on PostgreSQL, by two."""

from __future__ import annotations

import os

from django.conf import settings

from tests.live import Site, free_port
from tools.bench import clients
from tools.bench.table import line, note

CLIENTS = (5, 20, 50, 100, 200)
SHEETS = 40_000  # More than all of them judge.


def measure(database: str, seconds: int) -> None:
    from tests.factories import item_rows

    site = Site(database=database, environment={"PARAANNO_SECRET_KEY": settings.SECRET_KEY})
    try:
        with site.database():
            everybody = clients.annotators_in(
                "curve", rows=item_rows(SHEETS, 1), clients=max(CLIENTS)
            )
        site.start("web")
        ports = [site.port]
        _rows(everybody, ports, seconds)
        if database == "postgresql":  # SQLite is a file of one machine.
            ports.append(free_port())
            site.start("web-2", port=ports[1])
            _rows(everybody, ports, seconds)
    finally:
        site.close()


def _rows(everybody: list[clients.Annotator], ports: list[int], seconds: int) -> None:
    hosts = "one web server" if len(ports) == 1 else f"{len(ports)} web servers"
    for number in CLIENTS:
        group = everybody[:number]
        for at, client in enumerate(group):
            client.connect(ports[at % len(ports)])
            if client.sheet is None:
                client.claim("curve")
        phase = clients.run(group, seconds / 4, clients.take_turn)
        line(f"{hosts}, {number} clients", phase.turns / phase.seconds, "turns/s")
        line("    p95", phase.p95, "ms")
        note(
            f"p50 {phase.p50:.0f}, p99 {phase.p99:.0f} ms; {len(phase.wrong)} refused; "
            f"clients' own CPU {1000 * phase.client_cpu / phase.requests:.1f} ms a request; "
            f"load {os.getloadavg()[0]:.1f}"
        )
        for client in group:
            client.connection.close()
