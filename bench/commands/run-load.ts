import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { millisecondsInDay } from 'date-fns/constants';
import express from 'express';
import { z } from 'zod';
import { createPlayground, type Playground } from '../../playground/create-playground.ts';
import type { Channel, Person } from '../../playground/playground-options.ts';
import { generateSample } from '../../src/trackers/sample/generate-sample.ts';
import { company } from '../../src/trackers/sample/seed-data.ts';
import { type LoopFound, watchLoop } from './loop-watch.ts';
import { kindAt } from './mix.ts';

/** So many that nobody types in a channel while an answer there is still owed, at the load this is made for. */
const CHANNELS = 200;

/** How long answers may come after the last command. */
const PATIENCE_MS = 30_000;

/** How a load is made. `profile`: a folder for the profile of Dwell's processor, or null. */
export interface Load {
  readonly mode: 'socket' | 'http';
  readonly seconds: number;
  readonly rate: number;
  readonly profile: string | null;
}

/** What came of one command; times in milliseconds from when it was sent, `replyMs` null: nothing came. */
export interface CommandFound {
  readonly kind: string;
  readonly ackMs: number;
  readonly isAcked: boolean;
  readonly replyMs: number | null;
  /** The reply said that something went wrong. */
  readonly isFailed: boolean;
}

/** What came of a load; `failures` are lines of Dwell's log at the level of warnings and above. */
export interface LoadFound {
  readonly commands: readonly CommandFound[];
  readonly dwell: LoopFound;
  readonly standIn: LoopFound;
  readonly failures: readonly string[];
}

interface Owed {
  readonly sentAt: number;
  replyMs: number | null;
  isFailed: boolean;
}

const loop = z.object({
  cpu: z.number(),
  cpuMs: z.number(),
  'delay p50': z.number(),
  'delay p99': z.number(),
  'delay max': z.number(),
  peak: z.number(),
});

/** Starts a Dwell of the sample in a process of its own, types at it from this one, and waits for what it still owes. */
export async function runLoad({ mode, seconds, rate, profile }: Load): Promise<LoadFound> {
  const { issues } = generateSample({
    seed: 7,
    today: Math.floor(Date.now() / millisecondsInDay) * millisecondsInDay,
  });
  const people = company.users.map(({ id, name, email = '', timeZone = 'UTC' }): Person => {
    return { id: `U0${id.toUpperCase()}`, name: id, realName: name, email, tz: timeZone };
  });
  const channels = Array.from(
    { length: CHANNELS },
    (_, i): Channel => ({ id: `C0${i}`, name: `channel-${i}` }),
  );
  const keys = issues.map(({ key }) => key);
  const folder = mkdtempSync(join(tmpdir(), 'dwell-bench-'));
  const slack = await startSlack(people, channels);
  const { child, url, failures } = await startDwell(mode, slack, folder, profile);
  slack.botAt(url);
  try {
    const owed = new Map<string, Owed[]>();
    slack.playground.listen((change) => {
      if (change.kind !== 'message' || change.message.onlyFor === undefined) return;
      const { channel, onlyFor, text } = change.message;
      const answered = owed.get(`${onlyFor} ${channel}`)?.shift();
      if (answered === undefined) return;
      answered.replyMs = performance.now() - answered.sentAt;
      answered.isFailed = /Something went wrong on our side|failed with the error/.test(text);
    });

    async function type(n: number): Promise<CommandFound> {
      const person = people[n % people.length]?.id ?? '';
      const channel = channels[Math.floor(n / people.length) % channels.length]?.id ?? '';
      const kind = kindAt(n);
      const place = `${person} ${channel}`;
      const one: Owed = { sentAt: performance.now(), replyMs: null, isFailed: false };
      const reply = owed.get(place);
      if (reply === undefined) owed.set(place, [one]);
      else reply.push(one);
      const ack = await slack.playground.sendCommand({ user: person, channel, line: kind.line(n, keys) });
      sent.set(n, one);
      return {
        kind: kind.name,
        ackMs: ack?.ms ?? Number.POSITIVE_INFINITY,
        isAcked: ack?.outcome === 'ok',
        replyMs: null,
        isFailed: false,
      };
    }

    const sent = new Map<number, Owed>();
    const standIn = watchLoop();
    const acks = await atRate(rate, seconds, type);
    const until = performance.now() + PATIENCE_MS;
    while ([...owed.values()].some((rest) => rest.length > 0) && performance.now() < until) await pause(50);
    const standInFound = standIn();
    child.send('stop');
    const [dwell] = await once(child, 'message');
    await once(child, 'exit');
    const commands = acks.map((ack, n) => ({
      ...ack,
      replyMs: sent.get(n)?.replyMs ?? null,
      isFailed: sent.get(n)?.isFailed ?? false,
    }));
    return { commands, dwell: loop.parse(dwell), standIn: standInFound, failures };
  } finally {
    child.kill('SIGKILL');
    await slack.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Begins `rate` pieces of work a second, whether or not those before have ended, and waits for all of them. */
async function atRate<T>(rate: number, seconds: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const begun: Promise<T>[] = [];
  const started = performance.now();
  while (begun.length < rate * seconds) {
    const due = Math.min(rate * seconds, Math.floor(((performance.now() - started) / 1000) * rate));
    while (begun.length < due) begun.push(work(begun.length));
    await pause(2);
  }
  return Promise.all(begun);
}

async function startSlack(people: readonly Person[], channels: readonly Channel[]) {
  const app = express();
  const server = createServer(app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  const secret = () => randomBytes(12).toString('hex');
  const secrets = { botToken: `xoxb-${secret()}`, appToken: `xapp-${secret()}`, signingSecret: secret() };
  let bot = url;
  const playground: Playground = createPlayground({
    ...secrets,
    people,
    channels,
    now: Date.now,
    newId: () => randomBytes(8).toString('hex').toUpperCase(),
    team: { id: 'T0BENCH', name: 'Bench', domain: 'bench' },
    app: { id: 'A0DWELL', name: 'Dwell', botUserId: 'U0DWELL', botId: 'B0DWELL' },
    commands: [{ command: '/tis', description: 'Time in status' }],
    url: () => url,
    botUrl: () => bot,
  });
  app.use(playground.router);
  playground.attachSocketMode(server);
  return {
    ...secrets,
    playground,
    apiUrl: `${url}/playground/api/`,
    botAt: (address: string) => {
      bot = address;
    },
    async stop() {
      playground.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

type Slack = Awaited<ReturnType<typeof startSlack>>;

async function startDwell(
  mode: Load['mode'],
  { botToken, appToken, signingSecret, apiUrl }: Slack,
  folder: string,
  profile: string | null,
): Promise<{ child: ChildProcess; url: string; failures: readonly string[] }> {
  const program = fileURLToPath(new URL('dwell-process.ts', import.meta.url));
  const profiled = profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const child = fork(program, [apiUrl], {
    // As `npm start` runs it.
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=16', ...profiled],
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: folder,
      TRACKER: 'sample',
      TIME_ZONE: 'UTC',
      LOG_LEVEL: 'warn',
      SLACK_BOT_TOKEN: botToken,
      ...(mode === 'socket' ? { SLACK_APP_TOKEN: appToken } : { SLACK_SIGNING_SECRET: signingSecret }),
    },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  const failures: string[] = [];
  if (child.stderr !== null) createInterface(child.stderr).on('line', (line) => failures.push(line));
  const [url] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(failures.join('\n')))),
  ]);
  return { child, url: z.string().parse(url), failures };
}
