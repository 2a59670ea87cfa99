"""Two web servers and two workers on two hosts, with a PostgreSQL and a Redis of their own."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from paraanno.env import prepare_data_dir
from paraanno.running import supervision
from tests import live_parts
from tests.live import free_port, on_database
from tools.soak import parts
from tools.soak.hosts import Host, make_hosts

FAKETIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1")
DISK_MB = {"data": 512, "postgres": 3072}


class SoakSite:
    """The site, running. `urls` are the addresses of its web servers, `clocks` the hosts whose
    clock can be wrong. `database`: "postgresql", or "sqlite" in the data folder of both hosts."""

    def __init__(self, database: str = "postgresql") -> None:
        self.on_sqlite = database == "sqlite"
        self.clocks = ["a", "b"] if self.on_sqlite else ["b"]
        self.database_part: parts.Part | None = None
        self.folder = Path(tempfile.mkdtemp(prefix="paraanno-soak-"))
        self.folder.chmod(0o755)
        self.hosts = make_hosts()
        self.disks: dict[str, Path] = {}
        self.keeper: parts.Keeper | None = None
        try:
            self._disks()
            self._middle()
            self._site()
        except BaseException:
            self.close()
            raise

    def _disks(self) -> None:
        """Small disks of their own where root may mount them: only these can be filled."""
        for name, size in DISK_MB.items():
            if name == "postgres" and self.on_sqlite:
                continue
            folder = self.folder / name
            folder.mkdir()
            if os.getuid() == 0:
                options = f"size={size}m,mode=755"
                command = ["mount", "-t", "tmpfs", "-o", options, "soak", str(folder)]
                if subprocess.run(command, check=False, capture_output=True).returncode == 0:
                    self.disks[name] = folder

    def _middle(self) -> None:
        self.logs = self.folder / "logs"
        self.logs.mkdir()
        addresses = sorted({host.middle for host in self.hosts.all})
        self.database_port, self.broker_port = free_port(), free_port()
        self.broker_part = parts.redis(
            self.folder, self.broker_port, addresses, self.logs / "broker.log"
        )
        middle = [(self.broker_part, self.broker_port)]
        if not self.on_sqlite:
            self.database_part = parts.postgres(
                self.folder / "postgres", self.database_port, addresses, self.logs / "database.log"
            )
            middle.append((self.database_part, self.database_port))
        self.parts = [part for part, _ in middle]
        for part, port in middle:
            part.start()
            parts.until_open("127.0.0.1", port, f"{part.name} listens")
        self.database_url = self._database_url("127.0.0.1")

    def _database_url(self, middle: str) -> str:
        if self.on_sqlite:
            return f"sqlite:///{self.folder}/data/paraanno.sqlite3"
        return f"postgresql://paraanno@{middle}:{self.database_port}/postgres"

    def _site(self) -> None:
        (self.folder / "data" / "static").symlink_to(live_parts.prepared() / "static")
        self.data_dir = prepare_data_dir(self.folder / "data")
        key = settings.SECRET_KEY  # Sessions are made in this process.
        first = self._environment(self.hosts.all[0], key, free_port())
        live_parts.run_python({**first, "DATABASE_URL": self.database_url}, "-c", live_parts.TABLES)
        self.urls: dict[str, tuple[str, int]] = {}
        self.web: dict[str, parts.Part] = {}
        self.workers: dict[str, parts.Part] = {}
        for host in self.hosts.all:
            port = free_port()
            environment = self._environment(host, key, port)
            self.urls[host.name] = (host.address, port)
            self.web[host.name] = self._part("web", host, environment)
            self.workers[host.name] = self._part("worker", host, environment)
        hosts = [*self.web.values(), *self.workers.values()]
        self.parts += hosts
        for part in hosts:
            part.start()
        for host in self.hosts.all:
            parts.until_open(*self.urls[host.name], f"web-{host.name} listens")
        self.keeper = parts.Keeper(self.parts)

    def _environment(self, host: Host, key: str, port: int) -> dict[str, str]:
        temporary = self.folder / f"tmp-{host.name}"
        temporary.mkdir(exist_ok=True)
        return live_parts.clean_environment(
            PARAANNO_DATA_DIR=str(self.data_dir),
            PARAANNO_SECRET_KEY=key,
            DATABASE_URL=self._database_url(host.middle),
            BROKER_URL=f"redis://{host.middle}:{self.broker_port}/0",
            PARAANNO_CACHE_URL=f"redis://{host.middle}:{self.broker_port}/1",
            PARAANNO_HOST=host.address,
            PARAANNO_PORT=str(port),
            PARAANNO_ALLOWED_HOSTS=host.address,
            PARAANNO_WEB_PROCESSES="1",
            PARAANNO_WORKER_PROCESSES="1",
            TMPDIR=str(temporary),
        )

    def _part(self, kind: str, host: Host, environment: dict[str, str]) -> parts.Part:
        argv = supervision.program_argv(kind)
        if kind == "worker":
            argv = [*argv[: argv.index("--hostname")], "--hostname", f"worker-{host.name}@%h"]
        name = f"{kind}-{host.name}"
        return parts.Part(name, host.name, host.argv(argv), environment, self.logs / f"{name}.log")

    @contextlib.contextmanager
    def database(self) -> Iterator[None]:
        """Point Django's ORM in this thread at the site's database."""
        with on_database(self.database_url):
            yield

    def close(self) -> None:
        """End every process, and take away what was made."""
        if self.keeper is not None:
            self.keeper.close()
        else:
            for part in reversed(getattr(self, "parts", [])):
                part.stop()
        self.hosts.close()
        for folder in self.disks.values():
            subprocess.run(["umount", "-l", folder], check=False, capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)
