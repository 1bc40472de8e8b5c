# The program needs no build step: Node runs the TypeScript as it is. The version is that of package-lock.json.
FROM node:24.21.0-slim
WORKDIR /app
# Without Slack's tokens only REST is served here: the playground opens by itself on a loopback address only. With
# PLAYGROUND=on it answers under localhost and the host of BASE_URL.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# npx sets the mode of what it starts, which only its owner can.
COPY --chown=node:node bin ./bin
COPY package.json package-lock.json ./
# The image has this Node already, and no package needs a script but this one's own.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && npm run postinstall \
  && rm -rf node_modules/node-linux-* node_modules/.bin/node \
  && npm cache clean --force
COPY manifest.yml LICENSE ./
COPY src ./src
COPY playground ./playground
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# It becomes the program itself, so that the signal to stop reaches it.
CMD ["node", "bin/start.js"]
