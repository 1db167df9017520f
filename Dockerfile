# weps with the local app. docs/serving.md says how to run it, and why the port is published on the
# host's loopback only:
#
#   docker build -t weps .
#   docker run --rm -p 127.0.0.1:8000:8000 -v "$PWD/weps-out:/data/weps-out" weps
# The base is known by the digest of its index of all architectures; renew it with every release.
ARG BASE=python:3.11-slim@sha256:9c900dea9e8fb7e16277c179b555cc72d29a352dbc33cff48ad5a0412fd5bfc7
FROM ${BASE} AS build
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM ${BASE}
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir "$(echo /wheels/*.whl)[app,web]" \
    && rm -r /wheels \
    && useradd --create-home weps \
    && install -d -o weps -g weps /data /data/weps-out
# The cache works for any --user; it ends with the container.
ENV WEPS_CACHE=/tmp/weps-cache PYTHONUNBUFFERED=1
USER weps
STOPSIGNAL SIGINT
WORKDIR /data
EXPOSE 8000
ENTRYPOINT ["weps"]
CMD ["serve", "--listen", "0.0.0.0", "--port", "8000"]
