import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { millisecondsInMinute } from 'date-fns/constants';
import { createFieldTitles } from '../../src/mirror/use-field-ids.ts';
import { readIssue } from '../../src/trackers/jira-json/read-issue.ts';
import { openTestStore } from '../../test/support/open-test-store.ts';
import { jiraAccount, type StandInJira, startStandInJira } from '../../test/support/stand-in-jira.ts';
import { rateLimited, unavailable } from '../../test/support/stand-in-jira-faults.ts';
import { documentedLimits } from '../../test/support/stand-in-jira-limits.ts';
import { createJiraWorld, type JiraWorld } from '../../test/support/stand-in-jira-world.ts';
import { figureRow, promised, type Row } from '../rows.ts';
import { rowsBySize, type Suite } from '../suite.ts';

const name = 'sync';
/** What a small instance changes while nobody looks. */
const CHANGED = 500;
const USUAL_BUDGET = 600;

/**
 * Fills a mirror from a stand-in Jira Cloud, kills it half way, goes on through slowed-down and refused pages, changes
 * the source and follows it; then holds every issue against the source. `SEED`; `PLAIN=1` for answers that are not packed.
 */
export const sync: Suite = {
  name,
  about:
    'a fill from a stand-in Jira that is killed and continued, then changes; every issue held against the source',
  quick: null,
  usual: [10_000],
  full: [50_000],
  async run(sizes) {
    return rowsBySize(name, sizes, syncOf);
  },
};

async function syncOf(count: number): Promise<readonly Row[]> {
  const { SEED = '7', PLAIN = '' } = process.env;
  const dataDir = mkdtempSync(join(tmpdir(), 'dwell-bench-sync-'));
  const world = createJiraWorld({ issues: count, seed: Number(SEED), longest: 400, clock: Date.now });
  world.runAhead(3 * millisecondsInMinute);
  const jira = await startStandInJira(world, {
    limits: documentedLimits,
    validate: 'sample',
    packs: PLAIN === '',
  });
  const place = { jira, dataDir, requestsPerMinute: 3000 };
  try {
    const first = startSyncProcess(place);
    const half = 20 + count / 200;
    while (jira.calls.length < half) await setTimeout(50);
    first.child.kill('SIGKILL');
    const killed = await first.ended;
    const searches = /\/search\/jql/;
    jira.faults.push(({ path }) => searches.test(path), rateLimited(1), 5);
    jira.faults.push(({ path }) => searches.test(path), unavailable(null), 3);
    const second = await startSyncProcess(place).ended;
    const filled = jira.calls.length;
    const afterFill = await differences(world, dataDir);
    changeSome(world);
    const third = await startSyncProcess(place, ['--compare']).ended;
    const followed = jira.calls.length;
    const afterFollow = await differences(world, dataDir);
    const { points, busiestSecond, refusals } = jira.spent();
    const bytes = jira.bytes();
    const figure = (
      title: string,
      unit: string,
      value: number,
      extra: Parameters<typeof figureRow>[2] = {},
    ) => figureRow({ suite: name, name: title, size: count, unit }, value, extra);
    const equal = (row: Row, wrong: readonly string[], { code, lines }: SyncEnded): Row => {
      const end = code === 0 ? [] : [`ended with ${code}: ${lines.slice(-3).join(' ')}`];
      const faults = [...end, ...wrong.slice(0, 3)];
      const kept = promised(row, { text: 'every issue equal to the source', kept: wrong.length === 0 });
      return { ...kept, fault: faults.length === 0 ? null : faults.join('; ') };
    };
    const fill = figure('a fill, killed half way and continued', 's', killed.seconds + second.seconds, {
      peakMb: Math.max(killed.peakMb, second.peakMb),
    });
    const follow = figure(`${CHANGED} changed, moved, removed or added`, 's', third.seconds, {
      peakMb: third.peakMb,
    });
    const busiest = figure('requests to one endpoint in the busiest second', 'requests', busiestSecond);
    return [
      equal(fill, afterFill, second),
      equal(follow, afterFollow, third),
      figure('requests of the changes', 'requests', followed - filled),
      figure('requests for 1,000 issues', 'requests', (filled / count) * 1_000),
      figure('answers for 1,000 issues', 'MB', bytes.plain / 1_000 / count),
      figure('answers on the wire for 1,000 issues', 'MB', bytes.sent / 1_000 / count),
      figure(`fill at ${USUAL_BUDGET} requests a minute`, 'minutes', filled / USUAL_BUDGET),
      figure('points (an app has 65,000 an hour)', 'points', points),
      promised(busiest, { text: 'none refused by the documented limits', kept: refusals === 0 }),
      promised(figure('answers that are not as documented', 'answers', jira.violations.length), {
        text: 'none',
        kept: jira.violations.length === 0,
      }),
      figure('store, for each issue', 'B', statSync(join(dataDir, 'dwell.db')).size / count),
    ];
  } finally {
    await jira.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function changeSome(world: ReturnType<typeof createJiraWorld>): void {
  const keys = [...world.keys()];
  const step = Math.max(1, Math.floor(keys.length / CHANGED));
  const projects = [...new Set(keys.map((key) => key.slice(0, key.lastIndexOf('-'))))];
  keys
    .filter((_, index) => index % step === 0)
    .forEach((key, index) => {
      const elsewhere = projects.find((project) => !key.startsWith(`${project}-`));
      if (index % 10 === 0) world.remove(key);
      else if (index % 10 === 1 && elsewhere !== undefined) world.move(key, elsewhere);
      else if (index % 10 === 2) world.edit(key);
      else world.transition(key);
    });
  world.add(20);
}

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** How a process that synchronises ended. `peakMb` is the most memory it held at a time. */
interface SyncEnded {
  readonly code: number | null;
  readonly seconds: number;
  readonly peakMb: number;
  readonly lines: readonly string[];
}

/** Where and of which Jira it keeps issues. */
interface SyncPlace {
  readonly jira: StandInJira;
  readonly dataDir: string;
  readonly requestsPerMinute: number;
}

/** Starts `npx dwell sync` in a process of its own. */
function startSyncProcess({ jira, dataDir, requestsPerMinute }: SyncPlace, words: readonly string[] = []) {
  const child = spawn(process.execPath, [main, 'dwell', 'sync', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      JIRA_BASE_URL: jira.baseUrl,
      JIRA_EMAIL: jiraAccount.email,
      JIRA_API_TOKEN: jiraAccount.token,
      JIRA_REQUESTS_PER_MINUTE: String(requestsPerMinute),
    },
  });
  return { child, ended: untilEnded(child) };
}

async function untilEnded(child: ChildProcess): Promise<SyncEnded> {
  const start = performance.now();
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => lines.push(...text.split('\n').filter(Boolean)));
  }
  let peakMb = 0;
  const watching = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid));
  }, 100);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearInterval(watching);
  return { code, seconds: (performance.now() - start) / 1000, peakMb, lines };
}

