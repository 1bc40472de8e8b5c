import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { millisecondsInMinute } from 'date-fns/constants';
import { startStandInJira } from '../test/support/stand-in-jira.ts';
import { rateLimited, unavailable } from '../test/support/stand-in-jira-faults.ts';
import { documentedLimits } from '../test/support/stand-in-jira-limits.ts';
import { createJiraWorld } from '../test/support/stand-in-jira-world.ts';
import { differences } from './sync/differences.ts';
import { startSyncProcess } from './sync/run-sync.ts';

/** What a small instance changes while nobody looks. */
const CHANGED = 500;
const USUAL_BUDGET = 600;

/**
 * Fills a mirror from a stand-in Jira Cloud, kills it half way, goes on through slowed-down and refused pages, changes
 * the source and follows it; then holds every issue against the source. `ISSUES` (50,000), `SEED`; `PLAIN=1`
 * for answers that are not packed.
 */
export async function benchSync(): Promise<void> {
  const { ISSUES = '50000', SEED = '7', PLAIN = '' } = process.env;
  const count = Number(ISSUES);
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
    const until = jira.calls.length;
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
    console.log(`${count} issues from a stand-in Jira Cloud whose clock is 3 min ahead`);
    console.table({
      'killed half way': told(killed, until),
      'gone on with, slowed down 5 times, a page refused 3 times': told(second, filled - until),
      [`${CHANGED} changed, moved, removed, added; compared`]: told(third, followed - filled),
    });
    console.table({
      'requests for 1,000 issues': { figure: round((filled / count) * 1000) },
      'MB of answers for 1,000 issues': { figure: round(bytes.plain / 1000 / count) },
      'MB of them on the wire': { figure: round(bytes.sent / 1000 / count) },
      [`minutes at the usual ${USUAL_BUDGET} requests a minute`]: { figure: round(filled / USUAL_BUDGET) },
      'points (an app has 65,000 an hour, API tokens are not counted)': { figure: points },
      'most requests to one endpoint in a second (100 allowed)': { figure: busiestSecond },
      'refused by those limits': { figure: refusals },
      'store, bytes an issue': { figure: Math.round(statSync(join(dataDir, 'dwell.db')).size / count) },
    });
    const promises = {
      'equal to the source after the fill': afterFill.length === 0,
      'equal to the source after changes': afterFollow.length === 0,
      'both ended well': second.code === 0 && third.code === 0,
      'answers valid by the documents': jira.violations.length === 0,
      'within the documented limits': refusals === 0,
    };
    console.table(Object.fromEntries(Object.entries(promises).map(([name, kept]) => [name, { kept }])));
    for (const line of [...third.lines, ...afterFill.slice(0, 3), ...afterFollow.slice(0, 3)])
      console.log(line);
    if (Object.values(promises).includes(false)) process.exitCode = 1;
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

function told(
  { seconds, peakMb, code }: Awaited<ReturnType<typeof startSyncProcess>['ended']>,
  requests: number,
) {
  return { seconds: round(seconds), requests, 'peak MB': peakMb, exit: code };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
