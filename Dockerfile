# Three stages: a wheel is built with tools, installed without them, and run as nobody in particular.
FROM python:3.11-slim AS build
WORKDIR /src
COPY requirements.txt ./
RUN python -m venv /opt/build && /opt/build/bin/pip install --no-cache-dir --require-hashes -r requirements.txt
COPY pyproject.toml README.md ./
COPY protocol protocol
COPY engines engines
COPY server server
COPY loadtest loadtest
RUN /opt/build/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /wheels .

FROM python:3.11-slim AS install
WORKDIR /src
COPY requirements-run.txt ./
RUN python -m venv /opt/sanctum && /opt/sanctum/bin/pip install --no-cache-dir --require-hashes -r requirements-run.txt
COPY --from=build /wheels /wheels
RUN /opt/sanctum/bin/pip install --no-cache-dir --no-deps /wheels/*.whl

FROM python:3.11-slim
RUN useradd --system --uid 10001 --home-dir /data sanctum && install -d -o sanctum -g sanctum -m 700 /data
COPY --from=install /opt/sanctum /opt/sanctum
ENV PATH=/opt/sanctum/bin:$PATH PYTHONDONTWRITEBYTECODE=1 SANCTUM_HOST=0.0.0.0 SANCTUM_PORT=8080 SANCTUM_DATA_DIR=/data SANCTUM_LOG_FORMAT=json
USER 10001
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=4s --start-period=20s CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8080/readyz', timeout=3)"]
STOPSIGNAL SIGTERM
CMD ["sanctum", "serve"]
