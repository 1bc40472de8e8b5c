import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { folderBlobs } from '../../src/store/folder-blobs.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { readSecretKeys } from '../../src/store/sealed-secrets.ts';
import { atShare } from '../measure.ts';
import { startSlack } from '../product/start-slack.ts';
import { type Database, startDatabase, startProxy } from '../replicas/database.ts';
import { createLoad } from '../replicas/load.ts';
import { startMovingJira } from '../replicas/moving-jira.ts';
import {
  differences,
  digestsLost,
  filled,
  lostRows,
  orderAlerts,
  orderDigests,
  ordersOf,
  restOf,
} from '../replicas/outcome.ts';
import { doubled, watchPosted } from '../replicas/posted.ts';
import { createProbes } from '../replicas/probes.ts';
import { createBalancer, type OwnReplica, startReplica } from '../replicas/processes.ts';
import { startRedis } from '../replicas/redis.ts';
import { figureRow, promised, type Row } from '../rows.ts';
import type { Suite } from '../suite.ts';

const name = 'replicas';
const PROCESSES = 3;
/** The time (ms) for which a quarter of the load comes before it counts: processes that serve have compiled their code. */
const WARM_MS = 45_000;
/** A digest is held for a minute. */
const FROZEN_MS = 65_000;
/** What is due is looked for each minute. */
const A_MINUTE_MS = 65_000;
/** How long what was begun is waited for: after two failures a digest is tried again minutes later. */
const REST_MS = 300_000;

/**
 * Three processes on PostgreSQL behind a balancer, while processes are killed and stopped, the database crashes and fails
 * over, and Redis is away. `MINUTES` (10) is how long in all, `RATE` (100) and `COMMANDS` (20) how many requests and
 * commands begin in a second, `ISSUES` how many Jira has; `PHASES=steady` chooses them by their
 * titles.
 */
export const replicas: Suite = {
  name,
  about:
    'three processes on PostgreSQL while processes, the database and Redis fail; ten minutes (MINUTES=1)',
  quick: null,
  usual: [10_000],
  full: [10_000],
  async run([issues = 10_000]) {
    const folder = mkdtempSync(join(tmpdir(), 'dwell-bench-replicas-'));
    const ends: End[] = [async () => rmSync(folder, { recursive: true, force: true })];
    try {
      return await trial(issues, folder, (end) => ends.push(end));
    } finally {
      for (const end of ends.reverse()) await end().catch(() => {});
    }
  },
};

/** Ends something that was started. */
type End = () => Promise<unknown>;

/** One line of the table. */
interface PhaseRow {
  readonly phase: string;
  readonly seconds: number;
  readonly [figure: string]: string | number;
}

