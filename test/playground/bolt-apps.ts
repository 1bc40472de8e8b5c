import { App, HTTPReceiver, LogLevel, SocketModeReceiver } from '@slack/bolt';
import type { StandInSlack } from '../support/stand-in-slack.ts';

/** A real Bolt app that takes signed HTTP on a loopback port; the stand-in is told where. */
export async function startBoltOverHttp(slack: StandInSlack, signingSecret = slack.signingSecret) {
  const receiver = new HTTPReceiver({
    signingSecret,
    logger: silent,
    // Bolt's own timer would keep the test process up for three seconds.
    unhandledRequestTimeoutMillis: 500,
  });
  const app = new App({
    receiver,
    token: slack.botToken,
    tokenVerificationEnabled: false,
    logger: silent,
    clientOptions: { slackApiUrl: slack.apiUrl },
  });
  app.error(async () => {});
  const server = await app.start({ port: 0, host: '127.0.0.1' });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  slack.botAt(`http://127.0.0.1:${port}`);
  return {
    app,
    async stop() {
      server.closeAllConnections();
      await app.stop();
    },
  };
}

/** A real Bolt app in Socket Mode. After so long (ms) it takes a silent connection for gone, and connects again. */
export async function startBoltOverSocket(slack: StandInSlack, clientPingTimeout = 30_000) {
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken,
    logger: silent,
    clientPingTimeout,
    installerOptions: { clientOptions: { slackApiUrl: slack.apiUrl } },
  });
  const app = new App({
    receiver,
    token: slack.botToken,
    tokenVerificationEnabled: false,
    logger: silent,
    clientOptions: { slackApiUrl: slack.apiUrl },
  });
  app.error(async () => {});
  await app.start();
  return { app, stop: () => receiver.client.disconnect() };
}

/** A logger for tests that provoke errors on purpose. */
export const silent = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  setLevel: () => {},
  getLevel: () => LogLevel.ERROR,
  setName: () => {},
};
