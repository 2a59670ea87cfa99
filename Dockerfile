FROM python:3.12-slim
ENV PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PARAANNO_DATA_DIR=/data
RUN useradd --create-home --uid 1000 paraanno && install -d -o paraanno /data
# For the metric METEOR, and for backups: pg_dump must not be older than the server.
RUN apt-get update && apt-get install -y --no-install-recommends wordnet-base postgresql-client \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY requirements.txt .
RUN pip install --no-deps --require-hashes -r requirements.txt
COPY --chown=paraanno . .
USER paraanno
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["sh", "-c", "python -m paraanno.running.start --prepare-only && exec gunicorn -c python:paraanno.running.gunicorn_conf paraanno.wsgi"]
