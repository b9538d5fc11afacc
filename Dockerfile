# Two stages: wheels are built with tools, the service runs without them, as nobody in particular.
FROM python:3.11-slim AS build
WORKDIR /src
COPY requirements.txt pyproject.toml README.md ./
RUN python -m venv /opt/sanctum \
 && /opt/sanctum/bin/pip install --no-cache-dir --require-hashes -r requirements.txt
COPY protocol protocol
COPY engines engines
COPY server server
COPY loadtest loadtest
RUN /opt/sanctum/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.11-slim
RUN useradd --system --uid 10001 --home-dir /data sanctum && install -d -o sanctum -g sanctum /data
COPY --from=build /opt/sanctum /opt/sanctum
USER sanctum
ENV PATH=/opt/sanctum/bin:$PATH SANCTUM_HOST=0.0.0.0 SANCTUM_PORT=8080 SANCTUM_DATA_DIR=/data SANCTUM_LOG_FORMAT=json
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=4s --start-period=20s CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8080/readyz', timeout=3)"]
STOPSIGNAL SIGTERM
CMD ["sanctum", "serve"]
