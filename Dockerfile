# syntax=docker/dockerfile:1
# docker build --target demo .     the demo; with --progress=plain its output is shown
# docker build --target tests .    the tests with R, as in continuous integration
# docker build --target command -t evalstats .    an image of the command
# docker build --target serve -t evalstats-serve .    the web interface, for a reverse proxy: docs/hosting.md

FROM python:3.12-bookworm AS source
WORKDIR /evalstats
COPY . .

FROM source AS demo
RUN sh scripts/demo

FROM source AS tests
# as root, scripts/test installs R, Java, a browser and shells with apt
RUN EVALSTATS_REQUIRE_R=1 sh scripts/test

FROM source AS wheel
RUN python -m pip wheel --no-deps --wheel-dir /wheels .

FROM python:3.12-slim-bookworm AS command
RUN --mount=type=bind,from=wheel,source=/wheels,target=/wheels \
    python -m pip install --no-cache-dir "$(echo /wheels/*.whl)[all]"
# nobody, with the only folder that it may write to
USER 65534:65534
ENV HOME=/tmp MPLCONFIGDIR=/tmp
WORKDIR /tmp
ENTRYPOINT ["evalstats"]
CMD ["--help"]

FROM command AS serve
CMD ["serve", "--no-browser", "--port", "8765", "--time-limit", "100"]
