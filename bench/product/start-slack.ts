import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import express from 'express';
import { createPlayground, type Playground } from '../../playground/create-playground.ts';
import { people } from '../world/invent-issue.ts';

/** How Slack reaches Dwell. */
export type Mode = 'socket' | 'http';

const PEOPLE = 40;
/** So many that nobody types in a channel while an answer there is still owed, at the load this is made for. */
const CHANNELS = 200;

/** An answer that somebody alone sees, and when it came. */
interface Reply {
  readonly at: number;
  readonly text: string;
}

/** A stand-in for Slack in this process, with people whose addresses are those of the tracker's. */
export interface Slack {
  readonly playground: Playground;
  readonly apiUrl: string;
  /** Where the `n`th command is typed and by whom. */
  placeOf(n: number): { readonly user: string; readonly channel: string };
  /** The next answer there that no one waits for yet. */
  waitFor(user: string, channel: string): Promise<Reply>;
  /** What a Dwell has to be started with. */
  environment(mode: Mode): Readonly<Record<string, string>>;
  /** Sends what people do to this address, or to the one that a function names then. */
  botAt(url: string | (() => string)): void;
  stop(): Promise<void>;
}

/** Starts a Slack whose members are these people of the tracker. */
export async function startSlack(
  those: readonly { readonly name: string; readonly email?: string | null }[] = people.slice(0, PEOPLE),
): Promise<Slack> {
  const app = express();
  const server = createServer(app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  const secret = () => randomBytes(12).toString('hex');
  const secrets = { botToken: `xoxb-${secret()}`, appToken: `xapp-${secret()}`, signingSecret: secret() };
  const members = those.map(({ name, email }, i) => {
    return {
      ...{ id: `U0BENCH${i}`, name: `person${i}`, realName: name, email: email ?? '' },
      tz: 'Europe/Berlin',
    };
  });
  const channels = Array.from({ length: CHANNELS }, (_, i) => ({ id: `C0${i}`, name: `channel-${i}` }));
  let bot: string | (() => string) = url;
  const playground = createPlayground({
    ...secrets,
    people: members,
    channels,
    now: Date.now,
    newId: () => randomBytes(8).toString('hex').toUpperCase(),
    team: { id: 'T0BENCH', name: 'Bench', domain: 'bench' },
    app: { id: 'A0DWELL', name: 'Dwell', botUserId: 'U0DWELL', botId: 'B0DWELL' },
    commands: [{ command: '/tis', description: 'Time in status' }],
    url: () => url,
    botUrl: () => (typeof bot === 'function' ? bot() : bot),
  });
  app.use(playground.router);
  playground.attachSocketMode(server);
  const waiting = new Map<string, ((reply: Reply) => void)[]>();
  playground.listen((change) => {
    if (change.kind !== 'message' || change.message.onlyFor === undefined) return;
    const { channel, onlyFor, text } = change.message;
    waiting.get(`${onlyFor} ${channel}`)?.shift()?.({ at: performance.now(), text });
  });
  return {
    playground,
    apiUrl: `${url}/playground/api/`,
    placeOf: (n) => ({
      user: members[n % members.length]?.id ?? '',
      channel: channels[Math.floor(n / members.length) % CHANNELS]?.id ?? '',
    }),
    waitFor(user, channel) {
      const place = `${user} ${channel}`;
      const { promise, resolve } = Promise.withResolvers<Reply>();
      waiting.set(place, [...(waiting.get(place) ?? []), resolve]);
      return promise;
    },
    environment: (mode) => ({
      SLACK_BOT_TOKEN: secrets.botToken,
      ...(mode === 'socket'
        ? { SLACK_APP_TOKEN: secrets.appToken }
        : { SLACK_SIGNING_SECRET: secrets.signingSecret }),
    }),
    botAt(address) {
      bot = address;
    },
    async stop() {
      playground.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
