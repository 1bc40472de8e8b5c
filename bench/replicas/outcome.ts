import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { Slack } from '../product/start-slack.ts';
import { shownIn, type Written } from './load.ts';
import type { MovingJira } from './moving-jira.ts';

/** How many digests are due each minute. */
const DIGESTS = 10;

/** Waits until the first sync is done at each address. */
export async function filled(urls: readonly string[]): Promise<void> {
  for (const url of urls)
    for (;;) {
      const answer = await fetch(`${url}/readyz`).catch(() => null);
      const text = (await answer?.text()) ?? '';
      if (answer?.status === 200 && !text.includes('firstFill')) break;
      await pause(500);
    }
}

/** Orders digests for each of the next minutes; returns how many are due at an instant (ms). */
export async function orderDigests(
  { playground, placeOf, waitFor }: Slack,
  minutes: number,
): Promise<ReadonlyMap<number, number>> {
  const due = new Map<number, number>();
  const first = new Date().getUTCMinutes() + 2;
  for (let i = 0; i < minutes * DIGESTS; i += 1) {
    const place = placeOf(i);
    const minute = (first + Math.floor(i / DIGESTS)) % 60;
    const reply = waitFor(place.user, place.channel);
    await playground.sendCommand({
      ...place,
      line: `/tis digest jql project = LARK AND level is EMPTY last 30 days cron ${minute} * * * *`,
    });
    const { text } = await reply;
    const [, seconds] = /Next: <!date\^(\d+)\^/.exec(text) ?? [];
    if (seconds === undefined) throw new Error(`A digest was refused: ${text}`);
    const at = Number(seconds) * 1_000;
    due.set(at, (due.get(at) ?? 0) + 1);
  }
  return due;
}

const WEEK = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];

/** Orders alerts about issues that are in their status for hours, in a calendar whose hours are at any time of the week. */
export async function orderAlerts(
  { playground, placeOf, waitFor }: Slack,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const workingTimes = WEEK.map((weekday) => ({ weekday, start: 0, end: 86_340_000 }));
  const added = await fetch(`${url}/rest/calendars`, {
    ...{ method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } },
    body: JSON.stringify({ name: 'Every day', timeZone: 'UTC', workingTimes, holidays: [] }),
  });
  await added.arrayBuffer();
  const watched = ['Open', 'In Progress', 'In Review'].map((status) => [status, 'LARK']);
  watched.push(
    ...['In Progress', 'Waiting for customer', 'Ready for release'].map((status) => [status, 'DESK']),
  );
  for (const [i, [status, project]] of watched.entries()) {
    const place = placeOf(i);
    const reply = waitFor(place.user, place.channel);
    const line = `/tis watch "${status}" longer than 6 hours in ${project} in "Every day"`;
    await playground.sendCommand({ ...place, line });
    const { text } = await reply;
    if (!text.startsWith('Watching')) throw new Error(`A watch was refused: ${text}`);
  }
}

/** Returns what is stored of digests that were due before an instant (ms) and of which no message was posted. */
export async function digestsLost(
  url: string,
  due: ReadonlyMap<number, number>,
  posted: ReadonlyMap<string, number>,
  before: number,
): Promise<readonly string[]> {
  const periods = await rowsOf(url, "SELECT document FROM work WHERE kind = 'digest-period'");
  const lost: string[] = [];
  for (const [at, count] of due) {
    const runs = [...posted.keys()].filter((run) => run.endsWith(` ${at}`));
    if (at >= before || runs.length >= count) continue;
    const stored = periods.filter(
      (period) =>
        period.includes(`"due":${at}`) && !runs.some((run) => period.includes(run.split(' ')[0] ?? '')),
    );
    for (let i = runs.length; i < count; i += 1)
      lost.push(
        `digest of ${new Date(at).toISOString()} not posted: ${stored.shift() ?? 'nothing is stored'}`,
      );
  }
  return lost;
}

/** Returns the keys of issues that a process shows otherwise than Jira has them. */
export async function differences(
  url: string,
  headers: Readonly<Record<string, string>>,
  jira: MovingJira,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (let start = 0; start < jira.keys.length; start += 500) {
    const keys = jira.keys.slice(start, start + 500);
    const query = { columnsBy: 'transitionCount', fields: 'status', outputType: 'jsonSimplified' };
    const answer = await fetch(`${url}/rest/issues/v2`, {
      ...{ method: 'POST', headers },
      body: new URLSearchParams({
        ...{ ...query, filterType: 'customjql', customjql: `key in (${keys})`, pageSize: '1000' },
      }),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`No list in the end: ${answer.status} ${text.slice(0, 300)}`);
    const shown = new Map(shownIn(JSON.parse(text)).map((one) => [one.key, one]));
    for (const key of keys) {
      const one = shown.get(key);
      const latest = jira.versionOf(key);
      const problem = one && jira.problemOf(one, new Map([[key, latest]]));
      if (one === undefined || problem !== null) wrong.push(problem ?? `${key} is missing`);
    }
  }
  return wrong;
}

/** Returns how many acknowledged rows a store has lost, and how many it has twice. */
export async function lostRows(url: string, { calendars, delegations }: Written) {
  const stored = await documents(url, "kind LIKE 'calendar%' OR kind LIKE 'delegations %'");
  const count = (words: string) => stored.filter((document) => document.includes(words)).length;
  const all = [
    ...[...calendars].map(([name, isSure]) => ({ isSure, count: count(`"${name}"`) })),
    ...[...delegations].map(([notes, isSure]) => ({ isSure, count: count(`"${notes}"`) })),
  ];
  return {
    written: all.filter(({ isSure }) => isSure).length,
    lost: all.filter(({ isSure, count }) => isSure && count === 0).length,
    twice: all.filter(({ count }) => count > 1).length,
  };
}

/** Waits until nothing is left that is due, for at most so long (ms); returns how many pieces of work are left. */
export async function restOf(url: string, limitMs: number): Promise<number> {
  for (const until = Date.now() + limitMs; ; ) {
    const due = `planned_for <= ${Date.now()} AND (open IN ('post', 'make') OR open LIKE 'deliver%')`;
    const left = await rowsOf(url, `SELECT id AS document FROM work WHERE ${due}`);
    if (left.length === 0 || Date.now() > until) return left.length;
    await pause(1_000);
  }
}

/** Returns the stored orders of files, as JSON. */
export async function ordersOf(url: string): Promise<readonly string[]> {
  return rowsOf(url, "SELECT document FROM work WHERE kind = 'export'");
}

function documents(url: string, where: string): Promise<readonly string[]> {
  return rowsOf(url, `SELECT document FROM document WHERE ${where}`);
}

async function rowsOf(url: string, query: string): Promise<readonly string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(query);
  await client.end();
  return rows.map(({ document }) => String(document));
}
