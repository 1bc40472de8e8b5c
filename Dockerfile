# The program needs no build step: Node runs the TypeScript as it is. The version is that of package-lock.json, and the image
# that of this digest, for amd64 and arm64. docs/contributing.md (Release) says how to renew it.
ARG BASE=node:24.21.0-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20
FROM ${BASE}
# The init: it passes signals on, and ends what a command that was run in the container has left.
RUN apt-get update \
  && apt-get install -y --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
# Without Slack's tokens only REST is served here: the playground opens by itself on a loopback address only. With
# PLAYGROUND=on it answers under localhost and the host of BASE_URL.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
COPY bin ./bin
COPY package.json package-lock.json ./
# The image has this Node already, and no package needs a script but this one's own. The command line is `dwell` here: npx
# sets the mode of what it starts, which nobody can in a file system that is only read.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && npm run postinstall \
  && rm -rf node_modules/node-linux-* node_modules/.bin/node \
  && npm cache clean --force \
  && ln -s /app/bin/dwell.js /usr/local/bin/dwell
COPY manifest.yml LICENSE ./
COPY src ./src
COPY playground ./playground
RUN mkdir /data && chown 1000:1000 /data
# By its number, so that Kubernetes can check that it is not root. Nothing but /data is written.
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/bin/tini", "--"]
# It becomes the program itself.
CMD ["node", "bin/start.js"]
