import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from '#jest';
import { type DigestMoment, digestMoments } from '../support/digest-moments.ts';
import { aDigestOffice, adaHere, hourly } from '../support/digest-office.ts';
import { testOnSqlite } from '../support/on-sqlite.ts';
import { runSupportProcess } from '../support/run-process.ts';
import { soaking } from '../support/soak.ts';
import { type StandInSlack, startStandInSlack } from '../support/stand-in-slack.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const BEGIN = Date.parse('2026-03-18T12:30:00Z');
const DUE = Date.parse('2026-03-18T13:00:00Z');
const AFTER_A_LEASE = 2 * 60_000;

/** Each engine is asked for the same: a soak kills over both, a quick run but once over PostgreSQL. */
const testOnce = soaking ? test : testOnSqlite;

let slack: StandInSlack;
let dataDir: string;
/** Every process begins when the leases of those before are over. */
let clock: number;

beforeEach(async () => {
  slack = await startStandInSlack();
  dataDir = temporaryFolder();
  clock = DUE;
  const { digests, close } = await aDigestOffice({ dataDir, clock: { now: BEGIN }, slack });
  await digests.create(adaHere, hourly);
  close();
});
afterEach(() => slack.stop());

/** Starts a process, and says how it ended and which moments came before. */
async function run(dieIn?: DigestMoment, apart = AFTER_A_LEASE) {
  clock += apart;
  const args = [dataDir, String(clock), slack.apiUrl, slack.botToken, dieIn ?? ''];
  const { out, ...end } = await runSupportProcess('digest-process.ts', ...args).ended;
  return { ...end, moments: out.split('\n').slice(0, -1) };
}

/** Posts what is due as such a process does that nobody kills. */
async function runInPeace() {
  clock += AFTER_A_LEASE;
  const failures: string[] = [];
  const log = pino({ level: 'error' }, { write: (line) => failures.push(line) });
  const { digests, close } = await aDigestOffice({ dataDir, clock: { now: clock }, slack, log });
  // The first look at the clock is not believed.
  await digests.tick();
  await digests.tick();
  await digests.stop(5_000);
  close();
  expect(failures).toEqual([]);
}

const killed = { code: null, signal: 'SIGKILL', err: '' };

async function periods() {
  const { digests, store, close } = await aDigestOffice({ dataDir, clock: { now: clock }, slack });
  const [digest] = await digests.list(adaHere, null);
  const runs = await store.runs(digest?.id ?? '', 10);
  close();
  return runs;
}

const messages = () => slack.playground.messages('C0GENERAL');

// One after the other, below, is every moment as well; singly they are tried where there is time.
if (soaking)
  test.each(digestMoments)('a digest whose process is killed when it is %s appears once', async (moment) => {
    expect(await run(moment)).toMatchObject(killed);
    await runInPeace();
    expect(messages()).toHaveLength(1);
    expect(await periods()).toMatchObject([{ due: DUE, state: 'sent' }]);
  });

testOnce('a digest that is killed in one moment after the other appears once', async () => {
  for (const moment of digestMoments) {
    const { moments, ...end } = await run(moment);
    expect(end).toEqual(killed);
    expect(moments.at(-1)).toBe(moment);
  }
  await runInPeace();
  expect(messages()).toHaveLength(1);
  expect(await periods()).toMatchObject([{ due: DUE, state: 'sent', attempts: 5 }]);
});

test('two processes at once, one of which is killed, post it once', async () => {
  const ends = await Promise.all([run('posted', 60_000), run(undefined, 0)]);
  expect(ends.map(({ err }) => err)).toEqual(['', '']);
  await runInPeace();
  expect(messages()).toHaveLength(1);
});

testOnce('what is killed after it was posted, and may not be looked for, is not posted again', async () => {
  expect(await run('posted')).toMatchObject(killed);
  slack.faults.failNext('conversations.history', 'missing_scope', 9);
  await runInPeace();
  expect(messages()).toHaveLength(1);
  expect(await periods()).toMatchObject([{ state: 'failed', note: { trying: 'message' } }]);
  expect(slack.playground.messages('D0ADA')[0]?.text).toContain('it may be posted already');
});
