import { setTimeout as pause } from 'node:timers/promises';
import { atShare } from '../measure.ts';
import { type Server, startServer } from '../product/start-server.ts';
import { type Mode, type Slack, startSlack } from '../product/start-slack.ts';
import { atMost, figureRow, promised, type Row } from '../rows.ts';
import { rowsBySize, type Suite } from '../suite.ts';
import { projects } from '../world/invent-issue.ts';
import { worldOf } from '../world/world-folder.ts';

const name = 'slack';
const IN_FLIGHT = 50;
const COMMANDS = 2_000;
/** By then a process that has just been started is as fast as it gets. */
const FIRST = 500;
/** How long answers may come after the last command. */
const PATIENCE_MS = 30_000;

/** What came of one command (ms from when it was sent); a reply that never came is null. */
interface Typed {
  readonly ackMs: number;
  readonly isAcked: boolean;
  readonly replyMs: number | null;
  /** The reply says that something went wrong. */
  readonly isFailed: boolean;
}

/**
 * Slash commands as Slack sends them. `SECONDS` (20) and `RATE` (100 a second) change the mixed load, `MODE` (`socket`,
 * `http`) leaves the other out, `PROFILE` names a folder for what the processor did.
 */
export const slack: Suite = {
  name,
  about:
    '/tis KEY over signed HTTP, fifty in flight; a mix of commands at a steady rate over HTTP and Socket Mode',
  quick: null,
  usual: [10_000, 100_000],
  full: [10_000, 100_000, 1_000_000],
  async run(sizes) {
    const { SECONDS = '20', RATE = '100', MODE } = process.env;
    const modes = (['http', 'socket'] as const).filter((mode) => MODE === undefined || mode === MODE);
    const load = { seconds: Number(SECONDS), rate: Number(RATE) };
    return rowsBySize(name, sizes, async (size) => {
      const rows: Row[] = [];
      for (const mode of modes) rows.push(...(await overMode({ ...load, size, mode })));
      return rows;
    });
  },
};

async function overMode(load: SteadyLoad): Promise<readonly Row[]> {
  const { size, mode } = load;
  const { dataDir } = await worldOf(size);
  const playground = await startSlack();
  try {
    const server = await startServer({
      dataDir,
      slackApiUrl: playground.apiUrl,
      environment: playground.environment(mode),
    });
    playground.botAt(server.url);
    try {
      const single = mode === 'http' ? await inFlight(playground, size, server) : [];
      return [...single, ...(await atRate(playground, load, server))];
    } finally {
      await server.stop();
    }
  } finally {
    await playground.stop();
  }
}

/** Fifty people who type the key of another issue as soon as they have an answer. */
async function inFlight(playground: Slack, size: number, server: Server): Promise<readonly Row[]> {
  // Everybody's first question asks Slack who they are.
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, (_, at) => typeCommand(playground, at, `/tis ${keyAt(at, size)}`)),
  );
  let asked = 0;
  const askUntil = async (most: number) => {
    const found: Typed[] = [];
    await Promise.all(
      Array.from({ length: IN_FLIGHT }, async (_, at) => {
        while (asked < most) {
          asked += 1;
          found.push(await typeCommand(playground, at, `/tis ${keyAt(asked * 7_919, size)}`));
        }
      }),
    );
    return found;
  };
  const title = `/tis KEY, ${IN_FLIGHT} in flight`;
  const processor = size < 100_000 ? null : size > 100_000 ? 3 : 2;
  const limits = { ack: 50, reply: 150, processor };
  const first = (await askUntil(FIRST)).flatMap(({ replyMs }) => replyMs ?? []).sort((a, b) => a - b);
  const { cpuMs: cpuBefore } = await server.watched();
  const rows = await rowsOf(await askUntil(FIRST + COMMANDS), { size, title, limits, cpuBefore }, server);
  const ofFirst = { suite: name, name: `${title}: reply p99 of the first ${FIRST}`, size, unit: 'ms' };
  return [...rows, figureRow(ofFirst, atShare(first, 0.99))];
}

/** Mostly single issues; a few questions about a whole project. */
const mix: readonly (readonly [share: number, line: (n: number, size: number) => string])[] = [
  [14, (n, size) => `/tis ${keyAt(n * 7_919, size)}`],
  [2, () => '/tis help'],
  [2, (n) => `/tis project ${projects[n % 4]} last 30 days by assignee`],
  [1, (n) => `/tis aging ${projects[n % 4]}`],
  [1, (n) => `/tis weekly ${projects[n % 4]}`],
];
const turns = mix.flatMap(([share, line]) => Array.from({ length: share }, () => line));