/** The kernel's own high-water mark; 0 where it tells none. */
function peakOf(pid: number | undefined): number {
  try {
    const [, kb = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kb) / 1024);
  } catch {
    return 0;
  }
}

const CHUNK = 1000;

/** Ids of issues that are kept otherwise than the source has them, not kept, or kept without being there. */
async function differences(world: JiraWorld, dataDir: string): Promise<readonly string[]> {
  const store = await openTestStore(dataDir);
  try {
    const issues = store.issues('jira');
    const titles = createFieldTitles();
    titles.note((await issues.directory()).fields);
    const left = new Set(world.ids());
    const wrong: string[] = [];
    for (let revision = 0; ; ) {
      const chunk = await issues.changedSince(revision, CHUNK);
      for (const { issue } of chunk.issues) {
        const id = issue.id ?? issue.key;
        if (!left.delete(id) || spelled(issue) !== spelled(titles.useIds(sourceOf(world, id))))
          wrong.push(id);
      }
      if (chunk.revision === revision) break;
      revision = chunk.revision;
    }
    return [...wrong, ...left];
  } finally {
    await store.close();
  }
}

/** What the source's own full JSON says, its changelog oldest first as it is always kept. */
function sourceOf(world: JiraWorld, id: string) {
  const { changelog, ...raw } = world.whole(id);
  const told = [...(changelog?.histories ?? [])];
  const histories = world.mode === 'cloud' ? told.toReversed() : told;
  const whole = { ...raw, changelog: { startAt: 0, total: told.length, histories } };
  const read = readIssue(whole, { lack: null });
  if ('reason' in read) throw new Error(read.reason);
  return { ...read.issue, id, link: `${world.site}/browse/${read.issue.key}` };
}

/** Members of an issue come in the order in which it was put together. */
function spelled(issue: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(issue).toSorted(([a], [b]) => (a < b ? -1 : 1))));
}