async function trial(size: number, folder: string, onEnd: (end: End) => void): Promise<readonly Row[]> {
  const { MINUTES = '10', RATE = '100', COMMANDS = '20', PHASES } = process.env;
  const share = Number(MINUTES) / 10;
  const rates = { requests: Number(RATE), commands: Number(COMMANDS) };

  let database: Database = await startDatabase(folder);
  onEnd(() => database.stop());
  const [address, feed] = [await startProxy(), await startProxy()];
  onEnd(() => address.close());
  onEnd(() => feed.close());
  address.leadTo(database.port);
  const jira = await startMovingJira(size, 7);
  onEnd(() => jira.close());
  const slack = await startSlack(jira.people);
  onEnd(() => slack.stop());
  const redis = await startRedis();
  onEnd(async () => redis?.stop());

  const url = `postgres://dwell@127.0.0.1:${address.port}/dwell`;
  const key = randomBytes(32).toString('hex');
  const environment = {
    ...{ ...jira.environment, ...slack.environment('http'), DATABASE_URL: url, SECRET_KEY: key },
    ...{ MAX_LONG_ANSWERS_PER_USER: '16', ...(redis === null ? {} : { KEYV_URL: redis.url }) },
  };
  const all: OwnReplica[] = [];
  for (let i = 0; i < PROCESSES; i += 1) {
    const one = await startReplica(folder, environment, slack.apiUrl);
    onEnd(() => one.stop());
    all.push(one);
  }
  const balancer = createBalancer(all);
  slack.botAt(() => balancer.next().url);
  const tokens = all[0]?.tokens ?? [];
  const headers = { Authorization: `TISJWT ${tokens[0]}` };
  const store = await openPostgresStore(url, {
    blobs: () => folderBlobs(join(folder, 'bench')),
    secretKeys: readSecretKeys(key, []),
  });
  onEnd(() => store.close());
  const load = createLoad({ balancer, jira, slack, tokens });
  const probes = createProbes(store.forTenant('default'), all, headers);
  const posted = watchPosted(slack);
  await filled(all.map((one) => one.url));

  const due = await orderDigests(slack, Number(MINUTES) + 8);
  await orderAlerts(slack, all[0]?.url ?? '', headers);
  await load.readTotals();

  await load.run(
    { requests: rates.requests / 4, commands: rates.commands / 4 },
    AbortSignal.timeout(WARM_MS),
  );
  const stopping = new AbortController();
  onEnd(async () => stopping.abort());
  const rows: PhaseRow[] = [];
  const fresh: number[] = [];
  const stale: string[] = [];
  const wrong: string[] = [];
  const memory: number[][] = [];
  const residents = () => all.map((one) => one.residentMb());
  const moving = jira.move(Math.max(1, rates.requests / 20), stopping.signal, {
    addressOf: () => balancer.next().url,
    onMove: load.moved,
  });
  const running = Promise.all([load.run(rates, stopping.signal), probes.run(500, stopping.signal), moving]);

  /** Runs a phase for its share of the minutes, and for as long as what is done in it takes. */
  async function phase(title: string, seconds: number, work: (ms: number) => Promise<unknown> = pause) {
    if (PHASES !== undefined && !new RegExp(PHASES).test(title)) return;
    load.takeTally();
    jira.takeDelays();
    probes.take();
    const started = performance.now();
    const ms = seconds * share * 1_000;
    await Promise.all([work(ms), pause(ms)]);
    const counts = load.takeTally();
    const late = jira.takeDelays();
    const probed = probes.take();
    fresh.push(...(title.startsWith('steady') ? probed.freshMs : []));
    stale.push(...probed.stale);
    wrong.push(...counts.wrong.map((problem) => `${title}: ${problem}`));
    const [rest, replies] = [counts.restMs, counts.replyMs].map((some) => some.sort((a, b) => a - b));
    const ms3 = (some: readonly number[] = []) =>
      [0.5, 0.95, 0.99].map((part) => Math.round(atShare(some, part))).join(' / ');
    rows.push({
      ...{ phase: title, seconds: Math.round((performance.now() - started) / 1_000) },
      ...{ requests: counts.requests, 'sent again': counts.retried, refused: counts.refused },
      'ms (p50 / p95 / p99)': ms3(rest),
      ...{ commands: counts.commands, 'no acknowledgement': counts.unacknowledged },
      ...{ 'no answer': counts.unanswered, 'late or twice': counts.again },
      'ms until the answer': ms3(replies),
      ...{ wrong: counts.wrong.length + probed.stale.length },
      'fresh, ms p95': Math.round(atShare(probed.freshMs, 0.95)),
      'from Jira, s p95': Number((atShare(late, 0.95) / 1_000).toFixed(1)),
      'MB of each process': residents().join(', '),
    });
    console.error(JSON.stringify(rows.at(-1)));
  }

  await phase('steady', 60);
  memory.push(residents());
  await phase('`kill -9` every five seconds', 60, async (ms) => {
    const until = performance.now() + ms;
    const kills: Promise<void>[] = [];
    for (let i = 0; performance.now() < until; i += 1) {
      kills.push(all[i % PROCESSES]?.kill() ?? Promise.resolve());
      await pause(5_000);
    }
    await Promise.all(kills);
  });
  await phase('two of three stopped beyond their lease', 90, () =>
    Promise.all([all[0]?.freeze(FROZEN_MS), pause(15_000).then(() => all[1]?.freeze(FROZEN_MS))]),
  );
  await phase('PostgreSQL crashes three times', 90, async (ms) => {
    for (let i = 0; i < 3; i += 1) {
      await database.crash();
      await pause(1_000);
      await database.start();
      await pause(ms / 4);
    }
  });
  /** Puts a standby in the place of the database, which dies. */
  const failOver = async (standby: Database) => {
    await database.crash();
    await standby.query('SELECT pg_promote(true, 60)');
    address.leadTo(standby.port);
    const gone = database;
    database = standby;
    await gone.stop();
  };
  await phase('failover to a synchronous standby', 60, async (ms) => {
    feed.leadTo(database.port);
    const standby = await database.makeStandby(feed.port);
    await database.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    await database.query('SELECT pg_reload_conf()');
    while (!(await database.query('SELECT sync_state FROM pg_stat_replication')).some(isSync))
      await pause(100);
    await pause(ms / 4);
    await failOver(standby);
  });
  if (redis !== null)
    await phase('Redis away', 60, async (ms) => {
      await redis.stop();
      await pause(ms * 0.8);
      await redis.start();
    });
  await phase('steady again', 90);
  memory.push(residents());
  const { calendars, delegations } = load.written;
  const before = {
    ...{ digests: doubled(posted.digests), files: doubled(posted.files()) },
    written: { calendars: new Map(calendars), delegations: new Map(delegations) },
  };
  const behind: { lost: number; differences: readonly string[] } = { lost: 0, differences: [] };
  await phase('failover to an asynchronous standby that is behind', 60, async (ms) => {
    feed.cut();
    feed.leadTo(database.port);
    const standby = await database.makeStandby(feed.port);
    await pause(2_000);
    feed.cut();
    await pause(Math.max(5_000, ms / 4));
    probes.pause(true);
    load.forgetSeen();
    await failOver(standby);
    load.forgetSeen();
    const committed = probes.committed();
    const left = await probes.stored();
    behind.lost = [...committed].filter(([one, summary]) => left.get(one) !== summary).length;
    for (let i = 0; i < Math.max(behind.lost, 10); i += 1) await probes.put('Given again');
    behind.differences = await probes.differences();
    probes.pause(false);
    await pause(ms / 4);
  });
  stopping.abort();
  await running;
  const endedAt = Date.now();
  await pause(A_MINUTE_MS);
  const left = await restOf(url, REST_MS);
  const unequal: string[] = [];
  for (const { url: from } of all) unequal.push(...(await differences(from, headers, jira)));
  const ended = await lostRows(url, before.written);
  const orders = await ordersOf(url);
  const files = posted.files();
  const unmade = [...load.ordered].filter(
    (one) => orders.some((order) => order.includes(`key = ${one}"`)) && !files.has(one),
  );
  const unposted = await digestsLost(url, due, posted.digests, endedAt);
  const faults = all.flatMap((one) => one.faults());
  console.log(tableOf(rows));
  for (const problem of [...wrong, ...stale, ...unequal, ...behind.differences, ...unposted, ...faults].slice(
    0,
    50,
  ))
    console.error(problem);
  const figure = (what: string, unit: string, value: number, limit: number | null = null): Row => {
    const row = figureRow({ suite: name, name: what, size, unit }, value);
    return limit === null ? row : promised(row, { text: `≤ ${limit}`, kept: value <= limit });
  };
  const lostAfterwards = await lostRows(url, load.written);
  const [first, last] = memory.map((some) => some.reduce((sum, mb) => sum + mb, 0) / some.length);
  return [
    figure('wrong answers', 'answers', wrong.length + stale.length, 0),
    figure('issues that a process shows otherwise than Jira in the end', 'issues', unequal.length, 0),
    figure('calendars and delegations that were acknowledged', 'rows', ended.written),
    figure('of these lost', 'rows', ended.lost, 0),
    figure('of these twice', 'rows', lostAfterwards.twice, 0),
    figure('pieces of work that wait in the end', 'pieces', left, 0),
    figure('files', 'files', files.size),
    figure('files lost', 'files', unmade.length, 0),
    figure('files twice', 'files', before.files, 0),
    figure('digests', 'messages', posted.digests.size),
    figure('digests lost', 'messages', unposted.length, 0),
    figure('digests twice', 'messages', before.digests, 0),
    figure('alerts', 'messages', posted.alerts.size),
    figure('alerts twice', 'messages', doubled(posted.alerts), 0),
    figure(
      'a changed issue in the next answer of each process, p95',
      'ms',
      atShare(fresh.sort(ascending), 0.95),
      50,
    ),
    figure('memory of a process after a minute', 'MB', first ?? 0),
    figure('memory of a process before the last failover', 'MB', last ?? 0),
    figure('faults in the logs', 'lines', faults.length, 0),
    figure('issues changed while the last standby was cut off, and lost by it', 'changes', behind.lost),
    figure('calendars and delegations lost by it', 'rows', lostAfterwards.lost - ended.lost),
    figure('digests twice after it', 'messages', doubled(posted.digests) - before.digests),
    figure('files twice after it', 'files', doubled(files) - before.files),
    figure(
      'issues that a process shows otherwise than the store after it',
      'issues',
      behind.differences.length,
      0,
    ),
  ];
}

const isSync = ({ sync_state }: Record<string, unknown>) => sync_state === 'sync';
const ascending = (a: number, b: number) => a - b;

/** The phases as a page shows them. */
function tableOf(rows: readonly PhaseRow[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const lines = [columns, columns.map(() => '---'), ...rows.map((row) => columns.map((name) => row[name]))];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