interface SteadyLoad {
  readonly size: number;
  readonly mode: Mode;
  readonly seconds: number;
  readonly rate: number;
}

/** Begins so many commands a second, whether or not those before have ended. */
async function atRate(
  playground: Slack,
  { size, mode, seconds, rate }: SteadyLoad,
  server: Server,
): Promise<readonly Row[]> {
  const { cpuMs: cpuBefore } = await server.watched();
  const begun: Promise<Typed>[] = [];
  const started = performance.now();
  while (begun.length < rate * seconds) {
    const due = Math.min(rate * seconds, Math.floor(((performance.now() - started) / 1_000) * rate));
    while (begun.length < due) {
      const n = begun.length;
      // Dear ones do not stand side by side.
      const line = turns[(n * 7) % turns.length];
      begun.push(typeCommand(playground, n, line?.(n, size) ?? '/tis help'));
    }
    await pause(2);
  }
  const title = `mix at ${rate} a second over ${mode}`;
  return rowsOf(
    await Promise.all(begun),
    { size, title, limits: { ack: 100, reply: null, processor: null }, cpuBefore },
    server,
  );
}

/** Types one command as the `n`th, and waits for its answer. */
export async function typeCommand(
  { playground, placeOf, waitFor }: Slack,
  n: number,
  line: string,
): Promise<Typed> {
  const { user, channel } = placeOf(n);
  const sentAt = performance.now();
  const reply = waitFor(user, channel);
  const ack = await playground.sendCommand({ user, channel, line });
  const late = pause(PATIENCE_MS, null, { ref: false });
  const text = await Promise.race([reply, late]);
  return {
    ackMs: ack?.ms ?? Number.POSITIVE_INFINITY,
    isAcked: ack?.outcome === 'ok',
    replyMs: text === null ? null : text.at - sentAt,
    isFailed: text !== null && /Something went wrong on our side|failed with the error/.test(text.text),
  };
}

async function rowsOf(
  found: readonly Typed[],
  {
    size,
    title,
    limits,
    cpuBefore,
  }: {
    readonly size: number;
    readonly title: string;
    readonly cpuBefore: number;
    readonly limits: {
      readonly ack: number;
      readonly reply: number | null;
      readonly processor: number | null;
    };
  },
  server: Server,
): Promise<readonly Row[]> {
  const { late, held, peakMb, cpuMs } = await server.watched();
  const acks = found.map(({ ackMs }) => ackMs).sort((a, b) => a - b);
  const replies = found.flatMap(({ replyMs }) => replyMs ?? []).sort((a, b) => a - b);
  const lost = found.filter(
    ({ isAcked, isFailed, replyMs }) => !isAcked || isFailed || replyMs === null,
  ).length;
  const row = (what: string, sorted: readonly number[]): Row => ({
    ...figureRow({ suite: name, name: `${title}: ${what} p99`, size, unit: 'ms' }, atShare(sorted, 0.99), {
      lateMs: late,
      heldMs: held,
      peakMb,
      fault:
        lost === 0
          ? null
          : `${lost} of ${found.length} without ack or answer; ${server.log.slice(0, 2).join(' ')}`,
    }),
    isDetail: false,
  });
  const [ack, reply] = [row('ack', acks), row('reply', replies)];
  const used = figureRow(
    { suite: name, name: `${title}: processor time of each`, size, unit: 'ms' },
    (cpuMs - cpuBefore) / found.length,
  );
  return [
    figureRow({ suite: name, name: `${title}: ack p50`, size, unit: 'ms' }, atShare(acks, 0.5)),
    promised(ack, {
      text: `< ${limits.ack} ms, all < 3 s`,
      kept: ack.median < limits.ack && (acks.at(-1) ?? 0) < 3_000,
    }),
    limits.processor === null ? used : atMost(used, limits.processor),
    figureRow({ suite: name, name: `${title}: reply p50`, size, unit: 'ms' }, atShare(replies, 0.5)),
    limits.reply === null
      ? reply
      : promised(reply, { text: `< ${limits.reply} ms`, kept: reply.median < limits.reply }),
  ];
}

/** The key of the `n`th issue of a world of that size. */
export function keyAt(n: number, size: number): string {
  const at = n % size;
  return `${projects[at % projects.length]}-${Math.floor(at / projects.length) + 1}`;
}
