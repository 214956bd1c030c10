# 小祥 in a container: slim, not root, the file system read-only but for /data.
#   docker build -t xiaoxiang . && docker run --rm -it -v xiaoxiang:/data xiaoxiang setup
FROM python:3.12-slim AS build
WORKDIR /src
COPY requirements-all.lock ./
RUN python -m venv /opt/xiaoxiang \
 && /opt/xiaoxiang/bin/pip install --no-cache-dir --no-deps --require-hashes -r requirements-all.lock
COPY . .
RUN python -m pip install --no-cache-dir hatchling==1.28.0 \
 && python -m pip wheel --no-deps --no-build-isolation -w /wheels . \
 && /opt/xiaoxiang/bin/pip install --no-cache-dir --no-deps /wheels/*.whl

FROM python:3.12-slim
RUN useradd --uid 10001 --no-create-home --home-dir /data xiaoxiang \
 && install -d -o xiaoxiang -g xiaoxiang -m 0700 /data
COPY --from=build /opt/xiaoxiang /opt/xiaoxiang
ENV PATH=/opt/xiaoxiang/bin:$PATH PYTHONUTF8=1 PYTHONDONTWRITEBYTECODE=1 XIAOXIANG_HOME=/data
# Or glibc keeps what large arrays took for a moment, in an arena for every thread.
ENV MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=4194304
# Heard inside the container alone; metrics for a Prometheus outside need another HEALTH_BIND.
ENV HEALTH_BIND=127.0.0.1:9100
USER xiaoxiang
VOLUME /data
HEALTHCHECK --interval=60s --timeout=10s --start-period=60s CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:9100/live', timeout=8)"]
# She ends by herself within eight seconds of SIGTERM, and owes nothing that is not written down.
STOPSIGNAL SIGTERM
ENTRYPOINT ["xiaoxiang"]
CMD ["run"]
